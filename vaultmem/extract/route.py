"""Where a statement belongs: one of the four streams, and a category by its topic."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from vaultmem.extract.cue_patterns import TOPICS, Tokens, topics_by_word, words

_WEAK = 0.5  # words that are used in every context
_STRONG_PROJECTS = words(
    "architecture microservice microservices backend frontend monorepo roadmap framework "
    "codebase repository infrastructure kubernetes postgres postgresql sqlite nginx tech-stack"
)
_WEAK_PROJECTS = words(
    "api layer service stack server database schema module component endpoint pipeline repo "
    "cluster cache queue library release project deployment branch port container"
)
_STRONG_TASKS = words(
    "todo to-do fixme bug bugs blocked done finished completed failing fails deadline overdue "
    "unfinished backlog wip reminder"
)
_WEAK_TASKS = words(
    "fix test tests review issue error crash ticket pr ci fixed broken task pending"
)
_DIRECTIVES = words("always never please don't do use avoid in for on when from you your")
_SELF = words("i me my mine myself")


def stream_of(tokens: Tokens, kind: str, *, is_own: bool) -> str | None:
    """The stream of a statement worth keeping, or None when it belongs in none of the lists.

    is_own   the person said it of themselves or of their own projects; what others say and
             facts about the world are items without a stream
    """
    if not is_own:
        return None
    if kind == "task":
        return "tasks"
    if kind == "decision":
        return "projects"
    mine = tokens.at(0) in _SELF or bool(tokens.present & _SELF)
    if kind in ("preference", "belief", "rule", "fact") and mine:
        return "identity"
    if kind in ("preference", "rule"):
        return "identity" if tokens.at(0) in _DIRECTIVES or kind == "preference" else "projects"
    scores = {stream: _words_for(tokens, stream) for stream in ("projects", "tasks")}
    if max(scores.values()) >= 1:
        return "projects" if scores["projects"] >= scores["tasks"] else "tasks"
    return None


def category_of(tokens: Tokens, kind: str, existing: Iterable[str] = ()) -> str:
    """The slug of a statement's category.

    existing   slugs of the vault: one whose every word is in the statement comes first, the
               longest before others; then the topic with most words; then the kind; 'general'
    """
    present = tokens.present
    fitting = [slug for slug in existing if _fits(slug, present)]
    if fitting:
        return min(fitting, key=lambda slug: (-slug.count("-"), slug))
    known = topics_by_word()
    counts: dict[str, int] = {}
    for word in present:
        topics = known.get(word)
        if topics is None and word[-1] == "s":
            topics = known.get(_singular(word))
        for topic in topics or ():
            counts[topic] = counts.get(topic, 0) + 1
    if counts:
        return min(counts, key=lambda topic: (-counts[topic], TOPICS.index(topic)))
    return {"preference": "preferences", "decision": "projects"}.get(kind, "general")


def _words_for(tokens: Tokens, stream: str) -> float:
    """Points of single words for projects or tasks."""
    strong, weak = (
        (_STRONG_PROJECTS, _WEAK_PROJECTS) if stream == "projects" else (_STRONG_TASKS, _WEAK_TASKS)
    )
    return _count(tokens, strong) + _WEAK * _count(tokens, weak)


def _count(tokens: Tokens, cues: Collection[str]) -> int:
    if tokens.present.isdisjoint(cues):
        return 0
    return sum(
        word in cues and tokens.at(i + 1) not in ("trace", "traces", "overflow")
        for i, word in enumerate(tokens.lower)
    )


def _fits(slug: str, present: Collection[str]) -> bool:
    parts = slug.split("-")
    return slug not in ("", "general") and all(
        part in present or part + "s" in present or _singular(part) in present for part in parts
    )


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
