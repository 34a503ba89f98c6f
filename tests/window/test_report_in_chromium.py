"""A report in a real browser: nothing planted runs or loads, and everybody can read it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.window.chromium import Tab
from tests.window.planted import TEXTS
from tests.window.test_planted import _BIDI, item
from vaultmem import Memory

pytest.importorskip("jinja2", reason="the `server` extra has it: pip install '.[server]'")


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each text is an item, a name, a category, a commit; some wait, some are rules or projects."""
    root = tmp_path_factory.mktemp("planted-report") / "vault"
    Memory.init(root, name="<b>planted</b>")
    folder = root / "items" / "2026" / "01" / "02"
    folder.mkdir(parents=True)
    files = [folder / f"planted-{n}-i-{n:010d}.md" for n in range(len(TEXTS))]
    for number, text in enumerate(TEXTS):
        files[number].write_text(item(number, text), encoding="utf-8")
    with Memory(root) as memory:
        memory.sync()
        for number, text in enumerate(TEXTS):
            told = item(number, f"again {text}")
            if number % 4 == 1:
                told = told.replace("predicate: says", "predicate: lives_in")
            if number % 4 == 2:
                told = told.replace("kind: fact", "kind: rule\nhard: true")
            files[number].write_text(told, encoding="utf-8")
        memory.sync()
    return root


@pytest.fixture(scope="module", params=[False, True], ids=["whole", "redacted"])
def page(vault: Path, request: pytest.FixtureRequest) -> str:
    """The address of a report of sixty planted notes."""
    out = vault.parent / f"report-{request.param}.html"
    words = ["--redact"] if request.param else []
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "report", str(out), *words, "--since", "2020-01-01"],
        cwd=vault,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out.as_uri()


@pytest.mark.parametrize("width", [390, 1280, 1920])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_of_sixty_planted_notes_runs_loads_or_breaks_it(
    tab: Tab, page: str, width: int, dark: bool
) -> None:
    tab.look(width=width, dark=dark)
    before = len(tab.requests)
    tab.go(page)
    assert not tab.run("window.ran")
    assert set(tab.requests[before:]) == {page}
    assert tab.errors == []
    assert tab.run("location.href") == page
    assert tab.run("document.title").startswith(("vault", "A memory", "<b>"))
    assert tab.run("document.documentElement.scrollWidth") <= width
    alien = "script, iframe, object, embed, base, link, form, input, img, button, style ~ style"
    assert tab.run(f"document.querySelectorAll('{alien}').length") == 0
    assert tab.run("[...document.links].filter(a => !a.hash).length") == 0
    assert not set(tab.run("document.body.innerText")) & set(_BIDI)
    # The last thing of the page is still in it: nothing swallowed the rest.
    assert tab.run("document.body.lastElementChild.id") == "main"
    assert tab.run("document.querySelector('main > section:last-child > h2').id") == "health"


def test_everybody_can_read_it(tab: Tab, page: str) -> None:
    for dark in (False, True):
        for width in (390, 1280):
            tab.look(width=width, dark=dark)
            tab.go(page)
            assert tab.axe() == []
    tab.errors.clear()  # axe asks for what the policy of the page forbids


def test_a_policy_forbids_what_would_be_added(tab: Tab, page: str) -> None:
    """Also where a hole in the escaping let a script, a style or a picture through."""
    tab.go(page)
    tab.run(
        "(() => { const one = document.createElement('div'); one.innerHTML ="
        " '<img src=https://planted.example/x.png><p id=ink style=\"color:red\">x</p>';"
        " const two = document.createElement('style'); two.textContent = '#ink {color: red}';"
        " document.body.append(one, two); })()"
    )
    assert tab.run("getComputedStyle(document.querySelector('#ink')).color") != "rgb(255, 0, 0)"
    told = tab.until("true") and tab.errors
    assert any("Content Security Policy" in each for each in told)
    tab.errors.clear()
    tab.requests.clear()
