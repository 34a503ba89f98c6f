"""Reading: regular files only, as they were at one moment."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from vaultmem.base.errors import DiskError, MissingFileError, UnsafePathError
from vaultmem.storage.files import read, read_each
from vaultmem.storage.files.folders import open_folder

TEA = "items/2026/03/11/tea.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "items").mkdir(parents=True)
    return root


def _put(root: Path, path: str, data: bytes) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


class TestRead:
    def test_bytes_as_they_are(self, root: Path) -> None:
        _put(root, TEA, b"\xff\r\n\0")
        assert read(root, PurePosixPath(TEA)) == b"\xff\r\n\0"

    def test_large_and_empty(self, root: Path) -> None:
        _put(root, "items/big.md", b"x" * 3_000_000)
        _put(root, "items/empty.md", b"")
        assert len(read(root, PurePosixPath("items/big.md"))) == 3_000_000
        assert read(root, PurePosixPath("items/empty.md")) == b""

    def test_missing(self, root: Path) -> None:
        for path in ("items/x.md", "nowhere/x.md"):
            with pytest.raises(MissingFileError, match="there is no"):
                read(root, PurePosixPath(path))

    def test_over_the_limit(self, root: Path) -> None:
        _put(root, TEA, b"x" * 11)
        with pytest.raises(DiskError, match="11 bytes, more than the 10"):
            read(root, PurePosixPath(TEA), limit=10)

    def test_an_empty_file_that_had_content_is_read_again(self, root: Path) -> None:
        _put(root, TEA, b"")
        naps: list[float] = []

        def nap(seconds: float) -> None:
            naps.append(seconds)
            if len(naps) == 3:
                _put(root, TEA, b"saved at last")

        assert read(root, PurePosixPath(TEA), had_content=True, sleep=nap) == b"saved at last"
        assert len(naps) == 3

    def test_a_file_that_stays_empty_is_believed_after_two_seconds(self, root: Path) -> None:
        _put(root, TEA, b"")
        naps: list[float] = []
        assert read(root, PurePosixPath(TEA), had_content=True, sleep=naps.append) == b""
        assert 1.9 < sum(naps) < 2.1

    def test_each_of_many_with_its_error(self, root: Path) -> None:
        _put(root, TEA, b"1")
        _put(root, "items/b.md", b"2")
        paths = [PurePosixPath(path) for path in (TEA, "items/no.md", "items/b.md", "../x")]
        found = dict(read_each(root, paths))
        assert found[paths[0]] == b"1"
        assert found[paths[2]] == b"2"
        assert isinstance(found[paths[1]], MissingFileError)
        assert isinstance(found[paths[3]], UnsafePathError)

    def test_without_descriptors_of_folders(self, root: Path, tmp_path: Path) -> None:
        _put(root, TEA, b"1")
        folder = open_folder(root, PurePosixPath(TEA).parts[:-1], by_fd=False)
        assert folder.names() == ["tea.md"]
        (root / "items/link").symlink_to(tmp_path)
        with pytest.raises(UnsafePathError):
            open_folder(root, ("items", "link"), by_fd=False)
        with pytest.raises(MissingFileError):
            open_folder(root, ("items", "new"), by_fd=False)
        open_folder(root, ("items", "new"), by_fd=False, create=True).close()
        assert (root / "items/new").is_dir()
