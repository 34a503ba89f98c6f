"""What a ranking of turns is judged by: turns, sessions, or the evidence within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from tests.bench import metrics
from tests.bench.locomo import Conversation, Question

Judge = Callable[[Sequence[str], Question], dict[str, float]]
"""(ids of turns, best first; the question) to the columns of a table."""

BUDGETS = (250, 500, 1000, 2000, 4000)
CHARACTERS_A_TOKEN = 4
SESSION_COLUMNS = ("any@1", "any@5", "any@10", "R@5", "R@10", "nDCG@5", "MRR")
DEEP = 500  # turns that are ranked where twenty are not enough


def of_turns(_: Conversation) -> Judge:
    """The measures of the turns themselves."""
    return lambda ranked, question: metrics.measures(ranked, question.evidence)


def of_sessions(conversation: Conversation) -> Judge:
    """The same of sessions: each stands where its best turn does."""
    session_of = {turn.id: one.name for one in conversation.sessions for turn in one.turns}
    return partial(_by_session, session_of)


def _by_session(
    session_of: Mapping[str, str], ranked: Sequence[str], question: Question
) -> dict[str, float]:
    sessions = list(dict.fromkeys(session_of[id_] for id_ in ranked))
    right = {session_of[id_] for id_ in question.evidence}
    return {
        **{f"any@{cut}": metrics.any_at(sessions, right, cut) for cut in (1, 5, 10)},
        **{f"R@{cut}": metrics.recall_at(sessions, right, cut) for cut in (5, 10)},
        "nDCG@5": metrics.ndcg_at(sessions, right, 5),
        "MRR": metrics.reciprocal_rank(sessions, right),
    }


def inside(budgets: Sequence[int]) -> Callable[[Conversation], Judge]:
    """How much of the evidence lies in the first lines, as many as fit into so many tokens."""
    return lambda conversation: partial(_in_budgets, conversation.lines(), budgets)


def _in_budgets(
    lines: Mapping[str, str], budgets: Sequence[int], ranked: Sequence[str], question: Question
) -> dict[str, float]:
    found = {}
    for budget in budgets:
        fitting = filled([lines[id_] for id_ in ranked], budget)
        found[str(budget)] = metrics.recall_at(ranked, question.evidence, fitting)
    return found


def filled(lines: Sequence[str], budget: int) -> int:
    """How many of the lines fit, from the first one on, into a budget of tokens.

    A line takes its characters and a line end, at CHARACTERS_A_TOKEN; the first that does not fit
    ends it, whatever comes after.
    """
    left = budget * CHARACTERS_A_TOKEN
    for count, line in enumerate(lines):
        left -= len(line) + 1
        if left < 0:
            return count
    return len(lines)
