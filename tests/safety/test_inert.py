"""P22: what is written of others and what is printed of anybody holds nothing that acts."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from vaultmem.language.text import INERT as MARK
from vaultmem.safety.inert import defang, defang_output, refang

HOST = "http://127.0.0.1:PORT"
ACTIVE = [
    f"![x]({HOST}/?d=secret)",
    f"![x][r]\n\n[r]: {HOST}/a.png",
    f"![x]\n\n[x]: {HOST}/a.png",
    f'<img src="{HOST}/i.png">',
    f"<IMG\nSRC={HOST}/i.png>",
    f'text <svg><image href="{HOST}/x"/></svg>',
    f'<iframe src="{HOST}/f"></iframe>',
    f"<script src={HOST}/s.js></script>",
    f'<link rel="stylesheet" href="{HOST}/c.css">',
    f'<style>@import "{HOST}/c.css";</style>',
    f'<video poster="{HOST}/p"><source src="{HOST}/v"></video>',
    f'<div style="background:url({HOST}/b)">x</div>',
    f'<object data="{HOST}/o"></object><embed src="{HOST}/e">',
    f'<body background="{HOST}/b">',
    "<details open ontoggle=alert(1)>",
    "![[secret note]]",
    "![[image.png|100]]",
    "```dataviewjs\ndv.io.load('x')\n```",
    "~~~dataview\nLIST\n~~~",
    "> ```tasks\n> not done\n> ```",
    "- ```button\n  name x\n  ```",
    "1. ```` dataviewjs\n   x\n   ````",
    "``` dataviewjs extra\nx\n```",
    "```{python}\nimport os\n```",
    "`= this.file.name`",
    "`$= dv.pages()`",
    "`` = x ``",
    "` = x `",
    "`\n= x\n`",
    "<% tp.file.create_new('x') %>",
    "<%* await x %>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](<javascript:alert(1)>)",
    "[a](\njavascript:alert(1))",
    "[a](java&#115;cript:alert(1))",
    "[a](javascript\\:alert(1))",
    "[a](data:text/html;base64,xx)",
    "[a](vbscript:x)",
    "[a](obsidian://advanced-uri?eval=x)",
    "[a](file:///etc/passwd)",
    "[a](shell:x)",
    "[a][r]\n\n[r]: javascript:alert(1)",
    "[a][r]\n\n[r]:\n  <obsidian://x>",
    "<obsidian://open?vault=x>",
    "<javascript:alert(1)>",
    "see obsidian://open?vault=x here",
    "<!-- vaultmem:begin summary -->",
    "%% hidden %%",
    f"[![x]({HOST}/in)](https://example.org)",
    f"**![x]({HOST}/b)** and _![y]({HOST}/c)_",
    f"| a |\n| --- |\n| ![x]({HOST}/t) |",
    f"{MARK}![x]({HOST}/m)",
    f"!{MARK}![x]({HOST}/m)",
    f"``` {MARK}dataviewjs\nx\n```",
]
_DEAD = re.compile(r"(?i)^(?!https?:|mailto:)[a-z][a-z0-9+.-]*:")
_PLUGINS = re.compile(r"(?i)^(?:(?:dataview|dataviewjs|tasks|button|templater|query)\b|\{python\})")
_RENDERER = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table")
_RENDERER.validateLink = lambda url: True  # type: ignore[method-assign]  # as careless as can be


def tokens(text: str) -> Iterator[Token]:
    for token in _RENDERER.parse(text):
        yield token
        yield from token.children or ()


def acts(text: str, *, on_disk: bool) -> list[str]:
    """What in a Markdown text a renderer or a plugin of Obsidian would act on."""
    found = []
    for token in tokens(text):
        if token.type == "image":
            found.append(f"image {token.attrs}")
        elif token.type in ("html_block", "html_inline") and (
            on_disk or _Loading.of(token.content)
        ):
            found.append(token.content)
        elif token.type == "fence" and _PLUGINS.match(token.info.strip()):
            found.append(f"fence {token.info}")
        elif token.type == "code_inline" and re.match(r"\$?=", token.content):
            found.append(f"code {token.content}")
        elif token.type == "link_open" and _DEAD.match(str(token.attrs.get("href", ""))):
            found.append(f"link {token.attrs}")
    found += re.findall(r"!\[\[|<%", text)
    found += re.findall(r"(?i)\b(?:obsidian|file)://", text)
    if on_disk:
        found += re.findall(r"%%|<!--", text)
    return found


class _Loading(HTMLParser):
    """Tags that load something or run something by themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if names & {"src", "href", "data", "poster", "style", "background", "srcset"} or any(
            name.startswith("on") for name in names
        ):
            self.found.append(tag)

    @classmethod
    def of(cls, text: str) -> list[str]:
        parser = cls()
        parser.feed(text)
        parser.close()
        return parser.found


@pytest.mark.parametrize("text", ACTIVE)
class TestSnippets:
    def test_acts_as_it_stands(self, text: str) -> None:
        if not text.startswith(("<details", "[a](javascript\\", f"``` {MARK}")):
            assert acts(text, on_disk=True)

    def test_is_inert_on_disk_and_comes_back(self, text: str) -> None:
        assert acts(defang(text), on_disk=True) == []
        assert refang(defang(text)) == text

    def test_is_inert_in_what_is_printed(self, text: str) -> None:
        assert acts(defang_output(text), on_disk=False) == []


@given(st.lists(st.sampled_from([*ACTIVE, "\n", "\n\n", " ", "> ", "- ", "`", MARK, "x"])))
def test_any_mixture_is_inert_and_comes_back(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert refang(defang(text)) == text
    assert [one for one in acts(defang(text), on_disk=True) if not one.startswith("code")] == []
    assert [one for one in acts(defang_output(text), on_disk=False) if one.startswith("im")] == []


@given(st.text(alphabet="!`~[](){}<>%=$:/\\\n -a" + MARK))
def test_taking_the_marks_out_gives_the_very_text(text: str) -> None:
    assert refang(defang(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "A [page](https://example.org/a?b=c&d=e#f), a [note](notes/x.md), [[a link]].",
        "```python\nprint('x')\n```",
        "```\nplain\n```",
        "`code` and 5 < 6 and a > b; 50% of 100%",
        "At 10:30: see http://example.org or mail mailto:a@example.org",
        "- [ ] a task\n- [x] done",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert defang(text) == text
    assert defang_output(text) == text


class _Trap(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Browser(HTMLParser):
    """Fetches what a browser would fetch of a page by itself."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            by_itself = name in ("src", "poster", "data", "background", "srcset") or (
                name == "href" and tag in ("link", "image")
            )
            urls = re.findall(r"https?://[^\s\"')]+", value or "") if name == "style" else []
            for url in [value or ""] * by_itself + urls:
                if url.startswith("http://127.0.0.1"):
                    urllib.request.urlopen(url, timeout=60).close()


def test_rendering_what_we_print_asks_no_server_for_anything() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Trap)
    _Trap.asked.clear()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        port = str(server.server_address[1])
        live = [text.replace("PORT", port) for text in ACTIVE]
        for text in live:
            _Browser().feed(_RENDERER.render(text))
        assert len(_Trap.asked) >= 10  # the trap works
        _Trap.asked.clear()
        for text in live:
            _Browser().feed(_RENDERER.render(defang_output(text)))
            _Browser().feed(_RENDERER.render(defang(text)))
        assert _Trap.asked == []
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@given(st.lists(st.sampled_from([*ACTIVE, "`a`", "`", ":", "<", "%", "\n"]), max_size=4))
def test_a_text_without_the_marks_of_a_rule_is_as_that_rule_leaves_it(pieces: list[str]) -> None:
    from vaultmem.safety import inert_rules as rules

    text = "".join(pieces)
    fences, inline, image = rules._running_fences, rules._mark_after(rules._INLINE), rules._IMAGE
    every = (
        *(fences, inline, rules._mark_after(image), rules._mark_after(rules._LOADING_TAG)),
        *(rules._targets, rules._definitions, rules._mark_after(rules._PRINTED_SCHEME)),
    )
    assert defang_output(text) == rules.apply_steps(text, every)
    on_disk = (
        *(rules._fences, inline, rules._mark_after(image), rules._mark_after(rules._TAG)),
        *(rules._mark_after(rules._TEMPLATE), rules._mark_after(rules._COMMENT)),
        *(rules._targets, rules._definitions, rules._mark_after(rules._SCHEME)),
    )
    assert defang(text) == rules.apply_steps(text.replace(MARK, MARK * 2), on_disk)


def test_our_own_messages_are_printed_without_the_rules() -> None:
    code = (
        "import sys; from vaultmem.safety.inert import defang_output; "
        "text = 'may replace i-1: I sold it. (`vaultmem expire i-1` if it is over)'; "
        "assert defang_output(text) == text; "
        "assert 'vaultmem.safety.inert_rules' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
