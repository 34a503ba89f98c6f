"""`vaultmem view` over HTTP: what its pages show, and whom it lets in."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.window.opened import Opened, opened
from vaultmem.api.memory import Memory


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with a few memories; the tests of this module only look at it."""
    root = tmp_path_factory.mktemp("looked-at") / "vault"
    Memory.init(root, name="looked at")
    with Memory(root) as memory:
        memory.remember("I prefer tea over coffee.")
        memory.remember("The spare key hangs behind the boiler.")
        memory.remember("We moved to Graz on 3 February 2026.")
    return root


@pytest.fixture(scope="module")
def window(vault: Path) -> Iterator[Opened]:
    with opened(vault) as found:
        yield found


def id_of(vault: Path, words: str) -> str:
    with Memory(vault) as memory:
        return memory.search(words).hits[0].note.id


PAGES = ("/", "/search?q=tea", "/review", "/known", "/then", "/timeline", "/log", "/context?q=tea")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_answers_and_forbids_what_it_does_not_need(window: Opened, path: str) -> None:
    reply = window.ask(path)
    assert reply.status == 200
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "<style" not in reply.text
    assert not re.search(r"<script(?![^>]* src=\"/static/)", reply.text)
    assert not re.search(r"\son\w+=|style=", reply.text)
    assert not re.search(r'(?:src|href|action)="(?!/)', reply.text.replace('href="#main"', ""))


def test_what_a_report_says_of_people_rules_and_health_is_shown_live(
    window: Opened, vault: Path
) -> None:
    reply = window.ask("/known")
    for title in ("People", "Places", "Projects", "Learned", "Confirmed by nobody", "Problems"):
        assert title in reply.seen
    assert "Graz" in reply.seen
    assert reply.text.count('class="says" href="/note/i-') == 0  # no rule, nothing old yet
    with Memory(vault) as memory:
        memory.remember("Never share my address with anybody.")
    end = time.monotonic() + 20
    while "Never share my address" not in window.ask("/known").seen:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert 'class="says" href="/note/i-' in window.ask("/known").text


def test_a_search_says_why_each_hit_was_found(window: Opened) -> None:
    reply = window.ask("/search?q=where+is+the+spare+key")
    assert "The spare key hangs behind the boiler." in reply.seen
    assert "Why" in reply.seen
    assert re.search(r"[+-]\d\.\d{3}", reply.seen)


def test_a_note_has_its_history_and_the_text_of_its_file(window: Opened, vault: Path) -> None:
    reply = window.ask(f"/note/{id_of(vault, 'tea')}")
    assert "I prefer tea over coffee." in reply.seen
    assert "remember" in reply.seen
    assert "observed: claimed" in reply.text


def test_a_talk_of_several_days_is_listed_once_as_it_was(tmp_path: Path) -> None:
    Memory.init(tmp_path / "talk")
    turns = [
        {"role": "user", "content": f"I made bowl {month} in class.", "time": at}
        for month in range(1, 5)
        if (at := f"2025-{month:02}-03T10:00:00Z")
    ]
    with Memory(tmp_path / "talk") as memory:
        done = memory.remember(turns, extract=False, title="Pottery")
    with opened(tmp_path / "talk") as window:
        told = window.ask("/then?q=which+bowl+did+I+make").text
    assert told.count(f"/note/{done.resource}") == 1


def test_another_name_of_the_machine_is_refused(window: Opened) -> None:
    port = window.host.rpartition(":")[2]
    for host in (f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1", "", "x"):
        reply = window.ask("/", headers={"Host": host or None})
        assert reply.status in (400, 403), host
        assert "tea" not in reply.text
    assert window.ask("/", headers={"Host": f"localhost:{port}"}).status == 200


def test_another_page_is_refused(window: Opened) -> None:
    for origin in ("http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"):
        assert window.ask("/", headers={"Origin": origin}).status == 403
    assert window.ask("/", headers={"Sec-Fetch-Site": "cross-site"}).status == 403
    assert window.ask("/", headers={"Sec-Fetch-Site": "same-site"}).status == 403


def test_without_the_cookie_nothing_is_shown(window: Opened) -> None:
    name = window.cookie.partition("=")[0]
    for cookie in (None, f"{name}=guessed", f"{window.cookie}x", f"{window.cookie}; {name}=two"):
        for path in (*PAGES, "/flow.svg", "/static/view.js", "/changes?since=0", "/nothing"):
            reply = window.ask(path, headers={"Cookie": cookie})
            assert reply.status == 401, (cookie, path)
            assert "tea" not in reply.text
            assert "looked" not in reply.text


def test_the_link_lets_one_browser_in(window: Opened) -> None:
    entry = window.link.removeprefix(window.url)
    assert window.ask(entry, headers={"Cookie": None}).status == 403
    assert window.ask("/enter?key=guessed", headers={"Cookie": None}).status == 403
    assert window.ask("/enter", headers={"Cookie": None}).status == 403
    assert window.ask(entry).status == 303  # the same browser may open it again


def test_the_cookie_is_for_this_page_alone(vault: Path) -> None:
    with opened(vault, enters=False) as found:
        reply = found.ask(found.link.removeprefix(found.url))
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {
            each.strip() for each in reply.headers["set-cookie"].split(";")
        }


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/note/../../../../etc/passwd",
        "/note/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/note/.git/config",
        "/note/.vaultmem/index.sqlite",
        "/note/%00",
        "/note/vaultmem.toml",
        "//evil.example/",
        "/%5c%5cevil.example",
    ],
)
def test_no_path_leads_out_of_the_notes(window: Opened, path: str) -> None:
    reply = window.ask(path)
    assert reply.status in (400, 404)
    assert "root:" not in reply.text
    assert "[core]" not in reply.text


@pytest.mark.parametrize(
    "path",
    [
        "/then?valid=never",
        "/then?known=9999999",
        "/context?q=tea&budget=-1",
        "/context?q=tea&budget=1",
        "/log?from=nonsense",
        "/timeline?about=nobody",
        "/then?valid=0001-01-01&known=0001-01-01",
        "/then?valid=9999-12-31&known=9999-12-31",
        "/then?valid=2026-02-30",
        "/log?from=0001-01-01&to=9999-12-31",
        "/log?from=HEAD~99999",
        "/context?budget=999999",
        "/context?q=%00%ff&budget=%d9%a3",
        "/search?q=%00%ff%0d%0a",
        "/search?q=" + "%F0%9F%A6%86" * 400,
        "/note/" + "x" * 9000,
        "/note/%ff%fe",
        "/note/i-0000000000?known_at=HEAD~1",
        "/note/i-0000000000?known_at=--all",
        "/changes?since=%0d%0a",
        "/flow.svg?q=tea&budget=x",
        "/flow.svg?q=%3Cscript%3E&budget=3000",
        f"/search?q={'x' * 7000}",
        f"/search?q={'x' * 9000}",
    ],
)
def test_what_cannot_be_answered_is_said_on_a_page(window: Opened, path: str) -> None:
    reply = window.ask(path)
    assert reply.status in (200, 400, 404, 414)
    assert "Traceback" not in reply.text
    assert window.ask("/").status == 200


def test_a_save_elsewhere_is_told_within_a_second(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    Memory.init(root, name="saved in")
    with Memory(root) as memory:
        kept = memory.remember("I prefer tea over coffee.")
    with opened(root) as found:
        text = found.ask("/").text
        number = re.search(r'data-number="(\d+)"', text)
        assert number is not None
        file = root / kept.items[0].path
        began = time.monotonic()
        file.write_text(file.read_text().replace("tea over coffee", "water over tea"))
        reply = found.ask(f"/changes?since={number.group(1)}")
        assert time.monotonic() - began < 5  # of which a busy machine may take most
        assert reply.text != number.group(1)
        assert "water over tea" in found.ask("/").seen


def test_ctrl_c_ends_it_at_once_though_a_page_waits_for_changes(vault: Path) -> None:
    with opened(vault) as found:
        number = re.search(r'data-number="(\d+)"', found.ask("/").text)
        assert number is not None
        began = time.monotonic()
        code, _, err = found.end(signal.SIGINT)
        assert code == 130
        assert err == ""
        assert time.monotonic() - began < 8
