"""Every command of vaultmem, one after the other in one process, on the vault in the folder.

    python -m tests.hostile.session VAULT REMOTE NOTE

Prints a line of JSON per command: its words and its exit code. `NOTE` is the path of an item.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Lines = Sequence[Sequence[str]]

# A word `FRESH` is a new folder beside the vault, `NOTE` an item, `REMOTE` a bare repository.
COMMANDS: Mapping[str, Lines] = {
    "status": (("status",),),
    "sync": (("sync",), ("sync", "--rehash")),
    "remember": (
        ("remember", "I prefer oat milk in coffee."),
        ("remember", "I am allergic to walnuts.", "--dry-run"),
    ),
    "recall": (("recall", "what about coffee"),),
    "search": (("search", "hedgehogs"),),
    "show": (("show", "NOTE"),),
    "list": (("list",),),
    "links": (("links", "NOTE"), ("recall", "coffee", "--expand", "--preset", "linked")),
    "feedback": (
        ("recall", "coffee", "--preset", "smriti", "--diverse"),
        ("feedback", "1", "--accept"),
    ),
    "change": (("change", "NOTE", "I prefer spaces over tabs."),),
    "supersede": (("supersede", "NOTE", "I prefer tabs.", "--dry-run"),),
    "correct": (("correct", "NOTE", "I prefer tabs over all."),),
    "expire": (("expire", "NOTE", "--dry-run"),),
    "retract": (("retract", "NOTE", "--dry-run"),),
    "edit": (("edit", "NOTE"),),
    "history": (("history", "NOTE"), ("recall", "coffee", "--known-at", "HEAD~1")),
    "diff": (("diff", "HEAD~1"),),
    "timeline": (("timeline",),),
    "compact": (("compact", "--retention", "0"),),
    "context": (("context", "what about coffee", "--budget", "500"),),
    "session": (
        ("session", "start", "heron"),
        ("session", "turn", "heron", "--user", "We use SQLite.", "--assistant", "Noted."),
        ("session", "replay", "heron", "--turn", "1"),
        ("session", "end", "heron"),
    ),
    "consolidate": (("consolidate",),),
    "rules": (("rules",),),
    "profile": (("profile",),),
    "maintain": (("maintain", "due"), ("maintain", "install")),
    # No model is set, whatever the vault says: each of them ends with an error, and asks nobody.
    "llm": (("llm", "check"),),
    "chat": (("chat",),),
    "proxy": (("proxy", "--port", "0"),),
    # Its input is closed: it says goodbye. The hook is given no event, and says nothing.
    "mcp": (("mcp",),),
    "hook": (("hook", "claude"),),
    "install": (("install", "claude-code", "--dry-run"),),
    "uninstall": (("uninstall", "claude-code", "--dry-run"),),
    "reflect": (("reflect",),),
    "summarise": (("summarise",),),
    "export": (("export", "EXPORTED", "--force"), ("export", "-")),
    "report": (("report", "REPORT", "--force"), ("report", "REPORT", "--redact", "--force")),
    "canvas": (("canvas", "drawn.canvas"), ("canvas", "CANVAS", "what do I like", "--force")),
    "import": (("import", "EXPORTED"),),
    "forget": (("forget", "--match", "walnuts", "--yes"),),
    "clear": (("clear", "--dry-run"),),
    "log": (("log",), ("log", "NOTE")),
    "undo": (("undo",),),
    "restore": (("restore", "NOTE", "--at", "HEAD~1"),),
    "check": (("check",), ("check", "--fix")),
    "review": (("review",), ("review", "approve", "--all")),
    "audit": (("audit",), ("audit", "--acknowledge")),
    "reindex": (("reindex",),),
    "remote": (("remote", "set", "REMOTE"), ("remote", "show")),
    "push": (("push",),),
    "pull": (("pull",), ("sync", "--remote")),
    "init": (
        ("init", "FRESH"),
        ("init", "."),
        ("init", "--obsidian"),
        ("init", "--from", "REMOTE", "FRESH"),
    ),
    "vaults": (("vaults",),),
    "config": (("config",),),
    "demo": (("demo", "FRESH"),),
    "help": (("help",), ("help", "format")),
    "completion": (("completion", "bash"),),
}


def _quietly(run: Callable[[Sequence[str]], int], words: Sequence[str]) -> tuple[int, str]:
    """Exit code of a command line and the beginning of what it said on standard error."""
    out, said = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        code = run(words)
    said.seek(0)
    return code, said.read(300)


def _apart(words: Sequence[str]) -> tuple[int, str]:
    """The same in a process of its own with its input closed: these two keep or end it."""
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", *words], stdin=subprocess.DEVNULL, capture_output=True
    )
    return done.returncode, done.stderr.decode()[:300]


def main() -> int:
    """Run them all; 0 when every one ended by itself."""
    vault, remote, note = sys.argv[1:4]
    from vaultmem.cli.main import run

    os.chdir(vault)
    exported = str(Path(vault).parent / "exported.json")
    reported = str(Path(vault).parent / "report.html")
    meanings = {"NOTE": note, "REMOTE": remote, "EXPORTED": exported, "REPORT": reported}
    meanings["CANVAS"] = str(Path(vault).parent / "drawn.canvas")
    fresh = 0
    for lines in COMMANDS.values():
        for words in lines:
            if "FRESH" in words:
                fresh += 1
                meanings["FRESH"] = str(Path(vault).parent / f"fresh-{fresh}")
            os.environ.pop("VAULTMEM_VAULT", None)
            meant = [meanings.get(word, word) for word in words]
            code, said = _apart(meant) if words[0] in ("mcp", "hook") else _quietly(run, meant)
            print(json.dumps([words, code, said]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
