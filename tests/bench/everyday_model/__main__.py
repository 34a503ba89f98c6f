"""`python -m tests.bench.everyday_model EVERYDAY [PERSON] [--no-decide] [--misses]`

EVERYDAY is the folder of the measure of everyday speech (run.py, personas/, model/). Its replies
to each text and each turn are played over HTTP on this machine; what `decide` is told stands beside
this file. Links are none, summaries fail. Tells a fresh vault, and asks it as run.py does.
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

from tests.llm.server import Asked, Rule, Step, refused, says_json, served

HERE = Path(__file__).parent
_PAIR = re.compile(r"^\[(\d+)\] known: (.*)\n\[\1\] new: (.*)$", re.MULTILINE)


def main() -> int:
    """Print every row, passed / asked, and the share in all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.everyday_model")
    parser.add_argument("everyday", type=Path)
    parser.add_argument("person", nargs="?", default="tama-wellington")
    parser.add_argument("--no-decide", action="store_true", help="the model fails to decide")
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    replies = json.loads((args.everyday / "model" / f"{args.person}.json").read_text("utf-8"))
    persona = json.loads((args.everyday / "personas" / f"{args.person}.json").read_text("utf-8"))
    over = tomllib.loads((HERE / f"{args.person}.toml").read_text("utf-8"))
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
