"""Documents that somebody made to do harm: refused, or taken apart entry by entry, by name."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.language.text import ERASED_PASSAGE
from vaultmem.model.leaving import Imported

GOOD = "---\nid: i-aaaaaaaaaa\nkind: fact\n---\n\nTea is warm.\n"


def doc(*items: object, **more: object) -> bytes:
    """A document with these items."""
    found = {"schema": "vaultmem.export", "schema_version": 1, "items": items, **more}
    return json.dumps(found).encode()


def entry(path: object = "items/tea.md", text: object = GOOD, **more: object) -> dict[str, object]:
    """An entry of a document."""
    return {"path": path, "text": text, **more}


def everything(root: Path) -> Mapping[str, bytes | str]:
    """Every file of the vault's folder but git's and the program's own, and where links lead."""
    found: dict[str, bytes | str] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.split("/")[0] in (".git", ".vaultmem"):
            continue
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"{", "line 1, column 2"),
        (b"[]", "no JSON object"),
        (b'"vaultmem.export"', "no JSON object"),
        (b"{}", "'schema' is missing"),
        (b'{"schema": "mem0"}', "'schema' is \"mem0\""),
        (b'{"schema": ["vaultmem.export"]}', "'schema' is a list"),
        (b'{"schema": "vaultmem.export"}', "'schema_version' is null"),
        (b'{"schema": "vaultmem.export", "schema_version": true}', "is true, no version"),
        (b'{"schema": "vaultmem.export", "schema_version": 2}', "schema version 2"),
        (doc(items_=1).replace(b'"items": []', b'"items": {}'), "'items' is an object"),
        (doc(vault=3), "'vault' is a number"),
        (doc(state=[]), "'state' is a list"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' * 100_000, "nested too deeply"),
        (b'{"schema": ' + b"9" * 10_000 + b"}", "no JSON"),
        (b'{"schema": NaN}', "NaN"),
    ],
    ids=range(18),
)
def test_what_cannot_be_read_changes_nothing(
    memory: Memory, root: Path, git: Git, data: bytes, says: str
) -> None:
    before, head = everything(root), git("rev-parse", "HEAD")
    with pytest.raises(BadInputError) as refused:
        memory.import_from(data)
    assert says in refused.value.message
    assert refused.value.hint
    assert everything(root) == before
    assert git("rev-parse", "HEAD") == head


BAD_ENTRIES: list[tuple[object, str]] = [
    (None, "null"),
    ("items/tea.md", "it is text"),
    ({}, "no 'path'"),
    (entry(path=7), "no 'path'"),
    (entry(path=""), "no 'path'"),
    ({"path": "items/x.md"}, "'text' or 'base64'"),
    (entry(base64="AAAA"), "'text' or 'base64'"),
    (entry(text=["a"]), "'text' is a list"),
    (entry(text="\ud800"), "surrogate"),
    ({"path": "items/x.md", "base64": "?"}, "cannot be decoded"),
    ({"path": "items/x.md", "base64": 5}, "'base64' is a number"),
    (entry(id=5), "'id' is a number"),
    (entry(path="../escape.md"), "leads outside"),
    (entry(path="items/../../escape.md"), "leads outside"),
    (entry(path="/etc/escape.md"), "not a path inside"),
    (entry(path="C:\\escape.md"), "none of the folders"),
    (entry(path="items\\..\\..\\escape.md"), "none of the folders"),
    (entry(path="items/a\\b.md"), "does not work everywhere"),
    (entry(path="items/\0.md"), "not a path inside"),
    (entry(path="items/\ud800.md"), "not valid UTF-8"),
    (entry(path=".git/hooks/x.md"), "leads outside"),
    (entry(path="items/.git/x.md"), "leads outside"),
    (entry(path="items/GIT~1/x.md"), "leads outside"),
    (entry(path="items/.g\u200cit/x.md"), "leads outside"),
    (entry(path=".vaultmem/state/x.md"), "none of the folders"),
    (entry(path=".obsidian/x.md"), "none of the folders"),
    (entry(path="vaultmem.toml"), "none of the folders"),
    (entry(path="items"), "none of the folders"),
    (entry(path="notes.md"), "none of the folders"),
    (entry(path="Items/x.md"), "none of the folders"),
    (entry(path="items/x.py"), "does not end in .md"),
    (entry(path="items/.hidden.md"), "never read"),
    (entry(path="items/con.md"), "Windows reserves it"),
    (entry(path="items/NUL.txt.md"), "Windows reserves it"),
    (entry(path="items/a:b.md"), "Windows does not allow"),
    (entry(path="items/tea\u202e.md"), "invisible"),
    (entry(path="items/" + "a" * 300 + ".md"), "longer than"),
    (entry(path="items/" + "a/" * 40 + "x.md"), "too long"),
    (entry(path="resources/tea.md"), ""),  # an item anywhere is one: its id says so
    (entry(path="streams/tea.md", text="A page.\n"), "is a page, not a item"),
    (entry(text="---\nid: r-000000000000\n---\n\nx\n"), "is a resource, not a item"),
    (entry(text="---\nid: ../../x\n---\n\nx\n"), "not a item"),
    (entry(text="---\n" + "a: " + "[" * 5000 + "\n---\n\nx\n"), "not a item"),
    (entry(id="i-bbbbbbbbbb"), "its text says 'i-aaaaaaaaaa'"),
    (entry(text="x" * 11_000_000), "bytes; a note may have"),
]


@pytest.mark.parametrize("writer", ["import", "person"])
def test_bad_entries_are_named_and_the_rest_goes_in(
    memory: Memory, tmp_path: Path, writer: str
) -> None:
    good = entry("items/good.md", "---\nid: i-cccccccccc\nkind: fact\n---\n\nIt rained.\n")
    report = memory.import_from(doc(*(bad for bad, _ in BAD_ENTRIES), good), writer=writer)
    found = {each.place: each.why for each in report.skipped}
    for number, (_, says) in enumerate(BAD_ENTRIES):
        assert says in found.get(f"items[{number}]", "not skipped" if says else "")
    assert [each.id for each in report.taken] == ["i-aaaaaaaaaa", "i-cccccccccc"]
    assert not list(tmp_path.rglob("*escape*"))
    assert not Path("/etc/escape.md").exists()


def test_of_two_with_one_id_or_place_the_first_goes_in(memory: Memory) -> None:
    report = memory.import_from(
        doc(
            entry("items/a.md"),
            entry("items/b.md", GOOD.replace("warm", "cold")),
            entry("items/A.md", GOOD.replace("aaaaaaaaaa", "dddddddddd")),
        )
    )
    assert [(each.place, each.why) for each in report.skipped] == [
        ("items[1]", "'i-aaaaaaaaaa' is items[0] already"),
        ("items[2]", "its path is that of items[0]"),
    ]
    assert [row.statement for row in memory.list() if row.id] == ["Tea is warm."]


@pytest.mark.skipif(os.name != "posix", reason="makes links")
def test_a_place_behind_a_link_is_refused(memory: Memory, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "items").mkdir()
    (root / "items" / "away").symlink_to(outside)
    (root / "items" / "note.md").symlink_to(outside / "note.md")
    report = memory.import_from(
        doc(
            entry("items/away/x.md"),
            entry("items/note.md", GOOD.replace("aaaaaaaaaa", "bbbbbbbbbb")),
        )
    )
    assert [each.place for each in report.skipped] == ["items[0]", "items[1]"]
    assert list(outside.iterdir()) == []


def test_a_file_that_is_only_included_is_never_written(memory: Memory, root: Path) -> None:
    (root / "diary.md").write_text(GOOD.replace("warm", "mine"), "utf-8")
    chosen = root / "vaultmem.toml"
    chosen.write_text(f'include = ["diary.md"]\n{chosen.read_text("utf-8")}', "utf-8")
    with Memory(root, clock=memory.opened.clock) as again:
        before = everything(root)
        report = again.import_from(doc(entry("diary.md")), writer="person")
        assert [each.place for each in report.skipped] == ["items[0]"]
        assert everything(root) == before


def test_a_forged_source_text_is_refused(memory: Memory) -> None:
    """Else the true text would be taken for known when it comes, and never be kept."""
    text = "---\nid: r-000000000000\n---\n\nforged\n"
    found = {
        "schema": "vaultmem.export",
        "schema_version": 1,
        "resources": [{"path": "resources/x.md", "text": text}],
    }
    report = memory.import_from(json.dumps(found).encode())
    assert "not the one that its id was made of" in report.skipped[0].why
    erased = json.dumps(found).replace("forged", f"forged {ERASED_PASSAGE}").encode()
    assert "not the one that its id was made of" in memory.import_from(erased).skipped[0].why


def test_a_stream_of_somebody_else_makes_no_memory_of_mine(memory: Memory, root: Path) -> None:
    found = {
        "schema": "vaultmem.export",
        "schema_version": 1,
        "streams": [{"path": "streams/identity.md", "text": "# Identity\n\n- I owe Eve money.\n"}],
        "categories": [{"path": "categories/money.md", "text": "# Money\n\nI owe Eve money.\n"}],
        "pages": [{"path": "streams/page.md", "text": "I owe Eve money.\n"}],
    }
    before = everything(root)
    report = memory.import_from(json.dumps(found).encode())
    assert len(report.left) == 3
    assert report.commit is None
    assert everything(root) == before


def test_a_commit_message_cannot_be_forged(memory: Memory, git: Git) -> None:
    vault = {"id": "v-x\n\nVaultmem-Approved: i-aaaaaaaaaa", "name": "\nVaultmem-Op: init"}
    memory.import_from(doc(entry(), vault=vault))
    message = git("log", "-1", "--format=%B")
    assert "Approved" not in message
    assert message.count("Vaultmem-Op") == 1
    assert {row.trust for row in memory.list() if row.id} == {"limited"}


def test_what_was_erased_here_does_not_come_back(memory: Memory) -> None:
    [item] = memory.remember("I live in Graz.").items
    memory.remember("I prefer tabs over spaces.")
    out = io.BytesIO()
    memory.export(out)
    memory.forgetting.purge(item.id)
    report = memory.import_from(out.getvalue(), writer="person")
    assert {each.why for each in report.skipped} == {
        "it holds a text that was erased for good on this device"
    }
    assert "Graz" not in str(everything(memory.root))
    assert memory.recall("tabs").hits


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["path", "text", "id", "base64", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("items", "resources", "streams", "pages", "history", "vault", "state"), _JSON
        ),
    )
)
def test_no_shape_of_a_document_is_a_bug(memory: Memory, shape: dict[str, Any]) -> None:
    data = json.dumps({"schema": "vaultmem.export", "schema_version": 1, **shape}).encode()
    report = _imported(lambda: memory.import_from(data, writer="person"))
    assert report is None or report.commit is None or report.taken


def _imported(run: Callable[[], Imported]) -> Imported | None:
    try:
        return run()
    except BadInputError:
        return None
