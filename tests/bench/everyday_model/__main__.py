"""`python -m tests.bench.everyday_model EVERYDAY [PERSON] [--no-decide] [--misses]`

EVERYDAY is the folder of the measure of everyday speech (run.py, personas/, model/). A model's
replies to each text and each turn are played over HTTP on this machine: those of model/ and what
`decide` is told beside this file, or all of them in PERSON.toml here. Links are none, summaries
fail. Tells a fresh vault, and asks it as run.py does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.models.scripted_server import Asked, Rule, Step, refused, says_json, served

HERE = Path(__file__).parent
_CHANGES = ("remove", "update", "add", "hard", "tasks", "done")
_PAIR = re.compile(r"^\[(\d+)\] known: (.*)\n\[\1\] new: (.*)$", re.MULTILINE)


def main() -> int:
    """Print every row, passed / asked, and the share in all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.everyday_model")
    parser.add_argument("everyday", type=Path)
    parser.add_argument("person", nargs="?", default="tama-wellington")
    parser.add_argument("--no-decide", action="store_true", help="the model fails to decide")
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    persona = json.loads((args.everyday / "personas" / f"{args.person}.json").read_text("utf-8"))
    own = tomllib.loads((HERE / f"{args.person}.toml").read_text("utf-8"))
    if "extract" in own:
        replies, over = _written(own), own["over"]
    else:
        given = args.everyday / "model" / f"{args.person}.json"
        replies, over = json.loads(given.read_text("utf-8")), own
    with served() as server, tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "person.toml"
        settings.write_text(f'extractor = "llm"\n\n{server.settings()}', encoding="utf-8")
        os.environ["VAULTMEM_CONFIG"] = str(settings)
        server.rule = playing(replies, None if args.no_decide else over)
        log, _ = _measure(args.everyday).judge(persona, f"{folder}/v")
    table: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row, passed, what in log:
        table[row][0] += passed
        table[row][1] += 1
        if args.misses and not passed:
            print(f"{row:28} {what}")
    for row, (passed, asked) in sorted(table.items()):
        print(f"{row:44} {passed:4}/{asked:<4} {passed / asked:.3f}")
    done = sum(passed for _, passed, _ in log)
    print(f"{args.person}: {done}/{len(log)} = {done / len(log):.3f}")
    return 0


def playing(replies: Mapping[str, Any], over: Mapping[str, list[str]] | None) -> Rule:
    """A model that answers as the replies do, by a piece of the person's words.

    over  by a piece of a new statement, pieces of the known ones that it ends; None: it fails
    """

    def rule(asked: Asked) -> Step:
        user = asked.user
        if user.startswith("<<<PAIRS"):
            return refused(500, "no reply") if over is None else says_json(_decided(user, over))
        if user.startswith("<<<NEW"):
            return says_json({"items": []})
        if user.startswith("<<<TEXT"):
            return _found(replies["extract"], user)
        if '"turn"' in user:
            return _found(replies["turn"], json.loads(user)["turn"]["person"])
        return refused(500, "no reply")

    return rule


def _written(own: Mapping[str, Any]) -> dict[str, Any]:
    """Replies as a server gives them, of the columns of a file beside this one."""
    extract = {
        said: {"items": [_item(line) for line in lines.splitlines() if line.strip()]}
        for said, lines in own["extract"].items()
    }
    turn = {}
    for said, diff in own["turn"].items():
        changes = {key: diff.get(key, []) for key in _CHANGES}
        turn[said] = {"user_summary": said, "assistant_summary": "", "diff": changes}
    return {"extract": extract, "turn": turn}


def _item(line: str) -> dict[str, Any]:
    """One statement of a reply: turn | quote | statement | kind | weight | triple | dates."""
    cells = [cell.strip() for cell in line.split("|")]
    number, quote, statement, kind, weight, triple, dates = [*cells, "", "", ""][:7]
    importance, _, critical = weight.partition(",")
    subject, predicate, value = ([part.strip() for part in triple.split(";")] + [""] * 3)[:3]
    when, _, days = dates.rpartition(": ")
    begins, _, ends = days.partition(",")
    return {
        "turn": int(number),
        "quote": quote,
        "statement": statement,
        "kind": kind,
        "subject": subject,
        "predicate": predicate,
        "object": value,
        "when": when.strip(),
        "valid_from": begins.strip(),
        "valid_until": ends.strip(),
        "importance": int(importance),
        "critical": critical.strip() or "none",
        "entities": [],
    }


def _decided(user: str, over: Mapping[str, list[str]]) -> dict[str, Any]:
    rows = []
    for number, known, new in _PAIR.findall(user):
        ended = [piece for key, old in over.items() if key in new.lower() for piece in old]
        is_over = any(piece in known.lower() for piece in ended)
        rows.append({"pair": int(number), "decision": "supersede" if is_over else "coexist"})
    return {"pairs": rows}


def _found(replies: Mapping[str, Any], said: str) -> Step:
    words = _folded(said)
    keys = [key for key in replies if _folded(key) in words]
    return says_json(replies[max(keys, key=len)]) if keys else refused(500, "no reply")


def _folded(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def _measure(folder: Path) -> ModuleType:
    """The measure's own script."""
    spec = spec_from_file_location("everyday_run", folder / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
