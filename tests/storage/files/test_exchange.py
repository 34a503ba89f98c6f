"""A file and its temporary change places: what a person saves meanwhile is never overwritten."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from vaultmem.base.errors import StaleFileError
from vaultmem.model.ids import Oid, blob_oid
from vaultmem.storage.files import temporaries
from vaultmem.storage.files.folders import Folder, open_folder
from vaultmem.storage.files.publishing import Exchange


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "items").mkdir(parents=True)
    return root


def _put(root: Path, path: str, data: bytes) -> Oid:
    (root / path).write_bytes(data)
    return blob_oid(data)


Prepare = Callable[[Path, str, Oid | None, bytes | None], Exchange]


@pytest.fixture(params=[True, False], ids=["by-descriptor", "by-path"])
def prepare(request: pytest.FixtureRequest) -> Prepare:
    """One step of a publication, about to happen; by path there is no exchange in one step."""

    def prepared(root: Path, name: str, before: Oid | None, after: bytes | None) -> Exchange:
        tmp = open_folder(root, (".vaultmem", "tmp"), create=True, by_fd=request.param)
        if after is not None:
            os.close(temporaries.create(tmp, "t", after))
        return Exchange(
            entry=temporaries.Entry(
                path=PurePosixPath("items", name),
                before=before,
                after=None if after is None else blob_oid(after),
            ),
            temporary="t",
            tmp=tmp,
            folder=open_folder(root, ("items",), by_fd=request.param),
            fingerprint=blob_oid,
        )

    return prepared


class TestExchange:
    """What happens when a person saves in the very moment of the exchange."""

    def test_an_edit_before_it_stays(self, root: Path, prepare: Prepare) -> None:
        step = prepare(root, "a.md", _put(root, "items/a.md", b"old"), b"new")
        _put(root, "items/a.md", b"edit")
        with pytest.raises(StaleFileError):
            step.carry_out()
        assert (root / "items/a.md").read_bytes() == b"edit"

    @pytest.mark.parametrize("after", [b"new", None])
    def test_it_can_be_taken_back(self, root: Path, prepare: Prepare, after: bytes | None) -> None:
        step = prepare(root, "a.md", _put(root, "items/a.md", b"old"), after)
        step.carry_out()
        step.take_back()
        assert (root / "items/a.md").read_bytes() == b"old"

    def test_a_new_file_can_be_taken_back(self, root: Path, prepare: Prepare) -> None:
        step = prepare(root, "a.md", None, b"new")
        step.carry_out()
        step.take_back()
        assert not (root / "items/a.md").exists()

    @pytest.mark.parametrize("before", [b"old", None])
    def test_what_was_edited_since_is_not_taken_back(
        self, root: Path, prepare: Prepare, before: bytes | None
    ) -> None:
        oid = None if before is None else _put(root, "items/a.md", before)
        step = prepare(root, "a.md", oid, b"new")
        step.carry_out()
        _put(root, "items/a.md", b"edited since")
        step.take_back()
        assert (root / "items/a.md").read_bytes() == b"edited since"

    def test_the_old_bytes_wait_in_the_temporary_file(self, root: Path, prepare: Prepare) -> None:
        prepare(root, "a.md", _put(root, "items/a.md", b"old"), b"new").carry_out()
        assert (root / "items/a.md").read_bytes() == b"new"
        assert (root / ".vaultmem/tmp/t").read_bytes() == b"old"
        assert os.listdir(root / ".vaultmem/tmp") == ["t"]

    def test_a_file_that_was_deleted_meanwhile_stays_deleted(
        self, root: Path, prepare: Prepare
    ) -> None:
        step = prepare(root, "a.md", _put(root, "items/a.md", b"old"), b"new")
        (root / "items/a.md").unlink()
        with pytest.raises(StaleFileError):
            step.carry_out()
        assert not (root / "items/a.md").exists()

    def test_a_removal_does_not_take_an_edit(self, root: Path, prepare: Prepare) -> None:
        step = prepare(root, "a.md", _put(root, "items/a.md", b"old"), None)
        _put(root, "items/a.md", b"edit")
        with pytest.raises(StaleFileError):
            step.carry_out()
        assert (root / "items/a.md").read_bytes() == b"edit"

    def test_a_new_name_that_was_taken_meanwhile_stays_theirs(
        self, root: Path, prepare: Prepare
    ) -> None:
        step = prepare(root, "a.md", None, b"new")
        _put(root, "items/a.md", b"theirs")
        with pytest.raises(StaleFileError):
            step.carry_out()
        assert (root / "items/a.md").read_bytes() == b"theirs"


class TestRenames:
    def test_a_free_name(self, root: Path) -> None:
        folder = open_folder(root, ("items",))
        _put(root, "items/a", b"a")
        _put(root, "items/b", b"b")
        with pytest.raises(FileExistsError):
            temporaries.rename_to_free(folder, "a", folder, "b")
        temporaries.rename_to_free(folder, "a", folder, "c")
        assert sorted(os.listdir(root / "items")) == ["b", "c"]

    def test_a_swap_is_one_step_or_refused(self, root: Path) -> None:
        folder = open_folder(root, ("items",))
        _put(root, "items/a", b"a")
        _put(root, "items/b", b"b")
        swapped = temporaries.swap(folder, "a", folder, "b")
        assert (root / "items/a").read_bytes() == (b"b" if swapped else b"a")
        by_path = Folder(str(root / "items"), None)
        assert temporaries.swap(by_path, "a", by_path, "b") is False
        with pytest.raises(OSError) as refused:
            temporaries.swap(folder, "a", folder, "missing")
        assert refused.value.errno == errno.ENOENT
