"""P21: secrets are stopped before they reach the disk, by every way into the vault."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import command
from tests.privacy.tokens import samples
from vaultmem import Memory
from vaultmem.base.errors import EXIT_REFUSED, BadInputError, SecretFoundError
from vaultmem.config.settings import person_file
from vaultmem.extract.prepare import Document

TOKEN = next(samples("github token", 1))[1]
TEXT = f"I prefer the key {TOKEN} for the staging server. My sister Lena lives in Bergen."
CHAT = json.dumps([{"role": "user", "content": f"I decided to use\n{TOKEN} in production."}])


def write_settings(text: str) -> None:
    file = Path(person_file(os.environ))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def stores_with(root: Path, canary: str) -> list[str]:
    """Every file below vault, device state and settings that holds the canary, and git's objects.

    Names count too; objects are unpacked by git itself.
    """
    found = []
    tops = (root, Path(os.environ["XDG_STATE_HOME"]), Path(os.environ["XDG_CONFIG_HOME"]))
    for top in tops:
        for file in top.rglob("*"):
            held = file.is_file() and canary.encode() in file.read_bytes()
            if held or canary.lower() in file.name.lower():
                found.append(str(file))
    done = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=root,
        capture_output=True,
        check=True,
        timeout=60,
    )
    if canary.encode() in done.stdout:
        found.append("an object of git")
    return found


def run(root: Path, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    done = command(["--vault", str(root), *words], given=text.encode())
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


Entrance = Callable[..., "subprocess.CompletedProcess[str]"]


def by_file(root: Path, tmp: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    file = tmp / "note.md"
    file.write_text(TEXT, encoding="utf-8")
    return run(root, "remember", *flags, str(file))


def by_many_files(root: Path, tmp: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    (tmp / "a.md").write_text("I prefer tea.", encoding="utf-8")
    (tmp / "b.md").write_text(TEXT, encoding="utf-8")
    return run(root, "remember", *flags, str(tmp / "a.md"), str(tmp / "b.md"))


ENTRANCES: dict[str, Entrance] = {
    "typed": lambda root, tmp, *flags: run(root, "remember", *flags, TEXT),
    "file": by_file,
    "files": by_many_files,
    "pipe": lambda root, tmp, *flags: run(root, "remember", *flags, "-", text=TEXT),
    "raw": lambda root, tmp, *flags: run(root, "remember", "--raw", *flags, "-", text=TEXT),
    "conversation": lambda root, tmp, *flags: run(root, "remember", *flags, "-", text=CHAT),
    "title": lambda root, tmp, *f: run(root, "remember", *f, "--title", f"for {TOKEN}", "Tea."),
    "source": lambda root, tmp, *f: run(root, "remember", *f, "--source", f"x/{TOKEN}", "Tea."),
    "category": lambda root, tmp, *f: run(root, "remember", *f, "--category", TOKEN, "I like tea."),
}


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("policy", ["block", "redact"])
def test_a_secret_reaches_no_store(entrance: str, policy: str, root: Path, tmp_path: Path) -> None:
    write_settings(f'[secrets]\ntyped = "{policy}"\nimported = "{policy}"\n')
    done = ENTRANCES[entrance](root, tmp_path)
    assert done.returncode == (EXIT_REFUSED if policy == "block" else 0), done.stderr
    assert TOKEN not in done.stdout + done.stderr
    assert "github token" in done.stdout + done.stderr
    assert stores_with(root, TOKEN) == []
    assert stores_with(root, TOKEN[4:24]) == []


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_the_usual_policy_blocks_what_is_typed_and_redacts_the_rest(
    entrance: str, root: Path, tmp_path: Path
) -> None:
    done = ENTRANCES[entrance](root, tmp_path)
    typed = entrance in ("typed", "title", "category", "source")
    assert done.returncode == (EXIT_REFUSED if typed else 0), done.stderr
    assert stores_with(root, TOKEN) == []


def test_allowed_by_option_it_is_kept_whole(root: Path) -> None:
    done = run(root, "remember", "--allow-secret", TEXT)
    assert done.returncode == 0
    assert stores_with(root, TOKEN)


def test_a_dry_run_does_not_show_the_secret(root: Path) -> None:
    done = run(root, "remember", "--dry-run", "--redact", TEXT)
    assert done.returncode == 0
    assert TOKEN not in done.stdout
    assert stores_with(root, TOKEN) == []


def test_what_was_removed_is_reported_by_kind_and_place(memory: Memory) -> None:
    done = memory.remember(f"first line\n{TEXT}", title=f"T {TOKEN}", secrets="redact")
    assert [(each.kind, each.place, each.line) for each in done.removed] == [
        ("github token", "text", 2),
        ("github token", "title", None),
    ]
    assert memory.remember(f"first line\n{TEXT}", secrets="redact").no_op


def test_what_own_words_hide_is_told_and_kept(memory: Memory) -> None:
    hiding = "I prefer te\u200ba over coffee."
    for dry_run in (True, False):
        told = memory.remember(hiding, dry_run=dry_run)
        assert told.unseen == ("invisible characters within a word",)
    assert hiding in memory.show(str(told.path)).text
    [many, plain] = memory.remember_many(
        [Document(text=hiding + " So does Ada."), Document(text="I live in Köln 👩\u200d👧.")]
    )
    assert (many.unseen, plain.unseen) == (told.unseen, ())
    # What is not one's own words waits for review instead.
    assert memory.remember("The cod\u200be is in the drawer.", writer="agent").unseen == ()


def test_one_secret_among_many_documents_blocks_them_all(memory: Memory, root: Path) -> None:
    with pytest.raises(SecretFoundError) as found:
        memory.remember_many([Document(text="I prefer tea."), Document(text=TEXT)])
    assert TOKEN not in str(found.value) + found.value.hint
    assert memory.recall("tea").hits == ()
    assert stores_with(root, TOKEN) == []


def test_a_vault_cannot_switch_the_scan_off(root: Path) -> None:
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
        file.write('\n[secrets]\ntyped = "allow"\nimported = "allow"\n')
    done = run(root, "remember", TEXT)
    assert done.returncode == EXIT_REFUSED
    assert stores_with(root, TOKEN) == []


def test_an_unknown_policy_is_an_error(memory: Memory) -> None:
    with pytest.raises(BadInputError, match="policy for secrets"):
        memory.remember(TEXT, secrets="redcat")


def test_a_person_at_the_terminal_is_asked(root: Path) -> None:
    """On a real terminal: `w` keeps the text without the secret."""
    pty = pytest.importorskip("pty")
    child, terminal = pty.fork()
    if child == 0:
        command = [sys.executable, "-m", "vaultmem", "--vault", str(root), "remember", TEXT]
        os.execv(sys.executable, command)
    shown = b""
    while b"[w/a/S]" not in shown:
        shown += os.read(terminal, 1000)
    os.write(terminal, b"w\n")
    try:
        while chunk := os.read(terminal, 1000):
            shown += chunk
    except OSError:  # the terminal closes with its last process
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, shown.decode()
    assert TOKEN.encode() not in shown
    assert stores_with(root, TOKEN) == []
    with Memory(root) as memory:
        assert memory.recall("Lena Bergen").hits


class TestPersonalData:
    """With `privacy.anonymize_pii`, in either file."""

    MAIL = "lena.berg@example.org"

    @pytest.fixture(autouse=True)
    def _on(self, root: Path) -> None:
        with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
            file.write("\n[privacy]\nanonymize_pii = true\n")

    def test_it_reaches_no_store_and_is_found_by_a_question_that_names_it(self, root: Path) -> None:
        done = run(root, "remember", f"My sister Lena can be reached at {self.MAIL}.")
        assert "masked: email (line 1)" in done.stdout
        assert stores_with(root, self.MAIL) == []
        assert stores_with(root, "lena-berg-example") == []
        found = run(root, "recall", self.MAIL.upper())
        assert "My sister Lena" in found.stdout

    def test_the_same_value_has_the_same_placeholder_wherever_it_stands(self, root: Path) -> None:
        with Memory(root) as memory:
            done = memory.remember(f"Lena: {self.MAIL}, and again <{self.MAIL.title()}>.")
            body = memory.show(str(done.path)).text
            other = memory.remember("Lena: lena@example.org.")
            assert body.count("[email-") == 4  # title and text
            assert len(set(_placeholders(body))) == 1
            assert set(_placeholders(body)) != set(_placeholders(memory.show(str(other.path)).text))

    def test_two_devices_with_one_key_agree_and_two_vaults_do_not(self) -> None:
        from vaultmem.privacy.personal import placeholders

        here = placeholders("a long key of the person", vault="v-1")("email", self.MAIL)
        assert here == placeholders("a long key of the person", vault="v-1")("email", self.MAIL)
        assert here != placeholders("a long key of the person", vault="v-2")("email", self.MAIL)
        assert here != placeholders("another key of the person", vault="v-1")("email", self.MAIL)

    def test_the_key_file_is_made_once_for_its_owner_alone(self) -> None:
        from vaultmem.privacy.personal import key_file, placeholders

        first = placeholders("", vault="v")("email", self.MAIL)
        assert placeholders("", vault="v")("email", self.MAIL) == first
        file = Path(key_file())
        if os.name == "posix":
            assert file.stat().st_mode & 0o077 == 0
        assert [each.name for each in file.parent.iterdir()] == [file.name]

    def test_secrets_are_redacted_even_where_they_are_allowed(self, root: Path) -> None:
        done = run(root, "remember", "--allow-secret", TEXT)
        assert done.returncode == 0
        assert stores_with(root, TOKEN) == []


def _placeholders(text: str) -> list[str]:
    import re

    return re.findall(r"\[email-[a-z0-9]{8}\]", text)
