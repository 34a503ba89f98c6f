"""What an operation on a fact asks for and does to its item; facts that nobody decided between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vaultmem import extract, language
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    MisusedError,
    TypeVar,
    dataclass,
    replace,
)
from vaultmem.extract import Restated, is_same_value, with_statement, with_value
from vaultmem.facts import validity
from vaultmem.facts.contradictions import Contradictions
from vaultmem.facts.target import OVER, Target, choose_item, load, require_allowed
from vaultmem.facts.validity import CONTRADICTS, MAY_REPLACE
from vaultmem.language import format_instant, format_minute
from vaultmem.model import (
    CHANGE,
    CORRECT,
    EXPIRE,
    RETRACT,
    USER,
    Changed,
    FactState,
    Item,
    NoteRow,
    Problem,
    Severity,
    holds_one,
    is_current,
    item_id,
    part_key,
    slot_key,
    subject,
    trust_of,
    trust_trailers,
)
from vaultmem.recall import CORRECTED_AT
from vaultmem.vault import NO_OID, Listings, WorkingCopy, item_path

if TYPE_CHECKING:
    from vaultmem.vault import Vault

# What each of the four operations does to an item (algorithms 2.3); decides, in the listings.
#
# change   the old item ends, a new one begins, linked both ways
# correct  the same item says something else, for all of its time
# expire   it ends, and nothing takes its place
# retract  it never held


_CONFIDENCE = 0.9  # of what somebody states with a command, as when asked to remember it


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked for."""

    op: str
    target: Target
    value: str = ""  # of the slot from now on; '': the words say it
    statement: str = ""  # new words; '': the former ones with the new value
    at: int | None = None  # change: effective, expire: until; None: now
    writer: str = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    report: Changed
    trailers: tuple[tuple[str, str], ...] = ()


def plan_fact(vault: Vault, listings: Listings, wanted: Wanted) -> Planned:
    """The operation done in the listings, and what to report; raises as `changing.carry_out`."""
    plan = {CHANGE: _change, CORRECT: _correct, EXPIRE: _expire, RETRACT: _retract}[wanted.op]
    now = vault.clock.now()
    at = now if wanted.at is None else wanted.at
    again = _already_done(vault, wanted, at)
    if again is not None:
        return Planned(report=again)
    # What an operation on the past means is what held then; a correction is about what is said.
    at_that = at if wanted.op in (CHANGE, EXPIRE) else now
    item = choose_item(vault, wanted.target, at=at_that, or_over=wanted.op == RETRACT)
    require_allowed(item, wanted.writer)
    _require_open(vault, item, wanted)
    return plan(vault, listings, item, wanted, now)


def _already_done(vault: Vault, wanted: Wanted, at: int) -> Changed | None:
    """The report of what was done before: the item has this end, or this successor, already."""
    if wanted.op == EXPIRE and wanted.target.is_slot and wanted.at is not None:
        rows = vault.index.items_in_slot(wanted.target.subject, wanted.target.predicate)
        ended = [row for row in rows if row.status == "expired" and row.valid_until == at]
        if ended and not any(is_current(row, at) for row in rows):
            return _nothing_to_do(EXPIRE, load(vault, ended[-1]), "it ends then already")
    if wanted.op != CHANGE or wanted.target.is_slot or not wanted.statement:
        return None
    former = choose_item(vault, wanted.target, at=at)
    if former.status != validity.SUPERSEDED:
        return None
    for target in former.superseded_by:
        row = vault.index.resolve_link(target)
        if row is not None and row.type == "item" and row.statement == wanted.statement:
            state = state_of(former)
            return Changed(
                op=CHANGE,
                before=state,
                after=state,
                successor=state_of(load(vault, row)),
                at=row.valid_from,
                no_op="it was changed to this before",
            )
    return None


def _require_open(vault: Vault, item: Item, wanted: Wanted) -> None:
    """Refuse an item that is over already, where the operation is about what holds."""
    if item.status == "active" or (wanted.op == EXPIRE and item.status == validity.EXPIRED):
        return
    if wanted.op in (CORRECT, RETRACT) and item.status in OVER:
        return  # what was said of the past can be wrong, too
    if item.status == "candidate":
        raise BadInputError(
            f"{item.id} waits until you have looked at it",
            hint="`vaultmem review` shows it; approve or reject it there",
        )
    hint = f"`vaultmem show {item.id}` shows it; `vaultmem undo` takes an operation back"
    for target in item.superseded_by:
        row = vault.index.resolve_link(target)
        if row is not None and row.id:
            hint = f"{row.id} took its place: {row.statement}"
    raise BadInputError(f"{item.id} is {item.status} already", hint=hint)


# --- the four ----------------------------------------------------------------------------


def _change(vault: Vault, listings: Listings, item: Item, wanted: Wanted, now: int) -> Planned:
    at = now if wanted.at is None else wanted.at
    words = _restate(vault, item, wanted, now)
    if _says(item, words) and (item.valid_from is None or item.valid_from <= at):
        return Planned(report=_nothing_to_do(CHANGE, item, "it says that already"))
    _require_after_start(vault, item, at)
    if item.valid_until is not None and at >= item.valid_until:
        zone = vault.settings.timezone
        raise BadInputError(
            f"{item.id} ends on {format_minute(item.valid_until, zone)} already",
            hint="`vaultmem remember` with --fact states what holds after it",
        )
    new = _successor(vault, item, words, wanted, at=at, now=now)
    after = validity.close(
        listings, item, until=at, status=validity.SUPERSEDED, now=now, by=new.path.stem
    )
    listings.add_note(new)
    listings.list_item(new)
    report = Changed(
        op=CHANGE,
        before=state_of(item),
        after=state_of(after),
        successor=state_of(new),
        at=at,
        composed=words.composed,
        left_out=words.left_out,
        subject=subject(CHANGE, _describe_change(item, words)),
    )
    trailers = (
        ("Vaultmem-Valid-From", _instant(at)),
        ("Vaultmem-Supersedes", item.id),
        *trust_trailers({new.id: new.trust}),
    )
    return Planned(report=report, trailers=trailers)


def _correct(vault: Vault, listings: Listings, item: Item, wanted: Wanted, now: int) -> Planned:
    words = _restate(vault, item, wanted, now)
    if _says(item, words):
        return Planned(report=_nothing_to_do(CORRECT, item, "it says that already"))
    subject_, predicate, value = words.slot
    after = replace(
        item, statement=words.statement, subject=subject_, predicate=predicate, object=value
    )
    keys: dict[str, str | tuple[str, ...] | float | bool | None] = {
        "subject": subject_ or None,
        "predicate": predicate or None,
        "object": value or None,
    }
    if item.quote:  # the text that it is from goes on saying what was wrong
        keys[CORRECTED_AT] = format_instant(now, vault.settings.timezone)
    entities = _with_value(item, words)
    if entities != item.entities:
        keys["entities"] = entities
    trailers: tuple[tuple[str, str], ...] = ()
    if trust_of(wanted.writer) == USER and item.trust != USER:
        # The words are the person's now.
        keys |= {"trust": USER, "writer": "person"}
        listings.vouched.add(item.id)
        trailers = trust_trailers({}, [item.id])
    listings.patch_item(item, keys)
    validity.reword(listings, item, words.statement)
    report = Changed(
        op=CORRECT,
        before=state_of(item),
        after=state_of(after),
        composed=words.composed,
        left_out=words.left_out,
        subject=subject(CORRECT, _describe_change(item, words)),
    )
    return Planned(report=report, trailers=trailers)


def _expire(vault: Vault, listings: Listings, item: Item, wanted: Wanted, now: int) -> Planned:
    at = now if wanted.at is None else wanted.at
    if item.valid_until == at:
        return Planned(report=_nothing_to_do(EXPIRE, item, "it ends then already"))
    if item.status != "active":
        zone = vault.settings.timezone
        until = "" if item.valid_until is None else format_minute(item.valid_until, zone)
        raise BadInputError(
            f"{item.id} ended already" + (f", on {until}" if until else ""),
            hint="`vaultmem undo` takes that back; then say when it ended",
        )
    _require_after_start(vault, item, at)
    after = validity.close(listings, item, until=at, status=validity.EXPIRED, now=now)
    report = Changed(
        op=EXPIRE,
        before=state_of(item),
        after=state_of(after),
        at=at,
        subject=subject(EXPIRE, item.statement),
    )
    return Planned(report=report, trailers=(("Vaultmem-Valid-Until", _instant(at)),))


def _retract(vault: Vault, listings: Listings, item: Item, wanted: Wanted, now: int) -> Planned:
    after = validity.retract(listings, item)
    report = Changed(
        op=RETRACT,
        before=state_of(item),
        after=state_of(after),
        subject=subject(RETRACT, item.statement),
    )
    return Planned(report=report)


# --- parts of them -----------------------------------------------------------------------


def _restate(vault: Vault, item: Item, wanted: Wanted, now: int) -> Restated:
    if not wanted.statement:
        return with_value(item, wanted.value)
    if wanted.value:
        return Restated(
            statement=wanted.statement, slot=(item.subject, item.predicate, wanted.value)
        )

    drafting = extract.Drafting(vault, categories=())
    draft = drafting.statement(wanted.statement, source=item.id, at=now)
    former = drafting.statement(item.statement, source=item.id, at=now)
    return with_statement(item, wanted.statement, draft, former)


def _describe_change(item: Item, words: Restated) -> str:
    """Old and new for `git log`: the values of the slot, else the statements."""
    if item.subject and item.predicate and item.object and words.slot[2]:
        return f"{item.subject} {item.predicate}: {item.object} -> {words.slot[2]}"
    return f"{item.statement.rstrip(' .')} -> {words.statement}"


def _says(item: Item, words: Restated) -> bool:
    """Whether the item has these words and this value, or (no new words) this value."""
    same_value = is_same_value(item.object, words.slot[2])
    if words.composed and item.object:
        return same_value
    return same_value and language.canonical(item.statement) == language.canonical(words.statement)


def _require_after_start(vault: Vault, item: Item, at: int) -> None:
    """Refuse an interval in which nothing lies."""
    start = item.valid_from
    if start is None or at > start:
        return
    zone = vault.settings.timezone
    began, given = format_minute(start, zone), format_minute(at, zone)
    if at == start:
        message = f"{item.id} begins on {began}, so nothing would be left of it"
    else:
        message = f"{given} is before {item.id} begins ({began})"
    raise BadInputError(
        message,
        hint="give a later date; if what it says was wrong from the beginning: `vaultmem correct`, "
        "if it was never so: `vaultmem retract`",
    )


def _successor(
    vault: Vault, item: Item, words: Restated, wanted: Wanted, *, at: int, now: int
) -> Item:
    """The item that holds from `at` on; its id is the same however often it is planned."""
    subject_, predicate, value = words.slot
    # From the former item, the moment and the words: the operation is planned before the lock and
    # again under it, and both must name one file.
    id_ = item_id(f"{item.id} {at}", language.canonical(words.statement))
    trust = trust_of(wanted.writer)
    return Item(
        path=item_path(id_, words.statement, at=now, zone=vault.settings.timezone),
        oid=NO_OID,
        title="",
        body=words.statement,
        tags=item.tags,
        id=id_,
        kind=item.kind,
        statement=words.statement,
        stream=item.stream,
        categories=item.categories,
        projects=item.projects,
        subject=subject_,
        predicate=predicate,
        object=value,
        valid_from=at,
        supersedes=(item.path.stem,),
        importance=item.importance,
        confidence=_CONFIDENCE,
        confidence_at=now,
        pinned=item.pinned,
        hard=item.hard,
        writer=wanted.writer,
        trust=trust,
        observed="claimed",
        entities=_with_value(item, words),
    )


def _with_value(item: Item, words: Restated) -> tuple[str, ...]:
    """The entities of an item with its new value in place of the old one, and of its parts.

    What the former words named and the new ones do not ('Munich' of 'at Siemens in Munich') goes.
    """
    if not item.object:
        return item.entities
    value, former = words.slot[2], item.object.casefold()
    before, after = item.statement.casefold(), words.statement.casefold()
    named: list[str] = []
    for each in item.entities:
        name = each.casefold()
        if is_same_value(each, item.object) or (name in former and name not in after):
            named.append(value)
        elif words.composed or name not in before or name in after:
            named.append(each)
    return tuple(dict.fromkeys(each for each in named if each))


def _nothing_to_do(op: str, item: Item, why: str) -> Changed:
    state = state_of(item)
    return Changed(op=op, before=state, after=state, no_op=why)


def state_of(item: Item) -> FactState:
    """What a report says of an item."""
    return FactState(
        id=item.id,
        path=item.path,
        statement=item.statement,
        status=item.status,
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        valid_from=item.valid_from,
        valid_until=item.valid_until,
    )


def _instant(ms: int) -> str:

    return vaults.iso_ms(ms)


_NUMBERS = {0: "none", 1: "one", 2: "two", 3: "three"}


def want_new(
    op: str, words: Sequence[str], *, statement: str, at: int | None, writer: str
) -> Wanted:
    """`change` or `correct`: ITEM and a statement, or subject, predicate and value.

    raises MisusedError   for another number of words
           BadInputError  for empty ones
    """
    _require_words(op, words, (2, 3), "ITEM STATEMENT", "SUBJECT PREDICATE VALUE")
    if len(words) == 2:
        if statement:
            raise MisusedError(
                "the new statement is given twice", hint="name the item, then its new words once"
            )
        target, value, said = Target(ref=words[0]), "", words[1]
    else:
        target = Target(subject=words[0], predicate=words[1])
        value, said = words[2], statement
    return Wanted(op=op, target=target, value=value, statement=said, at=at, writer=writer)


def want_end(op: str, words: Sequence[str], *, at: int | None, writer: str) -> Wanted:
    """`expire` or `retract`: ITEM, or subject and predicate, or with the value that is meant.

    raises MisusedError   for another number of words
           BadInputError  for empty ones
    """
    _require_words(op, words, (1, 2, 3), "ITEM", "SUBJECT PREDICATE [VALUE]")
    if len(words) == 1:
        target = Target(ref=words[0])
    else:
        value = words[2] if len(words) == 3 else ""
        target = Target(subject=words[0], predicate=words[1], object=value)
    return Wanted(op=op, target=target, at=at, writer=writer)


def require_no_date(effective: int | None) -> None:
    """A correction has no date of its own; raises MisusedError."""
    if effective is not None:
        raise MisusedError(
            "a correction holds for all of the item's time, so it takes no date",
            hint="leave the date out, or the word retroactive",
        )


def _require_words(
    op: str, words: Sequence[str], allowed: tuple[int, ...], of_item: str, of_slot: str
) -> None:
    forms = (
        f"`vaultmem {op} {of_item}` or `vaultmem {op} {of_slot}`; "
        "words that belong together stand in quotes"
    )
    if len(words) not in allowed:
        *some, last = (_NUMBERS[each] for each in allowed)
        given = _NUMBERS.get(len(words), str(len(words)))
        raise MisusedError(
            f"{op} takes {', '.join(some)} or {last} arguments, not {given}",
            hint=forms,
        )
    if not all(word.strip() for word in words):
        raise BadInputError(f"{op} takes no empty words", hint=forms)


# --- facts that cannot both be true, undecided ---

_WRONG = "end or take back the wrong one: `vaultmem expire`, `retract` or `correct` with its id; "
_HINT = _WRONG + "if both are true, delete 'contradicts' from the note"
_HINT_OF_SLOT = _WRONG + "if many values are right, name the predicate in slots.multiple"


def undecided_problems(vault: Vault, items: Sequence[Item]) -> Iterator[Problem]:
    """A problem for each such pair, at the later note of it."""
    active = [item for item in items if item.status == "active" and item.id]
    now = vault.clock.now()
    holding = [item for item in active if item.valid_until is None or item.valid_until > now]
    told: set[frozenset[str]] = set()
    by_stem = {item.path.stem: item for item in holding}
    for item in holding:
        for relation, target in item.links:
            other = by_stem.get(target) if relation == "contradicts" else None
            if other is not None and other.id != item.id:
                told.add(frozenset((item.id, other.id)))
                yield _problem(item, other, _HINT)
            older = by_stem.get(target) if relation == "may_replace" else None
            if older is not None and older.id != item.id:
                yield _doubtful(older, item)
    for rivals in _by_slot(vault, holding):
        first = rivals[0]
        for item in rivals[1:]:
            is_other = part_key(item.object) != part_key(first.object)
            if is_other and _overlap(first, item) and frozenset((first.id, item.id)) not in told:
                yield _problem(item, first, _HINT_OF_SLOT)


def rivals(vault: Vault, rows: Iterable[NoteRow]) -> Iterator[NoteRow]:
    """Active items that share a slot of one value with another."""
    active = (row for row in rows if row.status == "active" and row.id)
    for several in _by_slot(vault, active):
        yield from several


_InSlot = TypeVar("_InSlot", Item, NoteRow)


def _by_slot(vault: Vault, items: Iterable[_InSlot]) -> Iterator[list[_InSlot]]:
    """Items with a value in slots that have one, oldest first."""
    settings = vault.settings
    found: dict[str, list[_InSlot]] = {}
    for item in items:
        key = slot_key(item.subject, item.predicate) if item.object else ""
        if key:
            found.setdefault(key, []).append(item)
    for _, rivals in sorted(found.items()):
        if len(rivals) > 1 and holds_one(
            rivals[0].predicate, single=settings.slots_single, multiple=settings.slots_multiple
        ):
            yield sorted(rivals, key=lambda item: (item.valid_from or 0, item.id))


def _overlap(one: Item, other: Item) -> bool:
    """Whether there is a moment at which both hold."""
    return (one.valid_until is None or (other.valid_from or 0) < one.valid_until) and (
        other.valid_until is None or (one.valid_from or 0) < other.valid_until
    )


def _doubtful(older: Item, item: Item) -> Problem:
    return Problem(
        path=older.path,
        code="may-be-over",
        message=f"'{older.statement}' may be out of date since '{item.statement}' ({item.id})",
        hint=f"if it is over: `vaultmem expire {older.id}`; if not, delete 'may_replace' from the "
        f"note {item.id}",
        severity=Severity.WARNING,
    )


def _problem(item: Item, other: Item, hint: str) -> Problem:
    return Problem(
        path=item.path,
        code="contradiction",
        message=f"'{item.statement}' and '{other.statement}' ({other.id}) cannot both be true",
        hint=hint,
        severity=Severity.WARNING,
    )


_MARKS = (MAY_REPLACE, CONTRADICTS)


def what_it_ends(vault: Vault, item: Item, *, now: int) -> tuple[Item, ...]:
    """Known items, still active, that an item would end, may replace or contradicts; by id.

    item  is in the vault; of any trust and status
    now   UTC ms, taken as when it was said
    """
    told = replace(item, trust=USER, status="active", review="", superseded_by=())
    working_copy = WorkingCopy(vault)  # of this question alone: nobody applies it
    verdict = Contradictions(Listings(vault, working_copy)).settle(
        told, at=now, now=now, is_told=True
    )
    links = {name for relation, name in verdict.item.links if relation in _MARKS}
    links |= {*verdict.item.superseded_by, *(each.path.stem for each in verdict.ended)}
    return tuple(_active(vault, sorted(links), but=item.id))


def _active(vault: Vault, links: Sequence[str], *, but: str) -> list[Item]:
    rows = (vault.index.resolve_link(link) for link in links)
    by_id = {row.id: row for row in rows if row is not None and row.type == "item"}
    return [
        load(vault, row)
        for id_, row in sorted(by_id.items())
        if id_ and id_ != but and row.status == "active"
    ]
