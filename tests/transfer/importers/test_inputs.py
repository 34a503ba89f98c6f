"""Files, folders and archives: what is opened, and what may not do harm."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.transfer.importers.conftest import Kept, Write
from tests.transfer.importers.test_chatgpt import NOON, conversation, message
from vaultmem.api.memory import Memory
from vaultmem.base import BadInputError
from vaultmem.transfer import import_products
from vaultmem.transfer.importers import inputs

ONE = json.dumps([conversation(message("u", "root", "user", "I live in Graz.", at=NOON))])


def archive(file: Path, members: dict[str, str]) -> Path:
    """A ZIP archive of these."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in members.items():
            made.writestr(name, text)
    return file


def test_a_member_that_unpacks_to_hundreds_of_times_its_size_is_skipped(
    tmp_path: Path, take_in: Callable[..., Kept]
) -> None:
    bomb = "[" + " " * 8_000_000 + '{"mapping": {}}]'
    kept = take_in(archive(tmp_path / "e.zip", {"a.json": ONE, "b.json": bomb}))
    assert [each.what for each in kept.report.records] == ["skipped", "added"]
    assert "hundreds of times" in kept.report.records[0].why


def test_a_member_that_lies_about_its_size_is_skipped(
    tmp_path: Path, take_in: Callable[..., Kept]
) -> None:
    file = archive(tmp_path / "e.zip", {"a.json": ONE, "z.json": ONE})
    data = bytearray(file.read_bytes())
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 16 : entry + 20] = struct.pack("<I", 1)  # the check sum of the last one
    file.write_bytes(data)
    kept = take_in(file)
    assert [each.what for each in kept.report.records] == ["skipped", "added"]
    assert "damaged" in kept.report.records[0].why


def test_a_member_with_a_password_is_named(tmp_path: Path, take_in: Callable[..., Kept]) -> None:
    file = archive(tmp_path / "e.zip", {"a.json": ONE, "z.json": ONE})
    data = bytearray(file.read_bytes())
    for mark, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.rindex(mark) + place] |= 1
    file.write_bytes(data)
    kept = take_in(file)
    assert sorted(each.what for each in kept.report.records) == ["added", "skipped"]
    assert any("password" in each.why for each in kept.report.records)


def test_a_file_that_is_no_archive_though_it_begins_so(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "e.zip"
    file.write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(BadInputError, match="no export that can be read"):
        memory.import_files(file)


def test_links_and_pipes_in_a_folder_are_not_followed(
    tmp_path: Path, take_in: Callable[..., Kept]
) -> None:
    secret = tmp_path / "outside.json"
    secret.write_text(ONE, "utf-8")
    folder = tmp_path / "exports"
    (folder / ".git").mkdir(parents=True)
    (folder / "link.json").symlink_to(secret)
    (folder / "loop").symlink_to(folder)
    (folder / ".git" / "c.json").write_text(ONE, "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.json")
    own = json.dumps([conversation(message("u", "root", "user", "I prefer tea.", at=NOON))])
    (folder / "mine.json").write_text(own, "utf-8")
    kept = take_in(folder)
    assert kept.said() == ["I prefer tea."]
    assert kept.report.passed == 1


def test_a_folder_beyond_the_bound_is_read_no_further(
    tmp_path: Path, take_in: Callable[..., Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "MOST_FILES", 1)
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "a.json").write_text(ONE, "utf-8")
    (folder / "b.json").write_text(ONE, "utf-8")
    kept = take_in(folder)
    assert [each.what for each in kept.report.records] == ["skipped", "added"]


def test_the_order_of_files_and_their_names_say_nothing(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("holiday.txt", ONE))
    assert kept.said() == ["I live in Graz."]


def test_only_the_product_that_is_named_is_read(
    memory: Memory, write: Write, take_in: Callable[..., Kept]
) -> None:
    file = write("a.json", ONE)
    write("m.json", {"memories": [{"memory": "Likes tea.", "user_id": "u"}]})
    kept = take_in(file.parent, product="mem0")
    assert [each.product for each in kept.report.records] == ["Mem0"]
    with pytest.raises(BadInputError, match="'chatgtp' is no product"):
        memory.import_files(file, product="chatgtp")
    with pytest.raises(BadInputError, match="no export of claude"):
        memory.import_files(file, product="claude")


def test_an_export_of_somebody_else_is_nobodys_own_word(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("a.json", ONE), writer="web")
    assert {(item.writer, item.trust) for item in kept.items} <= {("web", "untrusted")}


def test_a_conversation_longer_than_a_note_is_kept_in_several(
    write: Write, take_in: Callable[..., Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_products, "_SHARE_OF_NOTE", 0.008)  # 8,000 bytes
    words = [f"Part {number}. " + "word " * 600 for number in range(6)]
    nodes = [
        message(f"u{number}", f"u{number - 1}" if number else "root", "user", text, at=NOON)
        for number, text in enumerate(words)
    ]
    kept = take_in(write("a.json", [conversation(*nodes)]))
    [record] = kept.report.records
    assert len(record.paths) > 1
    assert " ".join(" ".join(kept.said()).split()) == " ".join(" ".join(words).split())
    grown = conversation(*nodes, message("v", "u5", "user", "I keep bees.", at=NOON))
    assert take_in(write("a.json", [grown])).said() == ["I keep bees."]


@pytest.mark.parametrize(
    ("page", "product"),
    [
        ('<html><div class="outer-cell mdl-cell">Prompted x</div></html>', "Gemini"),
        ('<html><link href="css/style.css"/><div class="page_wrap">x</div></html>', "Telegram"),
    ],
)
def test_an_export_as_html_says_how_to_get_another(
    page: str, product: str, write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("messages.html", page))
    [record] = kept.report.records
    assert (record.product, record.what) == (product, "skipped")
    assert "JSON" in record.why
