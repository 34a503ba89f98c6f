"""Notes of strangers in the window: nothing runs, nothing loads, nothing breaks the layout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.window.chromium import Tab, browser
from tests.window.opened import Opened, opened
from tests.window.planted import MARK, TEXTS
from vaultmem.api.memory import Memory

_BIDI = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u2060\ufeff\U000e0041"


def item(number: int, text: str) -> str:
    """The file of an item, as a stranger who may write to the folder makes it."""
    said = json.dumps(f"{MARK} {number} {text}", ensure_ascii=False)
    status = "candidate" if number % 3 == 0 else "active"
    review = f"review: {json.dumps(text[:200], ensure_ascii=False)}\n" if number % 3 == 0 else ""
    return (
        f"---\nid: i-{number:010d}\ntype: item\nkind: fact\nstatus: {status}\n{review}"
        f'title: {said}\nsubject: {said[:300].rstrip(chr(92)).rstrip(chr(34))}"\n'
        f"predicate: says\nobject: {said}\nvalid_from: 2026-01-{number % 27 + 1:02d}\n"
        f"quote: {said}\ntrust: untrusted\nwriter: web\ncategories: [{said}]\ntags: [{said}]\n"
        f"---\n\n{MARK} {number} {text}\n"
    )


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("planted-in") / "vault"
    Memory.init(root, name="<b>planted</b>")
    folder = root / "items" / "2026" / "01" / "02"
    folder.mkdir(parents=True)
    for number, text in enumerate(TEXTS):
        (folder / f"planted-{number}-i-{number:010d}.md").write_text(
            item(number, text), encoding="utf-8"
        )
    with Memory(root) as memory:
        memory.sync()
        for number, text in enumerate(TEXTS):
            file = folder / f"planted-{number}-i-{number:010d}.md"
            file.write_text(item(number, f"again {text}"), encoding="utf-8")
        memory.sync()
    return root


@pytest.fixture(scope="module")
def window(vault: Path) -> Iterator[Opened]:
    with opened(vault, enters=False) as found:
        yield found


@pytest.fixture(scope="module")
def tab(window: Opened) -> Iterator[Tab]:
    with browser() as found:
        found.go(window.link)
        yield found


IN_KEYS = (
    "W" * 5_000,
    "\u202e\u2066" * 60,
    "<img/src/onerror=window.ran=1>" * 3,
    "color:red}</style><script>window.ran=1</script>",
    "it's \"a' & <b> name",
    "\u2e3b" * 800,
    "👩\u200d" * 700,
    "<div data-live=newest></div><a id=news name=textContent>",
)
_KEYS = (
    "title",
    "subject",
    "predicate",
    "object",
    "quote",
    "writer",
    "critical",
    "review",
    "project",
)
_LISTS = ("categories", "tags", "entities", "aliases", "cssclasses", "source")


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A window on notes of which every key, and the name of the file, is a stranger's."""
    root = tmp_path_factory.mktemp("keyed") / 'it\'s "a" <b>vault'
    Memory.init(root, name="</title><script>window.ran=1</script>")
    folder = root / "items" / "2026" / "01" / "02"
    folder.mkdir(parents=True)
    for number, text in enumerate(IN_KEYS):
        said = json.dumps(text, ensure_ascii=False)
        name = f"{MARK}-{number}" if number % 2 else f'it\'s "{number}" & <img src=x>'
        status = "candidate" if number % 3 == 0 else "active"
        (folder / f"{name}-i-{number:010d}.md").write_text(
            f"---\nid: i-{number:010d}\ntype: item\nkind: task\nstatus: {status}\nhard: true\n"
            f"trust: untrusted\nvalid_from: 2026-01-02\ndue: 2026-02-03\n"
            + "".join(f"{key}: {said}\n" for key in _KEYS)
            + "".join(
                f"{key}: [{said}, {json.dumps(text[:40], ensure_ascii=False)}]\n" for key in _LISTS
            )
            + f"---\n\n{MARK} {number} {text}\n",
            encoding="utf-8",
        )
    with Memory(root) as memory:
        memory.sync()
    with opened(root, enters=False) as found:
        yield found


def test_there_are_sixty() -> None:
    assert len(TEXTS) == len(set(TEXTS)) == 60


def require_harmless(tab: Tab, window: Opened, path: str, *, width: int = 390) -> None:
    tab.look(width=width)
    tab.go(window.url + path)
    alien = "script:not([src^='/static/']), iframe, object, embed, base, meta[http-equiv], style"
    # All in one question: a dozen of them took as long as the page.
    seen = tab.run(
        "({ran: window.ran ?? null, origin: location.origin,"
        " width: document.documentElement.scrollWidth,"
        f" alien: document.querySelectorAll({json.dumps(alien)}).length,"
        " images: document.querySelectorAll('img:not([src^=\"/flow.svg\"])').length,"
        " stays: [...document.querySelectorAll('a[href], form[action]')].every(each =>"
        " (each.getAttribute('href') ?? each.getAttribute('action')).match(/^(\\/(?!\\/)|#main)/)),"
        " acts: [...document.querySelectorAll('*')].some(each => [...each.attributes]"
        ".some(one => one.name.startsWith('on'))),"
        " shown: document.body.innerText + document.title,"
        " last: document.body.lastElementChild.id})"
    )
    assert seen["ran"] is None, path
    own = (f"{window.url}/", "data:image/svg+xml")
    assert [each for each in tab.requests if not each.startswith(own)] == [], path
    assert seen["origin"] == window.url
    assert seen["width"] <= width, path
    assert seen["alien"] == 0, path
    assert seen["images"] == 0, path
    assert seen["stays"]
    assert not seen["acts"]
    assert not set(seen["shown"]) & set(_BIDI), path
    # The last thing of the page is still in it: nothing swallowed the rest.
    assert seen["last"] == "main", path
    assert tab.errors == [], path


@pytest.mark.parametrize("number", range(60))
def test_nothing_of_a_planted_note_runs_loads_or_breaks_its_page(
    tab: Tab, window: Opened, number: int
) -> None:
    require_harmless(tab, window, f"/note/i-{number:010d}")
    assert f"{MARK} {number} again" in tab.run("document.querySelector('h1').innerText")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/review",
        "/known",
        "/then",
        "/then?valid=2026-01-20",
        "/timeline",
        "/log?from=2020-01-01",
        "/log?from=HEAD~1",
        "/context?q=planted&budget=20000",
        *(f"/search?all=1&q=planted+{number}" for number in range(0, 60, 4)),
    ],
)
def test_nothing_of_sixty_runs_loads_or_breaks_a_page(
    tab: Tab, window: Opened, path: str, width: int
) -> None:
    require_harmless(tab, window, path, width=width)


@pytest.mark.parametrize("number", range(52))
def test_nothing_that_is_asked_runs_loads_or_breaks_a_page(
    tab: Tab, window: Opened, number: int
) -> None:
    """The words of a question are shown, too: a link of a stranger may bring them."""
    asked = quote(TEXTS[number])
    for path in (
        f"/search?q={asked}",
        f"/context?budget=900&q={asked}",
        f"/timeline?about={asked}",
    ):
        tab.errors.clear()
        before = len(tab.requests)
        tab.go(window.url + path)
        ran, last = tab.run("[window.ran ?? null, document.body.lastElementChild.id]")
        assert ran is None
        own = (f"{window.url}/", "data:image/svg+xml")
        assert [each for each in tab.requests[before:] if not each.startswith(own)] == []
        assert last == "main"
    tab.errors.clear()  # 404: no such person


def test_nothing_in_any_key_or_file_name_runs_loads_or_breaks_a_page(
    tab: Tab, window: Opened, keyed: Opened
) -> None:
    tab.go("about:blank")
    tab.until("location.href == 'about:blank'")
    tab.requests.clear()  # of the other window
    tab.go(keyed.link)
    pages = ["/", "/review", "/known", "/then", "/timeline", "/log?from=2020-01-01"]
    pages += [f"/search?all=1&q={MARK}"]
    for path in (*pages, *(f"/note/i-{number:010d}" for number in range(len(IN_KEYS)))):
        require_harmless(tab, keyed, path)
    tab.requests.clear()
