"""The templates fit the program: settings, placeholders, shapes of notes."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from vaultmem import __version__
from vaultmem.config.setting import PERSON
from vaultmem.config.settings_table import knob_by_key
from vaultmem.model.notes import KINDS, STREAMS

TEMPLATES = Path(__file__).parent.parent / "templates"
SETTINGS = (TEMPLATES / "vault" / "vaultmem.toml").read_text("utf-8")
OFFERED = re.compile(r"^# ([a-z_.]+ = .+)$", re.MULTILINE)
NOTES = sorted((TEMPLATES / "notes").glob("*.md"))


def filled(text: str) -> str:
    """A note as Obsidian's template plugin would make it."""
    return text.replace("{{date:YYYY-MM-DD}}", "2026-03-11").replace("{{title}}", "Tea is at four")


def flat(table: dict[str, object], before: str = "") -> dict[str, object]:
    keys: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            keys |= flat(value, f"{before}{key}.")
        else:
            keys[before + key] = value
    return keys


def test_settings_of_a_new_vault_are_its_format_id_and_name() -> None:
    assert tomllib.loads(SETTINGS) == {"format": 1, "id": "{{id}}", "name": "{{name}}"}


def test_every_setting_that_is_offered_exists_and_shows_its_default() -> None:
    lines = OFFERED.findall(SETTINGS)
    assert len(lines) >= 10
    known = knob_by_key()
    for key, value in flat(tomllib.loads("\n".join(lines))).items():
        assert known[key].where != PERSON, f"{key} is not read from a vault"
        if key != "include":  # shown with examples, because its default is empty
            default = known[key].default
            assert value == (list(default) if isinstance(default, tuple) else default), key


def test_uncommenting_everything_is_valid_toml() -> None:
    assert "recall" in tomllib.loads(OFFERED.sub(r"\1", SETTINGS))


def test_a_new_vault_has_the_four_streams_and_nothing_a_person_could_have() -> None:
    folder = TEMPLATES / "vault"
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    streams = {f"streams/{name}.md" for name in STREAMS if name != "flow"}
    assert files == streams | {
        "streams/flow.{{device}}.md",
        "vaultmem.toml",
        ".vaultmem/.gitignore",
    }


def test_stream_files_begin_without_bullets() -> None:
    for file in (TEMPLATES / "vault" / "streams").iterdir():
        text = file.read_text("utf-8")
        assert re.search(r"^# \w", text, re.MULTILINE), file.name
        assert not re.search(r"^[-*+] ", text, re.MULTILINE), file.name


@pytest.mark.parametrize("file", NOTES, ids=lambda file: file.stem)
def test_shape_of_a_note_reads_as_a_note(file: Path) -> None:
    text = filled(file.read_text("utf-8"))
    assert "{{" not in text
    _, block, body = text.split("---\n", 2)
    fields = yaml.load(block, Loader=yaml.BaseLoader)
    if file.stem == "category":
        assert body.startswith("# Tea is at four")
        assert "<!-- vaultmem:begin summary -->\n<!-- vaultmem:end -->" in body
        return
    assert body.strip().split("\n\n")[0] == "Tea is at four."
    assert fields["kind"] in KINDS
    assert fields["kind"] == file.stem or file.stem == "item"
    assert fields.get("stream", "tasks") in STREAMS
    assert fields["valid_from"] == "2026-03-11"
    assert "id" not in fields


def test_there_is_a_shape_for_what_people_write_by_hand() -> None:
    shapes = {file.stem for file in NOTES}
    assert shapes == {"item", "task", "decision", "event", "procedure", "category"}


def test_registries_are_told_of_this_package_and_of_nobody_elses() -> None:
    """The rules of the schema of 2025-12-11; `vaultmem` on PyPI is another project."""
    data = (TEMPLATES / "clients" / "server.json").read_text("utf-8")
    found = json.loads(data)
    project = tomllib.loads((TEMPLATES.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert found["$schema"].endswith("/schemas/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", found["name"])
    assert 1 <= len(found["description"]) <= 100
    assert 1 <= len(found["title"]) <= 100
    assert found["version"] == __version__
    [package] = found["packages"]
    assert (package["registryType"], package["transport"]) == ("pypi", {"type": "stdio"})
    assert package["identifier"] == project["name"] != "vaultmem"
    assert package["version"] == __version__
    # Who starts a package calls its command by the name of the package.
    assert project["scripts"][package["identifier"]] == project["scripts"]["vaultmem"]
    assert package["packageArguments"] == [{"type": "positional", "value": "mcp"}]
    assert found["_meta"]["io.modelcontextprotocol.registry/publisher-provided"]["isPublished"] is (
        False
    )
