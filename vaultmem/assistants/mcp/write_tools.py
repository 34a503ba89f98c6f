"""`remember`: each sentence becomes a memory of an assistant's; what it may replace is said.

Only what the person said themselves counts as theirs: `quote` does, where a turn that was kept of
a conversation bears it out. Then those words are kept, as they are, and not the assistant's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from vaultmem import edit, facts, judgement, language, review
from vaultmem import vault as vaults
from vaultmem.assistants.mcp.fence import as_data, fence_lines
from vaultmem.assistants.mcp.tool_table import instant
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    NotAllowedError,
    VaultmemError,
    dataclass,
)
from vaultmem.language import format_date
from vaultmem.model import CHANGE, EXPIRE, RETRACT, Document, Filters, are_apart
from vaultmem.safety import find_hidden

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import Changed, Item, NoteRow, Remembered, RememberedItem
    from vaultmem.review import Request

_MOST_REPLACED = 3  # older memories named for a new one
_LOOKED_AT = 4  # best answers to it, of which it is the first itself
_NEAR = 0.2
"""Share of its own score from which another one is about the same: of six pairs of our own with a
new value five had .21 to .43, eleven others .02 to .28 (.14 on the average)."""
_MOST_TURNS = 20  # passages among which a quotation is looked for
_LEAST_WORDS = 3  # of a quotation: 'yes, please' bears out nothing
_STATEMENT = 200  # characters of a statement beside its id
_REFUSED = {
    "secret": "it holds a secret",
    "empty": "it says nothing",
    "endless": "it is too long for one memory",
}
CALL_CHANGE = (
    "Where a new one replaces an older one that is no longer so: call change with the id of the "
    "older one."
)


def remember(memory: Memory, arguments: Mapping[str, Any], *, project: str = "") -> str:
    """One line for each memory: kept, known already, waiting for the person, or refused.

    project  in which the assistant works; '': in none
    """
    told_in = (project,) if project else ()
    quote = arguments.get("quote") or ""
    is_theirs = bool(quote) and is_borne_out(memory, quote)
    start = instant(memory, arguments.get("valid_from"))
    end = instant(memory, arguments.get("until"))
    sentences = list(dict.fromkeys(" ".join(each.split()) for each in arguments["memories"]))
    kept = _Kept(memory)
    if is_theirs:
        sentences = [each for each in sentences if not _says_no_more(each, quote)]
        own = Document(
            text=quote,
            writer="person",
            # Rules may take a quotation for small talk. It was dropped then, and with it the
            # assistant's sentence that says no more than it.
            is_memory=True,
            valid_from=start,
            valid_until=end,
            projects=told_in,
        )
        kept.keep([own], note=" (the user's own words)")
    kept.keep(
        [
            Document(
                text=each,
                writer="agent",
                is_memory=True,
                valid_from=start,
                valid_until=end,
                projects=told_in,
            )
            for each in sentences
        ]
    )
    older = [*_older_lines(memory, kept.new, project)]
    unheard = ("The quote is in no conversation that was kept: these count as your words.",)
    above = unheard if quote and not is_theirs else ()
    return fence_lines([*kept.lines, *older], above=above, below=(CALL_CHANGE,) if older else ())


class _Kept:
    """What became of texts: lines to tell it, and the items that are new."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.lines: list[str] = []
        self.new: list[RememberedItem] = []

    def keep(self, documents: Sequence[Document], *, note: str = "") -> None:
        """Keep texts. Of several one may be refused, and the others are kept."""
        try:
            reports = self._memory.remember_many(documents)
        except VaultmemError as error:
            if len(documents) > 1:
                for each in documents:
                    self.keep([each], note=note)
                return
            self.lines.append(f"refused ({as_data(error.message)}): {_quote(documents[0].text)}")
            return
        for document, report in zip(documents, reports, strict=True):
            self.lines += self._report_lines(document, report, note)
            self.new += [item for item in report.items if item.outcome == "add"]

    def _report_lines(self, document: Document, report: Remembered, note: str) -> Iterator[str]:
        said = _quote(document.text)
        if report.no_op:
            statement = language.canonical(document.text)
            known = self._memory.opened.index.items_with_statement(statement)
            yield f"already known{''.join(f' {id_}' for id_ in known[:1])}: {said}"
        elif not report.items:
            rules = {each.rule for each in report.rejected}
            why = next((_REFUSED[rule] for rule in sorted(rules & _REFUSED.keys())), "")
            yield f"refused ({why or 'it states nothing lasting'}): {said}"
        for item in report.items:
            yield f"{_outcome(item)}{note}: {_quote(item.statement)}{_effects(item)}"


def _quote(text: str) -> str:
    return f"“{as_data(text, _STATEMENT)}”"


def _outcome(item: RememberedItem) -> str:
    if item.review:
        return f"waits for the user ({as_data(item.review, 300)}) {item.id}"
    return f"{'kept' if item.outcome in ('add', 'update') else 'already known'} {item.id}"


def _effects(item: RememberedItem) -> str:
    """What it means for others, as the commit says it; without what is named anyway."""
    told = [each for each in item.effects if not each.startswith("may replace")]
    return f" ({as_data('; '.join(told), 400)})" if told else ""


def _older_lines(memory: Memory, kept: Sequence[RememberedItem], project: str) -> Iterator[str]:
    """The older memories that new ones may replace, and those next to them, a line each.

    Rules see some of what is out of date; what lies close is told as well, since whoever reads
    this knows what the words mean ('My sister teaches in Braga.', 'She now teaches in Porto.').
    """
    vault = memory.opened
    zone = memory.settings.timezone
    new = {item.id for item in kept}
    for id_, found in vaults.load_items(vault, new).items():
        named = set(new)
        older = facts.what_it_ends(vault, found, now=vault.clock.now())
        for old in [each for each in older if each.id not in named][:_MOST_REPLACED]:
            named.add(old.id)
            yield f"{id_} may replace {_older(old, zone)}: call change"
        for note in _next_to(memory, found, but=named, project=project):
            yield f"{id_} is near {_older(note, zone)}"


def _next_to(memory: Memory, new: Item, *, but: Collection[str], project: str) -> Iterator[NoteRow]:
    """What answers to a statement nearly as well as it does itself, if there is such a thing."""
    hits = memory.recall(new.statement, limit=_LOOKED_AT, rerank=False, project=project).hits
    least = _NEAR * hits[0].score if hits else 0.0
    for hit in hits:
        note = hit.note
        is_other = note.type == "item" and note.id not in but and note.status == "active"
        if are_apart(new.projects, note.projects):
            continue
        if is_other and hit.score >= least:
            yield note
            return


def _older(old: Item | NoteRow, zone: str) -> str:
    when = "" if old.valid_from is None else f" ({format_date(old.valid_from, zone)})"
    return f"{old.id}: “{as_data(old.statement, _STATEMENT)}”{when}"


# --- whose words ---------------------------------------------------------------------------


def is_borne_out(memory: Memory, quote: str) -> bool:
    """Whether the person said exactly this, themselves, in a conversation that was kept.

    What they pasted into a turn is not theirs, and a word or two ('yes, please') would bear out
    anything.
    """
    words = language.words(language.fold(quote))
    if len(words) < _LEAST_WORDS:
        return False
    asked = Filters(types=("resource",))
    found = memory.search(quote, limit=_MOST_TURNS, by="passage", filters=asked)
    return any(
        passage.speaker == "user" and hit.note.writer == "person" and _is_own(quote, passage.text)
        for hit in found.hits
        for passage in hit.passages
    )


def _is_own(quote: str, turn: str) -> bool:
    """Whether whole sentences of the person's own in a turn say exactly this.

    Whole ones: of 'I would never live in Graz' three words say the opposite.
    """
    wanted, told = _sentences(quote), _sentences(judgement.own_words(turn))
    places = range(len(told) - len(wanted) + 1)
    return any(told[at : at + len(wanted)] == wanted for at in places)


def _sentences(text: str) -> list[str]:
    spans = language.sentence_spans(text)
    said = (language.canonical(text[start:end]) for start, end in spans)
    return [each for each in said if each]


_ABOUT_THEM = frozenset(("the", "user", "user's", "users", "i", "me", "my", "mine", "s", "m", "am"))


def _says_no_more(sentence: str, quote: str) -> bool:
    """Whether each word of an assistant's sentence, but those for whom it is about, is quoted."""
    said = set(language.words(language.fold(quote)))
    stems = {_stem(word) for word in said}
    words = [each for each in language.words(language.fold(sentence)) if each not in _ABOUT_THEM]
    return all(_stem(word) in stems for word in words)


def _stem(word: str) -> str:
    """'lives' as 'live': the third person of what was said in the first."""
    return word.removesuffix("s")


# `change` and `forget`: what only the person may do is put to them, and never to the model.
#
# Each is a plan first: what an assistant may change itself is done at once; for the rest there is
# a `Question`. The server puts it to the person through their client (elicitation); where that
# cannot be, or they do not say yes, what was asked for waits in `vaultmem review`. No argument
# says yes.

REVIEW = "Nothing is changed yet: it waits for the user, who decides with `vaultmem review`."
_LONGEST_WHY = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the person is asked before anything of theirs is changed."""

    message: str  # for their eyes; the model does not see it
    agree: str  # beside the box that they tick
    settle: Callable[[bool], str]  # does it (they agreed), or tells that it waits for review


def change(memory: Memory, arguments: Mapping[str, Any]) -> str | Question:
    """A memory replaced by another one, or over."""
    to, ended = _line(arguments.get("to")), arguments.get("ended")
    if not to and not ended:
        raise BadInputError(
            "nothing says what is so now", hint="give `to` (the new statement), `ended`, or both"
        )
    _require_plain("to", to)
    request = _request(memory, CHANGE if to else EXPIRE, arguments["id"], arguments)
    return _done_or_asked(memory, [request])


def forget(memory: Memory, arguments: Mapping[str, Any]) -> str | Question:
    """Memories taken back."""
    asked = [_request(memory, RETRACT, id_, arguments) for id_ in arguments["ids"]]
    # By item: one that was named twice, in two spellings, was forgotten and reported as an error.
    return _done_or_asked(memory, list({each.item: each for each in asked}.values()))


def _request(memory: Memory, op: str, ref: str, arguments: Mapping[str, Any]) -> Request:
    """What is asked for, about an item that is there; raises UnknownNoteError, BadInputError."""
    note = memory.show(ref).note
    if note.type != "item" or not note.id:
        raise BadInputError(
            f"'{as_data(ref, 100)}' is no single memory", hint="give an id that begins with i-"
        )
    ended = arguments.get("ended")
    return review.Request(
        op=op,
        item=note.id,
        says=note.statement,
        to=_line(arguments.get("to")) if op == CHANGE else "",
        at=instant(memory, ended),
        why=as_data(arguments.get("why") or "", _LONGEST_WHY),
        asked_at=memory.opened.clock.now(),
    )


def _done_or_asked(memory: Memory, requests: Sequence[Request]) -> str | Question:
    """All are looked at before the first is done, so that an error changes nothing."""
    theirs = [each for each in requests if _is_theirs(memory, each)]
    own = [each for each in requests if each not in theirs]
    done = [_carry_out(memory, each, writer="agent") for each in own]
    if not theirs:
        return fence_lines(done)

    # It waits from now on: whatever becomes of the question, or of this process, it is not lost.
    asked = [review.ask(memory.opened, each) for each in theirs]

    def settle(is_agreed: bool) -> str:
        if not is_agreed:
            return fence_lines([*done, *map(_waits, asked)], above=(REVIEW,))
        agreed = []
        for each in asked:
            agreed.append(_describe_change(review.carry_out(memory.opened, each), each))
            review.withdraw(memory.opened, each)
        return fence_lines([*done, *agreed], above=("The user agreed.",))

    return Question(message=_message(memory, theirs), agree=_AGREE[theirs[0].op], settle=settle)


_AGREE = {CHANGE: "Yes, replace it", EXPIRE: "Yes, it is over", RETRACT: "Yes, forget it"}


def _is_theirs(memory: Memory, request: Request) -> bool:
    """Whether only the person may do it; raises what else speaks against it."""
    try:
        edit.carry_out(memory.opened, review.wanted_of(request, writer="agent"), dry_run=True)
    except NotAllowedError:
        # What speaks against it in itself is said to the model, and not to the person.
        edit.carry_out(memory.opened, review.wanted_of(request, writer="person"), dry_run=True)
        return True
    return False


def _carry_out(memory: Memory, request: Request, *, writer: str) -> str:
    wanted = review.wanted_of(request, writer=writer)
    return _describe_change(edit.carry_out(memory.opened, wanted), request)


def _describe_change(changed: Changed, request: Request) -> str:
    """What was done, as one line of data."""
    said = f"{request.item} “{as_data(request.says, 400)}”"
    if changed.no_op:
        return f"nothing to do ({changed.no_op}): {said}"
    if changed.successor is not None:
        after = changed.successor
        return f"changed: {said} -> {after.id} “{as_data(after.statement, 400)}”"
    verb = "ended" if request.op == EXPIRE else "forgotten (`vaultmem undo` brings it back)"
    return f"{verb}: {said}"


def _waits(request: Request) -> str:
    becomes = f" -> “{as_data(request.to, 400)}”" if request.to else ""
    said = as_data(request.says, 400)
    return f"waits for the user as {request.id}: {request.item} “{said}”{becomes}"


def _message(memory: Memory, requests: Sequence[Request]) -> str:
    """The question, with all that would be changed: nobody agrees to words that they cannot see."""
    zone = memory.settings.timezone
    asked = []
    for each in requests:
        says = as_data(each.says, len(each.says) * 8)
        since = "" if each.at is None else f" (since {format_date(each.at, zone)})"
        if each.op == CHANGE:
            asked.append(f"“{says}”\nbecomes{since}\n“{as_data(each.to, len(each.to) * 8)}”")
        elif each.op == EXPIRE:
            asked.append(f"“{says}”\nis over{since}")
        else:
            asked.append(f"“{says}”\nis forgotten")
    why = requests[0].why
    reason = f"\n\nThe assistant's reason: “{why}”" if why else ""
    return "An assistant wants to change your memory:\n\n" + "\n\n".join(asked) + reason


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _require_plain(name: str, text: str) -> None:
    """Refuse a statement with characters that the person would not see when they are asked."""
    if any(True for _ in find_hidden(text)):
        raise BadInputError(
            f"'{name}' holds characters that no screen shows", hint="write it in plain letters"
        )
