"""Answers and notes as lines a person reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.cli.note_lines import headline, line_of, list_lines, one_line, piece_of
from vaultmem.cli.note_lines import name as note_name
from vaultmem.language import format_minute, known_day
from vaultmem.model import NOTHING_FOUND, id_in_name

if TYPE_CHECKING:
    from vaultmem.model import Answer, Hit, Passage, Shown

_LINK = r"!?\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]"
_HEADING = r"#{1,6}\s"
_DOT = piece_of(" · ", "quiet")


def answer_lines(answer: Answer, zone: str, *, explain: bool = False) -> Iterator[str]:
    """An answer, best note first; the words 'no memory found' when there is none."""
    if answer.moment is not None:
        from vaultmem.cli.history import moment_line  # saves 6 modules

        yield moment_line(answer.moment, zone)
    for repair in answer.repairs:
        yield f"no note says '{repair.word}'; searched for {_quote_words(repair.used)}"
    if explain:
        yield f"searched {answer.searched} notes for: {' '.join(answer.terms) or 'nothing'}"
        if answer.plan is not None:
            from vaultmem.cli.explain_lines import plan_lines  # saves 6 modules

            yield from plan_lines(answer.plan, answer.repairs)
        if answer.ranking is not None:
            from vaultmem.cli.explain_lines import ranking_lines  # saves 6 modules

            yield from ranking_lines(answer.ranking)
        if answer.reranked is not None:
            from vaultmem.cli.explain_lines import reranked_line  # saves 6 modules

            yield reranked_line(answer.reranked)
    if answer.tiered is not None:
        from vaultmem.cli.explain_lines import beside_lines, tier_lines  # saves 6 modules

        yield from tier_lines(answer.tiered)
    if not answer.hits:
        yield NOTHING_FOUND
        return
    for number, hit in enumerate(answer.hits, start=1):
        if number > 1 or answer.repairs or explain or answer.moment or answer.tiered:
            yield ""
        yield from _hit_lines(hit, zone, number=number, explain=explain)
    if answer.tiered is not None and answer.tiered.answered_by != "summaries":
        yield from beside_lines(answer, lambda passage: passage_line(passage, zone))


def answer_json(answer: Answer, zone: str) -> dict[str, Any]:
    """An answer for a program: the fields of each note beside its score and passages."""
    from vaultmem.cli.output import as_plain  # saves 5 modules

    plain: dict[str, Any] = as_plain(answer, zone)
    plain["hits"] = [hit.pop("note") | hit for hit in plain["hits"]]
    if plain["tiered"] is not None:
        depth = plain["tiered"]
        depth["summaries"] = [hit.pop("note") | hit for hit in depth["summaries"]]
    return plain


def note_lines(shown: Shown, zone: str) -> Iterator[str]:
    """One note in full: its file, then what it came from and what points to it."""
    note = shown.note
    state = ", not committed yet" if shown.pending else ""
    yield f"{note.path}{state}"
    if shown.moment is not None:
        from vaultmem.cli.history import later_lines, moment_line  # saves 6 modules

        held = "" if shown.held else "; this did not hold then"
        yield f"{moment_line(shown.moment, zone)}{held}"
        yield from later_lines(shown.later, zone)
    yield ""
    yield from shown.text.rstrip("\n").split("\n")
    for title, notes in (("from", shown.sources), ("linked by", shown.backlinks)):
        if notes:
            yield ""
            yield f"{title}:"
            yield from (f"  {line}" for line in list_lines(notes, zone))
    if shown.problems:
        yield ""
        yield "problems:"
        for problem in shown.problems:
            place = "" if problem.line is None else f"line {problem.line}: "
            yield f"  {place}{problem.message}"


def _hit_lines(hit: Hit, zone: str, *, number: int, explain: bool) -> Iterator[str]:
    note = hit.note
    lead = f"{number}. "
    yield line_of(piece_of(lead, "quiet"), piece_of(one_line(headline(note)), "title"), hang=3)
    facts = [piece for fact in _facts(hit, zone) for piece in (_DOT, fact)]
    yield line_of("   ", *facts[1:], hang=3)
    if note.asked:
        yield line_of("   ", piece_of("asked: ", "quiet"), one_line(note.asked), hang=5)
    told = one_line(headline(note)).casefold()
    for passage in hit.passages:
        if one_line(passage.text).casefold().rstrip(".") != told.rstrip("."):
            yield line_of(piece_of("   > ", "quiet"), passage_line(passage, zone), hang=5)
    if note.quote and note.quote.casefold().rstrip(".") not in told:
        yield line_of("   ", piece_of(f"“{one_line(note.quote)}”", "quiet"), hang=4)
    for each in hit.outdated:
        yield line_of("   ", piece_of(one_line(each.describe()), "warning"), hang=5)
    if hit.doubt:
        yield line_of("   ", piece_of(one_line(hit.doubt), "warning"), hang=5)
    if note.source:
        sources = ", ".join(_source(target) for target in note.source)
        yield line_of(piece_of("   from ", "quiet"), sources, hang=5)
    yield line_of("   ", piece_of(str(note.path), "file", note.path), hang=5)
    for rival in hit.rivals:
        yield line_of(
            piece_of("   otherwise: ", "warning"),
            f"{one_line(rival.statement, 90)} (",
            piece_of(note_name(rival), "file", rival.path),
            ")",
            hang=5,
        )
    if hit.later:
        from vaultmem.cli.history import later_lines  # saves 6 modules

        for line in later_lines(hit.later, zone):
            yield line_of("   ", piece_of(line, "warning"), hang=5)
    if explain:
        for part in hit.parts:
            reason = f"  {part.note}" if part.note else ""
            value = piece_of(f"   {part.value:+8.3f}", "bad" if part.value < 0 else "good")
            yield line_of(value, f"  {part.name}", piece_of(reason, "quiet"), hang=15)


def _facts(hit: Hit, zone: str) -> Iterator[str]:
    """What a person weighs an answer by: kind, date, state, score."""
    note = hit.note
    yield piece_of(note.kind or note.type, "kind")
    if note.stream:
        yield note.stream
    if note.projects:
        yield f"project {', '.join(note.projects)}"
    if note.categories:
        yield ", ".join(note.categories)
    if note.valid_until is not None:
        yield f"{known_day(note.valid_from, zone) or '…'} to {known_day(note.valid_until, zone)}"
    elif note.date is not None:
        yield known_day(note.date, zone)
    if note.due is not None:
        yield piece_of(f"due {format_minute(note.due, zone)}", "label")
    if note.status not in ("", "active"):
        yield piece_of(note.status, "warning")
    if note.pinned:
        yield piece_of("pinned", "label")
    if note.hard:
        yield piece_of("hard", "label")
    if note.trust == "untrusted":
        yield piece_of(f"untrusted source ({note.writer or 'unknown'})", "bad")
    elif note.trust == "limited":
        yield piece_of(f"not your own words ({note.writer or 'unknown'})", "warning")
    if hit.suspicion:
        yield piece_of(f"not answered by recall: {hit.suspicion}", "bad")
    if hit.parts and hit.parts[0].name == "link":
        yield f"linked ({one_line(hit.parts[0].note, 60)})"
    if hit.pending:
        yield piece_of("not committed yet", "quiet")
    yield piece_of(f"score {hit.score:.2f}", "quiet")


def passage_line(passage: Passage, zone: str) -> str:
    """A passage on one line, with who said it and when; links as a reader sees them."""
    when = known_day(passage.date, zone)
    lead = " ".join(
        part
        for part in (passage.speaker, f"({when})" if passage.speaker and when else when)
        if part
    )
    text = passage.text
    if "#" in text:
        lines = [line for line in text.splitlines() if not re.match(_HEADING, line)]
        text = "\n".join(lines) or text
    text = one_line(re.sub(_LINK, _link_text, text) if "[[" in text else text)
    return f"{lead}: {text}" if lead else text


def _link_text(link: re.Match[str]) -> str:
    """What a reader sees of `[[target|label]]`: the label, or the target without its id."""
    target, label = link.groups()
    return label or _source(target).partition(" (")[0]


def _source(target: str) -> str:
    """A link target as name and id: `letter (r-0123456789ab)`."""
    name = target.rpartition("/")[2]
    found = id_in_name(name)
    stem = name.removesuffix(found or "").rstrip("-")
    return f"{stem} ({found})" if found and stem else name


def _quote_words(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
