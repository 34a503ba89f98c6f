"""Adapters for the memory of a conversation: base truth, routing, the raw window."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import Any

from tests.vectors.suite import Adapter, Workshop
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BusyError
from vaultmem.language.stems import Stems
from vaultmem.language.text import canonical
from vaultmem.model.session_files import Exchange
from vaultmem.sessions.files import Conversation
from vaultmem.sessions.steps import queue_folder
from vaultmem.sessions.summarise import summarise
from vaultmem.sessions.truth import Applied, Diff, Fact, apply_diff
from vaultmem.sessions.turn import Said, add_turn, route_of
from vaultmem.sessions.turn_size import Raw, code_share, count_words, has_cue, route, window
from vaultmem.storage.files.locking import Turnstile

_DRAWN = 400
_NOON = 1_773_230_400_000  # 2026-03-11T12:00:00Z


def _facts(given: Any) -> list[Fact]:
    """Facts as a case has them: `hard` names those that are, by text or by place."""
    hard = given.get("hard") or ()
    return [
        Fact(text=text, hard=text in hard or place in hard)
        for place, text in enumerate(given["facts"])
    ]


def _base_truth_diff(given: Any, _: Workshop) -> object:
    entries = {key: tuple(given["diff"].get(key) or ()) for key in ("remove", "update", "add")}
    done = apply_diff(_facts(given), Diff(**entries))
    return {"facts": [fact.text for fact in done.facts], "warnings": list(done.codes)}


def _same_warnings(result: object, case: Any, _: Any) -> str:
    """Facts in their order; warnings as a set, as the suite says."""
    assert isinstance(result, dict)
    expected = case["expected"]
    if result["facts"] != list(expected["facts"]):
        return f"{result['facts']} for {expected['facts']}"
    if set(result["warnings"]) != set(expected["warnings"]):
        return f"warnings {result['warnings']} for {expected['warnings']}"
    return ""


def _drawn() -> Iterator[tuple[tuple[Fact, ...], Diff, Applied]]:
    """Base truths and diffs by chance, from few words, so that they meet; and what came of them."""
    chance = random.Random(20_260_311)
    texts = [
        f"{key}{mark} {value}{end}"
        for key in ("Editor", "Python version", "User prefers", "user  prefers", "")
        for mark in (":", "", " is")
        for value in ("vim", "Vim", "3.9", "tabs over spaces", "")
        for end in ("", ".", "!")
    ]

    def some(most: int) -> tuple[str, ...]:
        return tuple(chance.choice(texts) for _ in range(chance.randint(0, most)))

    for _ in range(_DRAWN):
        known = {canonical(text): text for text in some(8) if text.strip()}
        facts = tuple(Fact(text=text, hard=chance.random() < 0.3) for text in known.values())
        diff = Diff(remove=some(3), update=some(3), add=some(3))
        yield facts, diff, apply_diff(facts, diff)


def _is_left_alone() -> bool:
    given = [Fact(text="Editor: vim"), Fact(text="Never use tabs", hard=True)]
    before = list(given)
    apply_diff(given, Diff(remove=("Editor: vim",), update=("Editor: nano",), add=("x y",)))
    return given == before


def _hard_survive() -> bool:
    return all(
        [fact.text for fact in facts if fact.hard]
        == [fact.text for fact in done.facts if fact in facts and fact.hard]
        for facts, _, done in _drawn()
    )


def _is_bounded() -> bool:
    return all(
        len(done.facts) <= len(facts) + len(diff.add) + len(diff.update)
        for facts, diff, done in _drawn()
    )


def _are_distinct() -> bool:
    return all(
        len({canonical(fact.text) for fact in done.facts}) == len(done.facts)
        for _, _, done in _drawn()
    )


def _is_identity() -> bool:
    return all(apply_diff(facts, Diff()).facts == facts for facts, _, _ in _drawn())


def _is_idempotent() -> bool:
    """Of diffs without removals: a phrase may come to stand in one fact only once others went."""
    for facts, diff, _ in _drawn():
        diff = Diff(update=diff.update[:1], add=diff.add)
        once = apply_diff(facts, diff).facts
        if apply_diff(once, diff).facts != once:
            return False
    return True


# By words of the property.
_PROPERTIES: dict[str, Callable[[], bool]] = {
    "mutated": _is_left_alone,
    "hard facts": _hard_survive,
    "len(": _is_bounded,
    "canonically equal": _are_distinct,
    "empty diff": _is_identity,
    "twice": _is_idempotent,
    "idempotent": _is_idempotent,
}


def _base_truth_properties(given: Any, _: Workshop) -> object:
    return next(holds() for word, holds in _PROPERTIES.items() if word in given["property"])


def _size_routing(given: Any, _: Workshop) -> object:
    found = route(
        given["user_words"],
        given["assistant_words"],
        code_heavy=bool(given.get("code_heavy")),
        has_cue=has_cue(given.get("text") or ""),
    )
    return {
        "size": found.size,
        "summary": found.summary,
        "extract_diff": found.extract_diff,
        "preserve_raw": found.preserve_raw,
        "code_heavy": found.code_heavy,
    }


def _word_count(given: Any, _: Workshop) -> object:
    return count_words(given["text"])


def _code_heavy(given: Any, shop: Workshop) -> object:
    with shop.vault(at=0) as (memory, _):
        heavy = route_of(
            memory.opened, Exchange(turn=1, user=given["text"], assistant=""), has_cue=False
        ).code_heavy
    return {"code_share": code_share(given["text"]), "code_heavy": heavy}


def _raw_window(given: Any, _: Workshop) -> object:
    turns = [
        Raw(
            turn=each["turn"],
            is_long=bool(each.get("long")),
            is_summarised=not each.get("unsummarised") and each.get("summarised", True),
        )
        for each in given["turns"]
    ]
    return list(window(turns, size=given["window"], extra=given["extra_for_long"]))


# What a summariser of the suite does, as a model would: a reply, or none.
_USER = "Let's keep the orders in SQLite from now on."
_ASSISTANT = "Orders go to SQLite."
_SUMMARY = {"user_summary": "Orders go to SQLite.", "assistant_summary": "Agrees."}
_DIFF = {"add": ["Database: SQLite"], "update": [], "remove": []}
_REPLIES: dict[str, str | None] = {
    "ok": json.dumps({**_SUMMARY, "diff": _DIFF}),
    "malformed": "Sure, here is what happened.",
    "wrong_types": json.dumps({**_SUMMARY, "diff": {"add": "Database: SQLite"}}),
    "ok_ungrounded_diff": json.dumps({**_SUMMARY, "diff": {"add": ["The client is Acme Toronto"]}}),
    "ok_unknown_update": json.dumps({**_SUMMARY, "diff": {"update": ["Database: SQLite"]}}),
    "ok_json_in_fence": f"```json\n{json.dumps({**_SUMMARY, 'diff': _DIFF})}\n```",
    "ok_missing_diff_keys": json.dumps({**_SUMMARY, "diff": {"add": ["Database: SQLite"]}}),
    "timeout": None,
    "exception": None,
}


def _reply(name: str) -> str | None:
    if name not in _REPLIES:
        name = "ok" if name.startswith("ok") else "malformed"
    return _REPLIES[name]


def _summariser_failures(given: Any, shop: Workshop) -> object:
    if "summariser" not in given:
        return _order_of_turns(shop)
    replies = iter(given["summariser"])

    def ask() -> str:
        reply = _reply(next(replies))
        if reply is None:
            raise BusyError("the model gave no answer in time")
        return reply

    done = summarise(ask, (), _USER, _ASSISTANT, stem=Stems())
    return {
        "attempts": done.attempts,
        "entry": "summary" if done.is_summarised else "raw_fallback",
        "diff_applied": done.is_applied,
        "unsummarised": not done.is_summarised,
        "warnings": list(done.applied.codes) or None,
    }


def _order_of_turns(shop: Workshop) -> object:
    """Turn 2 comes from another opening of the vault while the model thinks about turn 1."""
    asked, second_waits = Event(), Event()
    began: list[str] = []

    def slow(before: Conversation, exchange: Exchange) -> str:
        began.append(f"phase 2 of {exchange.turn}")
        asked.set()
        assert second_waits.wait(30)
        began.append(f"end of {exchange.turn}")
        return _REPLIES["ok"] or ""

    with shop.vault(at=_NOON) as (memory, clock):
        memory.session("s", summariser=slow)

        def wait(seconds: float) -> None:
            second_waits.set()
            time.sleep(seconds)

        def tell_second() -> None:
            assert asked.wait(30)
            queue = Turnstile(folder, "s", deadline_seconds=30, sleep=wait)
            with queue, Memory(root, clock=clock) as other:
                began.append("phase 1 of 2")
                add_turn(other.opened, "s", Said(user="And now?"))

        root, folder = memory.root, queue_folder(memory.opened, "s")
        thread = Thread(target=tell_second)
        thread.start()
        memory.session("s", summariser=slow).turn(_USER, _ASSISTANT)
        thread.join()
        log = memory.session("s").show().log
    waited = began == ["phase 2 of 1", "end of 1", "phase 1 of 2"]
    order = [entry.turn for entry in log]
    return {
        "phase1_of_n_plus_1": "waits" if waited else "runs",
        "order_of_log": "n, n+1" if order == [1, 2] else str(order),
    }


ADAPTERS = {
    "base_truth_diff": Adapter(_base_truth_diff, _same_warnings),
    "base_truth_properties": Adapter(_base_truth_properties),
    "code_heavy": Adapter(_code_heavy),
    "raw_window": Adapter(_raw_window),
    "size_routing": Adapter(_size_routing),
    "summariser_failures": Adapter(_summariser_failures),
    "word_count": Adapter(_word_count),
}
