"""The rules of `inert`: what acts, and where its mark goes. Loaded when something may."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from vaultmem.base import late
from vaultmem.language import INERT as MARK

# Words after a code fence that only choose colours. Whatever else stands there may be a plugin.
_LANGUAGES = frozenset(
    [
        "text",
        "txt",
        "plain",
        "plaintext",
        "none",
        "md",
        "markdown",
        "json",
        "jsonc",
        "json5",
        "yaml",
        "yml",
        "toml",
        "ini",
        "cfg",
        "conf",
        "csv",
        "tsv",
        "xml",
        "svg",
        "html",
        "css",
        "scss",
        "sass",
        "less",
        "js",
        "javascript",
        "jsx",
        "ts",
        "typescript",
        "tsx",
        "python",
        "py",
        "python3",
        "pycon",
        "ruby",
        "rb",
        "perl",
        "php",
        "java",
        "kotlin",
        "kt",
        "scala",
        "groovy",
        "c",
        "h",
        "cpp",
        "c++",
        "cxx",
        "cs",
        "csharp",
        "objc",
        "swift",
        "go",
        "golang",
        "rust",
        "rs",
        "zig",
        "nim",
        "d",
        "dart",
        "lua",
        "r",
        "julia",
        "matlab",
        "octave",
        "haskell",
        "hs",
        "elm",
        "ocaml",
        "fsharp",
        "erlang",
        "elixir",
        "clj",
        "clojure",
        "lisp",
        "scheme",
        "prolog",
        "sql",
        "mysql",
        "pgsql",
        "plpgsql",
        "sqlite",
        "graphql",
        "proto",
        "protobuf",
        "diff",
        "patch",
        "make",
        "makefile",
        "cmake",
        "dockerfile",
        "docker",
        "nginx",
        "apache",
        "http",
        "bash",
        "sh",
        "shell",
        "zsh",
        "fish",
        "console",
        "shellsession",
        "powershell",
        "ps1",
        "bat",
        "cmd",
        "vim",
        "viml",
        "tex",
        "latex",
        "bibtex",
        "asm",
        "nasm",
        "awk",
        "sed",
        "regex",
        "log",
        "properties",
        "env",
        "hcl",
        "terraform",
        "nix",
        "solidity",
        "wasm",
        "vue",
        "svelte",
        "handlebars",
        "jinja",
        "django",
        "erb",
    ]
)
_SAFE_TARGET = late(r"(?:https?://|mailto:)[^\s<>\\]*|[^\s:&\\<>\x00-\x20]*", re.IGNORECASE)

_FENCE = late(r"(?m)^([ \t>*+\-0-9.)]{0,60}?)(`{3,}|~{3,})([ \t]*)([^\s`~{]*)(?=([^\n]*))")
_IMAGE = late(r"!(?=\[)")
_TAG = late(r"<(?=[A-Za-z/!?%])")
_TEMPLATE = late(r"<(?=%)|\{(?=\{)")
_INLINE = late(
    r"(?<!`)(`+)(?!`)([ \n]?)(?=\$?=|(?:js|dv|dataviewjs|BUTTON|INPUT|VIEW)\b|(?:button-))"
)
_COMMENT = late(r"%(?=%)")
_TARGET = late(r"\](?=\([ \t\n]{0,9}(<[^<>\n]{0,120}>|[^\s)]{0,120}))")
_DEFINITION = late(
    r"(?m)^([ \t>*+\-0-9.)]{0,60}\[[^\]\n]{1,200}\])"
    r"(?=:[ \t]{0,9}\n?[ \t]{0,9}(<[^<>\n]{0,120}>|\S{0,120}))"
)
_SCHEME = late(
    r"(?<![A-Za-z0-9+.\-])(?!https?:|mailto:)([A-Za-z][A-Za-z0-9+.\-]{1,30})(?=://)"
    r"|\b(javascript|vbscript|data)(?=:[a-z(%/;&\\])",
    re.IGNORECASE,
)

# The address of a git remote is printed as it is, to be copied; ssh takes no option from one that
# begins like a name.
_PRINTED_SCHEME = late(r"(?!ssh://[A-Za-z0-9\[])(?:" + _SCHEME.pattern + ")", re.IGNORECASE)

# What only the eye of a reader meets in printed text: tags that load or run something by
# themselves, and any tag with an attribute.
_LOADING_TAG = late(
    r"<(?=/?(?:script|iframe|frame|frameset|img|image|svg|object|embed|applet|video|audio|source|"
    r"track|picture|link|meta|base|style|form|input|button|portal|body|math|template|noscript)\b"
    r"|[A-Za-z][A-Za-z0-9:-]{0,40}[\s/][^<>]{0,2000}?=|%)",
    re.IGNORECASE,
)
_RUNNING = frozenset(
    [
        "dataview",
        "dataviewjs",
        "tasks",
        "templater",
        "button",
        "query",
        "base",
        "bases",
        "meta-bind",
        "meta-bind-button",
        "meta-bind-js-view",
        "js-engine",
        "mermaid",
        "plantuml",
        "leaflet",
        "map",
        "chart",
    ]
)


def apply_steps(text: str, steps: Iterable[Callable[[str], str]]) -> str:
    """The text after one step after the other."""
    for step in steps:
        text = step(text)
    return text


def _fences(text: str) -> str:
    return _FENCE.sub(lambda found: _mark_fence(found, _is_strange), text)


def _running_fences(text: str) -> str:
    return _FENCE.sub(lambda found: _mark_fence(found, _is_running), text)


def _mark_fence(found: re.Match[str], is_active: Callable[[str, str], bool]) -> str:
    before, fence, space, word, rest = found.groups()
    mark = MARK if is_active(word, rest) else ""
    return f"{before}{fence}{space}{mark}{word}"


def _is_strange(word: str, rest: str) -> bool:
    """Whether what follows a fence is anything but a known language, or nothing."""
    return bool(word or rest.strip()) and word.casefold() not in _LANGUAGES


def _is_running(word: str, rest: str) -> bool:
    return word.casefold() in _RUNNING or (not word and rest.lstrip().startswith("{"))


def _mark_after(pattern: re.Pattern[str]) -> Callable[[str], str]:
    """Puts the mark right after what the pattern finds."""
    return lambda text: pattern.sub(lambda found: found.group() + MARK, text)


def _targets(text: str) -> str:
    return _TARGET.sub(lambda found: _mark_target(found.group(), found.group(1)), text)


def _definitions(text: str) -> str:
    return _DEFINITION.sub(lambda found: _mark_target(found.group(1), found.group(2)), text)


def _mark_target(opening: str, target: str) -> str:
    """The mark after the bracket of a link whose target is not plainly a page."""
    bare = target[1:-1] if target.startswith("<") else target
    return opening if _SAFE_TARGET.fullmatch(bare) else opening + MARK


def _where(step: Callable[[str], str], *marks: str) -> Callable[[str], str]:
    """A step for texts with one of these marks, which it needs: a pattern takes long to compile."""
    return lambda text: step(text) if any(mark in text for mark in marks) else text


_INLINES, _IMAGES = _where(_mark_after(_INLINE), "`"), _where(_mark_after(_IMAGE), "![")
_LINKS = (_where(_targets, "]("), _where(_definitions, "]:"))
FOR_DISK = (
    *(_where(_fences, "```", "~~~"), _INLINES, _IMAGES),
    *(_where(_mark_after(_TAG), "<"), _where(_mark_after(_TEMPLATE), "<%", "{{")),
    *(_where(_mark_after(_COMMENT), "%%"), *_LINKS, _where(_mark_after(_SCHEME), ":")),
)
FOR_OUTPUT = (
    *(_where(_running_fences, "```", "~~~"), _INLINES, _IMAGES),
    *(_where(_mark_after(_LOADING_TAG), "<"), *_LINKS, _where(_mark_after(_PRINTED_SCHEME), ":")),
)
