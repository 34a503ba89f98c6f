"""`vaultmem install`: clients are told where the memory is, and it can be taken back exactly."""

from __future__ import annotations

import json
import os
import time
import tomllib
from pathlib import Path

import pytest

from vaultmem.assistants import (
    check,
    choose_clients,
    install,
    install_agents,
    installed_clients,
    place_of,
    uninstall,
    uninstall_agents,
)
from vaultmem.assistants.install.clients import (
    Place,
    client_of,
    client_templates,
    clients,
    files_of,
)
from vaultmem.assistants.install.jsonc import value_of, without_member
from vaultmem.base import BadInputError

NAMES = tuple(each.name for each in clients())
JSONS = {
    "empty": "",
    "only white space": " \n\n",
    "empty object": "{}",
    "empty object with a blank": "{ }\n",
    "empty object on two lines": "{\n}\n",
    "one line": '{"a": 1}',
    "one line without blanks": '{"a":1,"b":[1,2]}',
    "two blanks": '{\n  "a": 1\n}\n',
    "four blanks, no line feed at the end": '{\n    "a": {\n        "b": []\n    }\n}',
    "tabs": '{\n\t"a": 1,\n\t"b": {\n\t\t"c": null\n\t}\n}\n',
    "CRLF": '{\r\n  "a": 1,\r\n  "b": "ü"\r\n}\r\n',
    "a comment beside the last": '{\n  "a": 1 // why\n}\n',
    "comments everywhere": '// top\n{\n  /* b */ "a": 1, // c\n  // last\n}\n// end\n',
    "a trailing comma": '{\n  "a": [1, 2,],\n}\n',
    "a BOM": '\ufeff{\n  "a": 1\n}\n',
    "braces in strings": '{\n  "a": "} // no, { \\" ,",\n  "b": "/*"\n}\n',
    "a server of another": '{\n  "mcpServers": {\n    "x": {"command": "x"}\n  }\n}\n',
    "no servers yet": '{"mcpServers": {}, "servers": {}, "mcp": {}, "hooks": {}}\n',
    "hooks of another": '{\n  "hooks": {\n    "Stop": [\n      {"hooks": []}\n    ],\n'
    '    "sessionStart": [{"command": "x"}]\n  },\n  "version": 1\n}\n',
    "a comment in an empty object": '{\n  "mcpServers": { /* none */ },\n'
    '  "servers": {\n    // no\n  }\n}\n',
    "deep and odd white space": '{ "a" :{"b"\n:[ ] } ,\n\n\n   "c": -1.5e3 }  \n\n',
    "other scripts": '{\n  "名前": "東京",\n  "enabledPlugins": {"a@b": true}\n}',
}
TOMLS = {
    "empty": "",
    "no line feed": 'model = "x"',
    "CRLF": 'model = "x"\r\n\r\n[a]\r\nb = 1\r\n',
    "comments": '# top\nmodel = "x" # why\n\n[a.b]\n# end',
    "other servers": '[mcp_servers.x]\ncommand = "x"\n',
    "inline table": "profiles = { a = { b = 1 } }\n[[list]]\nc = 1\n",
    "multi-line text": 'a = """\n[not.a.table]\n"""\n',
    "other plugins": '[plugins."x@y"]\nenabled = false\n\n\n',
}
MARKDOWNS = {
    "empty": "",
    "no line feed": "# Agents\n\nUse tabs.",
    "CRLF": "# Agents\r\n\r\nUse tabs.\r\n",
    "three empty lines": "# Agents\n\n\n\n",
    "a block of another": "<!-- other:begin -->\nx\n<!-- other:end -->\n",
}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return place_in(tmp_path, "user")


def place_in(folder: Path, scope: str) -> Place:
    return place_of(
        scope=scope,
        environ={"HOME": str(folder / "home"), "VAULTMEM_STATE": str(folder / "state")},
        project=folder / "project",
        home=folder / "home",
    )


def settings_of(name: str, place: Place) -> tuple[Path, ...]:
    """The files of a client that are a person's."""
    steps = client_of(name).steps(place)
    return tuple(dict.fromkeys(s.file for s in steps if type(s).__name__ != "Whole"))


def tree(folder: Path) -> dict[str, bytes]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.mark.parametrize("kind", JSONS)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("codex", "gemini")])
def test_json_settings_are_what_they_were_after_uninstall(
    place: Place, name: str, kind: str
) -> None:
    text = JSONS[kind]
    for file in settings_of(name, place):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    before = tree(place.home)
    install(client_of(name), place)
    for file in settings_of(name, place):
        now = value_of(file.read_bytes().decode())
        assert "vaultmem" in json.dumps(now)
        for key, value in value_of(text).items():
            assert key in now
            assert isinstance(value, dict | list) or now[key] == value
        for line in text.splitlines():
            for comment in ("// why", "// top", "// c", "// last", "// end", "/* none */"):
                assert (comment in line) <= (comment in file.read_text())
    after = tree(place.home)
    install(client_of(name), place)
    assert tree(place.home) == after
    uninstall(client_of(name), place)
    assert tree(place.home) == before


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("name", NAMES)
def test_where_nothing_was_nothing_is_left(tmp_path: Path, name: str, scope: str) -> None:
    place = place_in(tmp_path, scope)
    client = client_of(name)
    if scope == "project" and client.project is None:
        with pytest.raises(BadInputError, match="no settings of a project"):
            install(client, place)
        return
    done = install(client, place)
    assert all(change.is_change for change in done.changes)
    assert not install(client, place).is_change
    uninstall(client, place)
    assert tree(tmp_path) == {}
    assert not list((tmp_path / "home").glob("*"))


@pytest.mark.parametrize("kind", TOMLS)
def test_toml_settings_are_what_they_were_after_uninstall(place: Place, kind: str) -> None:
    file = place.home / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(TOMLS[kind].encode())
    install(client_of("codex"), place)
    now = tomllib.loads(file.read_text())
    assert now["plugins"]["vaultmem@vaultmem"] == {"enabled": True}
    assert tomllib.loads(TOMLS[kind]).keys() <= now.keys()
    uninstall(client_of("codex"), place)
    assert file.read_bytes() == TOMLS[kind].encode()
    assert tree(place.home) == {".codex/config.toml": TOMLS[kind].encode()}


@pytest.mark.parametrize("kind", MARKDOWNS)
def test_a_markdown_file_is_what_it_was_after_uninstall(place: Place, kind: str) -> None:
    file = place.project / "AGENTS.md"
    file.write_bytes(MARKDOWNS[kind].encode())
    install_agents(file, place)
    assert file.read_bytes().startswith(MARKDOWNS[kind].encode())
    assert b"vaultmem recall" in file.read_bytes()
    assert not install_agents(file, place).is_change
    uninstall_agents(file, place)
    assert file.read_bytes() == MARKDOWNS[kind].encode()


def test_what_was_added_since_stays_and_ours_goes(place: Place) -> None:
    file = place.home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{\n  "a": 1 // why\n}\n')
    install(client_of("cursor"), place)
    file.write_text(file.read_text().replace('"a": 1', '"a": 2, "b": 3'))
    uninstall(client_of("cursor"), place)
    assert file.read_text() == '{\n  "a": 2, "b": 3 // why\n}\n'


def test_a_server_that_was_added_since_keeps_its_place(place: Place) -> None:
    file = place.home / ".cursor" / "mcp.json"
    install(client_of("cursor"), place)
    value = json.loads(file.read_text())
    value["mcpServers"]["mine"] = {"command": "mine"}
    file.write_text(json.dumps(value, indent=2))
    uninstall(client_of("cursor"), place)
    assert json.loads(file.read_text()) == {"mcpServers": {"mine": {"command": "mine"}}}


def test_toml_that_was_changed_since_loses_our_block_alone(place: Place) -> None:
    file = place.home / ".codex" / "config.toml"
    install(client_of("codex"), place)
    file.write_text(f'model = "x"\n{file.read_text()}\n[mine]\na = 1\n')
    uninstall(client_of("codex"), place)
    assert tomllib.loads(file.read_text()) == {"model": "x", "mine": {"a": 1}}


def test_a_server_of_that_name_that_is_not_ours_is_left_alone(place: Place) -> None:
    file = place.home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    text = '{"mcpServers": {"vaultmem": {"command": "mine"}}}'
    file.write_text(text)
    done = install(client_of("cursor"), place)
    assert file.read_text() == text
    assert any("already: left alone" in r for c in done.changes for r in c.remarks)
    uninstall(client_of("cursor"), place)
    assert file.read_text() == text


@pytest.mark.parametrize("text", ["{", '{"a" 1}', "[1]", '"x"', '{"mcpServers": []}', "{a: 1}"])
def test_settings_that_cannot_be_read_are_left_alone(place: Place, text: str) -> None:
    file = place.home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(text)
    done = install(client_of("cursor"), place)
    assert file.read_text() == text
    assert any("left alone" in r for c in done.changes for r in c.remarks)


def test_a_file_of_ours_that_a_person_changed_is_not_removed(place: Place) -> None:
    install(client_of("gemini"), place)
    file = place.home / ".gemini" / "extensions" / "vaultmem" / "GEMINI.md"
    file.write_text("mine now\n")
    uninstall(client_of("gemini"), place)
    assert tree(place.home) == {".gemini/extensions/vaultmem/GEMINI.md": b"mine now\n"}


def test_a_dry_run_writes_nothing(tmp_path: Path, place: Place) -> None:
    for client in clients():
        assert install(client, place, dry_run=True).is_change
    assert tree(tmp_path) == {}


def test_links_and_modes_of_settings_stay(tmp_path: Path, place: Place) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    file = place.home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.symlink_to(real)
    install(client_of("cursor"), place)
    assert file.is_symlink()
    assert "vaultmem" in real.read_text()
    if os.name == "posix":
        assert real.stat().st_mode & 0o777 == 0o640
    uninstall(client_of("cursor"), place)
    assert real.read_text() == "{}"


def test_all_means_the_clients_that_are_here(place: Place) -> None:
    with pytest.raises(BadInputError, match="no client was found here"):
        choose_clients((), place, everything=True)
    (place.home / ".cursor").mkdir()
    (place.home / ".gemini").mkdir()
    found = choose_clients((), place, everything=True)
    assert [each.name for each in found] == ["gemini", "cursor"]
    install(found[0], place)
    assert [each.name for each in installed_clients(place)] == ["gemini"]


def test_an_unknown_client_is_named_with_those_there_are(place: Place) -> None:
    with pytest.raises(BadInputError, match="no client is called 'emacs'") as refused:
        choose_clients(("emacs",), place, everything=False)
    assert "claude-code" in refused.value.hint


def test_check_says_what_is_gone(place: Place) -> None:
    install(client_of("opencode"), place)
    found = {each.what: each for each in check(place, vault=None)}
    assert found["opencode"].is_good
    (place.home / ".config" / "opencode" / "opencode.json").write_text("{}")
    found = {each.what: each for each in check(place, vault=None)}
    assert not found["opencode"].is_good
    assert "opencode.json" in found["opencode"].told
    assert not found["vault"].is_good


def test_settings_of_a_person_call_this_program_and_those_of_a_project_any(
    tmp_path: Path,
) -> None:
    install(client_of("cursor"), place_in(tmp_path, "user"))
    install(client_of("cursor"), place_in(tmp_path, "project"))
    own = json.loads((tmp_path / "home" / ".cursor" / "mcp.json").read_text())
    shared = json.loads((tmp_path / "project" / ".cursor" / "mcp.json").read_text())
    program = own["mcpServers"]["vaultmem"]["command"]
    assert os.path.isabs(program)
    assert os.access(program, os.X_OK)
    assert shared["mcpServers"]["vaultmem"] == {"command": "vaultmem", "args": ["mcp"]}


def test_a_vault_that_was_named_by_a_path_is_found_from_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    environ = {"HOME": str(tmp_path / "home"), "VAULTMEM_STATE": str(tmp_path / "state")}
    for vault, told in (("notes", tmp_path / "notes"), ("./x", tmp_path / "x"), ("name", "name")):
        place = place_of(scope="user", environ=environ, vault=vault)
        assert place.command[-2:] == ("--vault", str(told))


def test_a_known_name_wins_over_a_folder_that_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = tmp_path / "home" / ".config" / "vaultmem" / "config.toml"
    person.parent.mkdir(parents=True)
    person.write_text('[vaults]\nnotes = "/of/mine"\n')
    (tmp_path / "notes").mkdir()  # of a repository
    monkeypatch.chdir(tmp_path)
    environ = {"HOME": str(tmp_path / "home"), "VAULTMEM_STATE": str(tmp_path / "state")}
    place = place_of(scope="user", environ=environ, vault="notes")
    assert place.command[-2:] == ("--vault", "notes")


def test_hooks_that_the_person_added_keep_the_version_they_need(tmp_path: Path) -> None:
    place = place_in(tmp_path, "user")
    file = place.home / ".cursor" / "hooks.json"
    install(client_of("cursor"), place)
    told = json.loads(file.read_text())
    told["hooks"]["stop"] = [{"command": "mine"}]
    file.write_text(json.dumps(told, indent=2))
    assert check(place, vault=None)[0].is_good
    uninstall(client_of("cursor"), place)
    assert json.loads(file.read_text()) == {"version": 1, "hooks": {"stop": [{"command": "mine"}]}}


def test_what_the_person_removed_or_made_their_own_is_no_longer_looked_for(tmp_path: Path) -> None:
    place = place_in(tmp_path, "user")
    install(client_of("gemini"), place)
    folder = place.home / ".gemini" / "extensions" / "vaultmem"
    (folder / "GEMINI.md").write_text("mine: ask vaultmem")
    (folder / "gemini-extension.json").unlink()
    done = uninstall(client_of("gemini"), place)
    assert [file.name for file in folder.iterdir()] == ["GEMINI.md"]
    assert [each.file.name for each in done.changes if each.remarks] == ["GEMINI.md"]
    assert installed_clients(place) == ()


def test_settings_that_are_broken_are_told_of_and_cleaned_when_they_are_whole(
    tmp_path: Path,
) -> None:
    place = place_in(tmp_path, "user")
    file = place.home / ".claude" / "settings.json"
    install(client_of("claude-code"), place)
    whole = file.read_text()
    file.write_text(f"{whole}x")
    for _ in range(2):
        done = uninstall(client_of("claude-code"), place)
        remarks = [each.remarks for each in done.changes if each.file == file]
        assert "left alone" in remarks[0][0]
    assert "left alone" in next(
        each.remarks[0]
        for each in install(client_of("claude-code"), place).changes
        if each.file == file
    )
    file.write_text(whole)
    uninstall(client_of("claude-code"), place)
    assert not file.exists()


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_project_cannot_lead_what_is_written_out_of_it(tmp_path: Path) -> None:
    place = place_in(tmp_path, "project")
    target = tmp_path / "home" / "settings.json"
    place.project.mkdir()
    (place.project / ".mcp.json").symlink_to(target)
    with pytest.raises(BadInputError, match="leads out of the project"):
        install(client_of("claude-code"), place)
    assert not target.exists()
    assert not (place.project / ".claude").exists()


def test_a_failure_of_a_hook_is_a_fault_for_a_day_and_says_what_to_do(tmp_path: Path) -> None:
    place = place_in(tmp_path, "user")
    file = tmp_path / "state" / "hooks-failure.json"
    file.parent.mkdir(exist_ok=True)
    told = {"error": "NoVaultError", "message": "no vault", "hint": "make one"}
    now = time.time_ns() // 1_000_000
    for age_hours, is_good in ((1, False), (25, True)):
        file.write_text(json.dumps({**told, "at": now - age_hours * 3_600_000}))
        found = check(place, vault=None)[-1]
        assert (found.what, found.is_good) == ("last failure", is_good)
        assert found.told.endswith("NoVaultError: no vault (make one)")


@pytest.mark.parametrize("template", ["claude-code", "codex", "gemini", "opencode"])
def test_published_folders_are_what_install_writes(tmp_path: Path, template: str) -> None:
    root = client_templates() / template
    assert dict(files_of(template, ("vaultmem",))) == {
        name: data.decode() for name, data in tree(root).items()
    }


def test_no_template_calls_a_package_of_somebody_else() -> None:
    for name, data in tree(client_templates()).items():
        assert b"uvx" not in data, name
        assert b"pipx run" not in data, name


def test_taking_out_what_is_not_there_changes_nothing() -> None:
    assert without_member('{"a": 1}', ("b",)) == '{"a": 1}'
    assert without_member('{"a": {"b": 1, "c": 2}}', ("a", "b")) == '{"a": {"c": 2}}'
