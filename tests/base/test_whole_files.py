"""A file of the device is the old one or the new one, however many write it at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vaultmem.base.whole_files import replace_file


def test_many_writers_of_one_file_lose_nothing_and_leave_nothing(tmp_path: Path) -> None:
    file = tmp_path / "identity"
    texts = [bytes([65 + number]) * 5_000 for number in range(4)]

    def write(text: bytes) -> None:
        for _ in range(100):
            replace_file(file, text)
            assert file.read_bytes() in texts

    with ThreadPoolExecutor(4) as writers:
        assert list(writers.map(write, texts)) == [None] * 4
    assert os.listdir(tmp_path) == ["identity"]


def test_where_it_cannot_be_placed_the_old_one_stays(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError):
        replace_file(tmp_path / "taken", b"new", is_durable=True)
    assert os.listdir(tmp_path) == ["taken"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_nobody_else_reads_it_unless_the_caller_says_so(tmp_path: Path) -> None:
    replace_file(tmp_path / "own", b"x", is_durable=True)
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "own").read_bytes() == b"x"
