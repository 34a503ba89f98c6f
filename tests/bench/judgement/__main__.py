"""How well sentences and pairs are judged: `python -m tests.bench.judgement [--all]`.

Prints, by author and language, what the packaged weights make of the authors that are held: no
line of theirs was trained on, no threshold chosen by them. `--all` adds the others, marked with
`*`: the weights know these, so their figures show no more than that they fit.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import numpy as np

from tests.bench.judgement.corpus import Pair, Sentence, is_held, pairs, sentences
from tests.bench.judgement.fitting import Array, area, least_score
from vaultmem.judgement import sentence
from vaultmem.judgement.pairs import is_over as change

LEAST = 10  # examples of each side: a share of fewer says nothing
Rows = Sequence[tuple[str, Sequence[int]]]


def _groups(authors: Sequence[str], languages: Sequence[str]) -> Rows:
    """(name, places): all that are held, each language of them, and each author."""
    places = range(len(authors))
    held = [i for i in places if is_held(authors[i])]
    found = [("held", held)]
    found += [
        (f"held {name}", [i for i in held if languages[i] == name])
        for name in sorted({languages[i] for i in held})
    ]
    for name in sorted(set(authors)):
        mark = "" if is_held(name) else "*"
        found.append((f"{name}{mark}", [i for i in places if authors[i] == name]))
    return [(name, those) for name, those in found if those]


def _share(scores: Array, least: float) -> str:
    return f"{float((scores >= least).mean()):5.2f}" if len(scores) else "    -"


def print_sentences(said: Sequence[Sentence]) -> None:
    """One line a group: kept, left out, marked, and how often the kind is right."""
    judged = [sentence.judge_worth(one.text) for one in said]
    keep, critical = np.array([w.keep for w in judged]), np.array([w.critical for w in judged])
    least_keep, least_critical = sentence.threshold("keep"), sentence.threshold("critical")
    print("sentences              n   area  kept  left out | critical: area marked others | kind")
    for name, those in _groups([s.author for s in said], [s.language for s in said]):
        i = np.array(those)
        kept = np.array([said[k].keep for k in those])
        grave = np.array([said[k].critical for k in those])
        kinds = [judged[k].kind == said[k].kind for k in those if said[k].keep]
        print(
            f"{name:20} {len(those):5} {area(kept * 1.0, keep[i]):6.3f} "
            f"{_share(keep[i][kept], least_keep)} {_share(-keep[i][~kept], 1e-9 - least_keep):>9} |"
            f"         {area(grave * 1.0, critical[i]):6.3f} "
            f"{_share(critical[i][grave], least_critical)}  "
            f"{_share(critical[i][~grave], least_critical)} | {np.mean(kinds) if kinds else 0:4.2f}"
        )


def print_pairs(compared: Sequence[Pair]) -> None:
    """One line a group: changes ended and flagged, harmless ones ended and flagged."""
    over = np.array([change.judge_change(one.old, one.new).over for one in compared])
    print("\npairs                  n   area | at the thresholds: ended harmless flagged harmless")
    print("                                | ended with 1 % and 2 %, flagged with 25 % of harmless")
    for name, those in _groups([p.author for p in compared], [p.language for p in compared]):
        i = np.array(those)
        true = np.array([compared[k].over for k in those])
        if min(true.sum(), (~true).sum()) < LEAST:
            continue
        yes, no = over[i][true], over[i][~true]
        end, flag = change.threshold("end"), change.threshold("flag")
        print(
            f"{name:20} {len(those):5} {area(true * 1.0, over[i]):6.3f} | "
            f"{_share(yes, end)} {_share(no, end)} {_share(yes, flag)} {_share(no, flag)} | "
            + " ".join(_share(yes, least_score(no, share)) for share in (0.01, 0.02, 0.25))
        )


def print_speed() -> None:
    """What a fresh process pays for the first judgement, and for each one after it (least of 5)."""
    code = (
        "from time import perf_counter as now; start = now(); "
        "from vaultmem.judgement.sentence import judge_worth; "
        "from vaultmem.judgement.pairs.is_over import judge_change; loaded = now(); "
        "old, new = 'I live in Vienna with my husband.', 'We moved to Graz in May, by the park.'; "
        "judge_worth(old); judge_change(old, new); first = now(); "
        "[judge_worth(new) for _ in range(100)]; middle = now(); "
        "[judge_change(old, new) for _ in range(100)]; end = now(); "
        "print(loaded - start, first - loaded, (middle - first) / 100, (end - middle) / 100)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(5)
    ]
    times = np.array([[float(one) * 1000 for one in run.stdout.split()] for run in runs]).min(0)
    print(
        f"\nimport {times[0]:.1f} ms, first judgement of both {times[1]:.1f} ms, "
        f"then {times[2]:.2f} ms a sentence and {times[3]:.2f} ms a pair"
    )


def main() -> None:
    """Prints both tables."""
    everybody = "--all" in sys.argv[1:]
    said = [one for one in sentences() if everybody or is_held(one.author)]
    compared = [one for one in pairs() if everybody or is_held(one.author)]
    if said:
        print_sentences(said)
    if compared:
        print_pairs(compared)
    print_speed()
    if not said and not compared:
        print("nobody is held; --all shows the authors that the weights know")


if __name__ == "__main__":
    main()
