"""A remote that wants to harm, or is merely odd: the vault goes on, and says what is wrong."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.devices.devices import Device, connected
from vaultmem.base.errors import ConsentNeededError, IncomingRefusedError
from vaultmem.language.time import format_instant


@pytest.fixture
def pair(tmp_path: Path) -> list[Device]:
    return connected(tmp_path, "laptop", "phone")


def at_the_hub(device: Device, *words: str, data: bytes = b"") -> str:
    """Git in the bare repository, as whoever owns it can."""
    hub = device.home.parent / "hub.git"
    done = subprocess.run(["git", *words], cwd=hub, input=data, capture_output=True, check=True)
    return done.stdout.decode().strip()


def forged(device: Device, *, path: str, text: str, at: str = "1773230400 +0000") -> None:
    """One more commit on the hub's branch, with this date."""
    who = f"x <x@example.org> {at}"
    data = text.encode()
    blob = at_the_hub(device, "hash-object", "-w", "--stdin", data=data)
    kept = at_the_hub(device, "ls-tree", "main").splitlines()
    rows = "\n".join(row for row in kept if not row.endswith(f"\t{path}"))
    rows += f"\n100644 blob {blob}\t{path}\n"
    tree = at_the_hub(device, "mktree", data=rows.encode())
    parent = at_the_hub(device, "rev-parse", "main")
    body = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nx\n".encode()
    commit = at_the_hub(
        device, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", data=body
    )
    at_the_hub(device, "update-ref", "refs/heads/main", commit)


@pytest.mark.parametrize("seconds", ["0", "4294967296", "253402300800", "9223372036854775807"])
def test_a_date_that_no_calendar_has_stops_nothing(pair: list[Device], seconds: str) -> None:
    _, b = pair
    forged(b, path="odd.md", text="# Odd\n", at=f"{seconds} +0000")
    b.write("mine.md", "# Mine\n")
    b.commit()
    assert b.push().pushed
    with b.memory() as memory:
        memory.remember("I like tea.")
        assert all(format_instant(each.at) for each in memory.history.log())
        assert memory.vault.status()
        memory.vault.audit()
    assert b.push().pushed
    pair[0].push()
    assert pair[0].files() == b.files()


def test_what_was_refused_and_then_cleared_away_is_fetched_again(pair: list[Device]) -> None:
    a, b = pair
    for number in range(9):
        a.write(f"streams/n{number}.md", f"# {number}\n\ntext {number}\n")
    a.push()
    b.pull()
    for number in range(9):
        (a.root / f"streams/n{number}.md").unlink()
    a.write("streams/new.md", "# new\n")
    a.push()
    with pytest.raises(ConsentNeededError):
        b.pull()
    b.git("gc", "--quiet", "--prune=now")  # no reference of the person's names what came
    b.pull("deletions")
    assert b.files() == a.files()


def test_a_branch_set_back_by_hand_and_cleared_up_comes_again(pair: list[Device]) -> None:
    a, b = pair
    a.write("streams/n.md", "# n\n\none\n")
    a.push()
    b.pull()
    b.git("reset", "-q", "--hard", "HEAD~1")
    b.git("reflog", "expire", "--expire=now", "--all")
    b.git("gc", "--quiet", "--prune=now")
    b.pull()
    assert b.files() == a.files()


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("docs/x", "docs/x/y.txt"),
        ("docs/x/y.txt", "docs/x"),
        ("streams/Tea.md", "streams/tea.md"),
        ("Docs/a.txt", "docs/b.txt"),
    ],
)
def test_two_names_that_exclude_each_other_are_named(
    pair: list[Device], theirs: str, ours: str
) -> None:
    """Each was fine on the device that made it; no folder can hold both, or not everywhere."""
    a, b = pair
    a.write(theirs, "# theirs\n")
    a.commit()
    a.push()
    b.write(ours, "# ours\n")
    b.commit()
    before = b.files()
    with pytest.raises(IncomingRefusedError, match="exclude each other") as refused:
        b.push()
    assert refused.value.paths[0] in (theirs, ours)
    assert b.files() == before
    (b.root / ours).rename(b.root / "elsewhere")
    if "docs" in ours:
        shutil.rmtree(b.root / "docs")
    b.commit()
    assert b.push().pushed
    a.pull()
    assert a.files() == b.files()


def test_a_folder_that_becomes_a_file_is_named(pair: list[Device]) -> None:
    a, b = pair
    a.write("docs/x/y.txt", "one\n")
    a.commit()
    a.push()
    b.pull()
    shutil.rmtree(a.root / "docs")
    a.write("docs/x", "a file\n")
    a.commit()
    a.push()
    with pytest.raises(IncomingRefusedError, match="'docs/x' cannot be a file and a folder"):
        b.pull()
    shutil.rmtree(b.root / "docs")
    b.commit()
    b.push()
    assert b.read("docs/x") == "a file\n"


def test_the_command_that_is_suggested_is_one_command(pair: list[Device]) -> None:
    a, b = pair
    path = ".config/it's; echo gone"
    a.write(path, "x\n")
    a.commit()
    a.push()
    hint = next(each.hint for each in b.pull().problems if each.code == "withheld")
    command = hint.partition("`")[2].rpartition("`")[0]
    assert shlex.split(command) == ["git", "checkout", "--", path]


@pytest.mark.parametrize("text", ["[[[ no\n", "id = '../../x'\nname = 'x'\n", "timezone = 7\n"])
def test_settings_that_cannot_be_used_make_no_vault(pair: list[Device], text: str) -> None:
    forged(pair[0], path="vaultmem.toml", text=text)
    third = Device(pair[0].home.parent, "third")
    with pytest.raises(IncomingRefusedError, match=r"in the remote, 'vaultmem\.toml' line 1"):
        third.receive(pair[0].home.parent / "hub.git")
    assert not third.root.exists()
    assert [each for each in third.home.iterdir() if each.name.startswith(".")] == []


@pytest.mark.parametrize(
    "text", ["timezone = 7\n", "recall = 3\n", "id = 4\n", "x = " + "[" * 9000 + "\n"]
)
def test_settings_that_cannot_be_used_do_not_come_in(pair: list[Device], text: str) -> None:
    b = pair[1]
    with b.memory() as memory:
        id_ = memory.settings.id
    forged(b, path="vaultmem.toml", text=text if "id" in text else f"id = '{id_}'\n{text}")
    before = b.files()
    with pytest.raises(IncomingRefusedError, match=r"vaultmem\.toml"):
        b.pull()
    assert b.files() == before


def test_settings_of_another_vault_are_refused_and_nothing_is_taken_in(
    pair: list[Device],
) -> None:
    a, b = pair
    settings = a.read("vaultmem.toml")
    with a.memory() as memory:
        id_ = memory.settings.id
    a.write("notes/tea.md", "# Tea\n")
    a.write("vaultmem.toml", settings.replace(id_, id_[:-1] + ("a" if id_[-1] != "a" else "b")))
    a.commit()
    a.git("push", "-q", str(a.home.parent / "hub.git"), "HEAD:main")
    before = b.files()
    with pytest.raises(IncomingRefusedError, match="another vault"):
        b.pull()
    assert b.files() == before
