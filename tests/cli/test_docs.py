"""What the pages of help show is what happens."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import click
import pytest

from tests.bench import edits, recall
from vaultmem import Memory
from vaultmem.cli.help_tables import methods
from vaultmem.cli.main import FAMILIES, cli
from vaultmem.config.settings import load_settings
from vaultmem.config.settings_table import knob_by_key

PAGES = sorted((Path(__file__).parents[2] / "vaultmem" / "docs").glob("*.md"))
FOR_USERS = [page for page in PAGES if page.stem != "architecture"]  # that one speaks of code
COMMANDS = {name for _, commands in FAMILIES for name, _, _ in commands}
LONGEST = 34  # words from one stop to the next: more is not understood at the first reading
MEM0 = frozenset(["add", "search", "delete_all", "close", "put", "get"])  # of frameworks' own
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [code for kind, code in FENCE.findall(page.read_text("utf-8")) if kind == language]


def test_the_python_examples_print_what_the_page_says(tmp_path: Path) -> None:
    (page,) = [page for page in PAGES if page.stem == "python"]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks(page, "python"))],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr == ""
    assert done.stdout == "".join(blocks(page, ""))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_every_method_on_a_page_is_as_it_says(page: Path) -> None:
    """`Memory.feedback` had another signature. `vaultmem help methods` has them all."""
    memory = object.__new__(Memory)  # of no vault: only its methods are looked at
    lines = page.read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("| former names |"))
    for name, shown in re.findall(r"\bmemory\.([a-z_.]+[a-z_])\(([^`()\n]*)\)", text):
        if page.stem == "adapters" and name in MEM0:
            continue
        known = inspect.signature(attrgetter(name)(memory)).parameters
        for word in re.findall(r"(?:^|, )([a-z_]+)=", shown):
            assert word in known, f"{page.name}: {name}({word}=)"


def test_the_page_on_python_names_every_verb_and_every_facet() -> None:
    """`vaultmem help methods` says what each takes; the page, what there is."""
    text = next(page for page in PAGES if page.stem == "python").read_text("utf-8")
    named = set(re.findall(r"`(?:memory\.)?([a-z_]+)`|\b([a-z_]+)\(", text))
    found = {re.split(r"[.(]", name)[0] for name, _ in methods()}
    assert found - {word for words in named for word in words} == {"receive"}  # init --from


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_every_command_on_a_page_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    for name in re.findall(r"(?:`|^\$ |^)vaultmem ([a-z]+)", text, re.MULTILINE):
        assert name in COMMANDS, f"{page.name}: vaultmem {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_every_option_on_a_page_exists(page: Path) -> None:
    context = cli.make_context("vaultmem", [], resilient_parsing=True)
    commands = [cli.get_command(context, name) for name in cli.list_commands(context)]
    known = {"--help", "--version"}
    for command in commands:
        assert command is not None
        inner = command.commands.values() if isinstance(command, click.Group) else ()
        for each in (command, *inner):
            known |= {option for parameter in each.params for option in parameter.opts}
    if page.stem in ("measurements", "experiments"):  # they also say how the figures are made
        for bench in (recall, edits):
            known |= set(re.findall(r"--[a-z-]+", bench.parser().format_help()))
    if page.stem == "contributing":  # those of the tests' own command, too
        known.add("--update-golden")
    # Options of programs that are not ours, or are not installed with us.
    of_others = ("git ", "mcp add ", "--add-mcp", "python -m tests.clients")
    lines = page.read_text("utf-8").splitlines()
    lines = [line for line in lines if not any(words in line for words in of_others)]
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", "\n".join(lines)):
        assert option in known, f"{page.name}: {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_no_sentence_of_a_page_is_too_long_for_a_first_reading(page: Path) -> None:
    """Names of files and keys, and what stands in brackets, are looked up and not read."""
    text = re.sub(r"(?ms)^(`{3,}|~~~).*?^\1$", "", page.read_text("utf-8"))
    text = re.sub(r"`[^`\n]*`|\([^()\n]*\)", "", text)
    sentences = re.split(r"[.;:?!|](?=\s|$)|\n", text)
    words = [[word for word in each.split() if re.search(r"\w", word)] for each in sentences]
    assert [" ".join(each) for each in words if len(each) > LONGEST] == []


def test_the_settings_examples_are_read_without_a_warning(tmp_path: Path) -> None:
    vault, person, variables = blocks(
        next(page for page in PAGES if page.stem == "settings"), "toml"
    )
    root = tmp_path / "vault"
    root.mkdir()
    (root / "vaultmem.toml").write_text(vault)
    for text in (person, variables):
        (tmp_path / "config.toml").write_text(text)
        environ = {
            "VAULTMEM_CONFIG": str(tmp_path / "config.toml"),
            "VAULTMEM_STATE": str(tmp_path / "state"),
            "MY_PROVIDER_KEY": "x",
        }
        settings = load_settings(root, environ=environ)
        assert settings.warnings == ()
        assert settings.recall_k == 7


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([a-z-]+\.md)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_every_link_to_a_part_of_a_page_leads_to_a_heading(page: Path) -> None:
    for name, part in re.findall(r"\]\(([a-z-]+\.md)?#([^)]+)\)", page.read_text("utf-8")):
        target = page.parent / name if name else page
        headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}
        assert part in anchors, f"{page.name}: {name}#{part}"


@pytest.mark.parametrize("page", FOR_USERS, ids=lambda page: str(page.stem))
def test_every_setting_on_a_page_exists(page: Path) -> None:
    known = knob_by_key()
    sections = {key.split(".")[0] for key in known if "." in key} - {
        "retrieval",
        "context",
    }  # folders too
    for name in re.findall(r"`([a-z_]+\.[a-z_]+)(?: = [^`]*)?`", page.read_text("utf-8")):
        if name.split(".")[0] in sections and not name.endswith((".py", ".md", ".toml", ".json")):
            origins = {origin for knob in known.values() for origin in knob.origin}
            assert name in known or name in origins, f"{page.name}: {name}"


def test_every_reason_why_a_sentence_is_no_item_is_explained() -> None:
    """A person reads 'not kept: ... (no-cue)' and looks it up."""
    package = PAGES[0].parents[1]
    given = "\n".join(file.read_text("utf-8") for file in (package / "extract").rglob("*.py"))
    reasons = set(re.findall(r'_rejection\([^\n]*?, "([a-z-]+)"\)', given))
    reasons |= set(re.findall(r'return "([a-z-]+)", None', given))
    reasons |= set(re.findall(r'Rejected\([^\n]*rule="([a-z-]+)"', given))
    judge = (package / "extract" / "no_evidence.py").read_text("utf-8")
    reasons |= set(re.findall(r'return "([a-z-]+)"$', judge, re.MULTILINE))
    pages = "".join((package / "docs" / f"{name}.md").read_text() for name in ("judgement", "llm"))
    assert {"no-cue", "trifle", "role"} <= reasons
    assert reasons - set(re.findall(r"`([a-z-]+)`", pages)) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_every_file_of_the_project_on_a_page_is_there(page: Path) -> None:
    """Of `judgement/stakes.py`, `vaultmem/cli/*.py` and `whose/LANGUAGE.toml`, one at least."""
    package = page.parents[1]
    names = r"`((?:[a-z_]+/)+(?:[a-z_*]+|LANGUAGE)\.(?:py|toml|thesaurus))`"
    for name in re.findall(names, page.read_text("utf-8")):
        pattern = name.replace("LANGUAGE", "*")
        found = [file for top in (package.parent, package) for file in top.glob(pattern)]
        assert found, f"{page.name}: {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_every_measure_on_a_page_can_be_run(page: Path) -> None:
    for module in re.findall(r"python -m (tests(?:\.[a-z_]+)+)(?![.\w])", page.read_text("utf-8")):
        place = page.parents[2].joinpath(*module.split("."))
        assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), module
