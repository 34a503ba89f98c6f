"""Which item is meant: by its name, or by the slot whose value it is; and who may change it."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import base
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    NotAllowedError,
    UnknownNoteError,
    dataclass,
    replace,
)
from vaultmem.language import format_minute
from vaultmem.model import USER, Item, is_below, is_current, part_key, slot_key, trust_of

if TYPE_CHECKING:
    from vaultmem.model import NoteRow
    from vaultmem.vault import Vault

WRITERS = ("person", "agent")
_MOST_LISTED = 6
_NEAR = 0.6  # likeness from which on a slot is offered in place of an unknown one
_NEAR_WORD = 0.75  # the same of a predicate alone: `lives_in` is not a slip for `likes`

OVER = ("superseded", "expired")  # held once, for all that is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an operation is about: an item, or the value of a slot."""

    ref: str = ""  # an id, path, file name or link; '': the slot is meant
    subject: str = ""
    predicate: str = ""
    object: str = ""  # of several values this one; '': there should be one

    @property
    def is_slot(self) -> bool:
        """Whether it names a slot."""
        return not self.ref


def choose_item(vault: Vault, target: Target, *, at: int, or_over: bool = False) -> Item:
    """The item that is meant; of a slot the active one that holds at `at`, or later.

    or_over  the only one of a value that is over counts, too
    Its `trust` is what it is worth, not what its note claims.
    raises  UnknownNoteError with what is near, BadInputError when several are
            meant or nothing holds
    """
    if target.is_slot:
        return load(vault, _of_slot(vault, target, at, or_over=or_over))
    return load(vault, _find_item_row(vault, target.ref))


def load(vault: Vault, row: NoteRow) -> Item:
    """The item of a row, read from its file; its `trust` is what it is worth."""
    record = vaults.read_record(vault, row.path)
    if not isinstance(record, Item):
        raise base.StaleFileError(row.path, expected=row.oid, found=None)
    return replace(record, trust=vaults.trust_of_item(vault, record))


def _find_item_row(vault: Vault, ref: str) -> NoteRow:

    row = vaults.find_note(vault, ref)
    if row.type != "item" or not row.id:
        what = "an item without an id" if row.type == "item" else f"a {row.type}, not an item"
        raise BadInputError(
            f"'{ref}' is {what}", hint="name an item: `vaultmem list --type item` lists them"
        )
    return row


def _of_slot(vault: Vault, target: Target, at: int, *, or_over: bool) -> NoteRow:
    name = f"'{target.subject} {target.predicate}'"
    if not slot_key(target.subject, target.predicate):
        raise BadInputError(
            "a slot is a subject and a predicate", hint="for example: project-x uses_database"
        )
    rows = vault.index.items_in_slot(target.subject, target.predicate)
    if not rows:
        raise UnknownNoteError(f"no item has the slot {name}", hint=_near(vault, target))
    if target.object:
        wanted = part_key(target.object)
        fitting = [row for row in rows if part_key(row.object) == wanted]
        if not fitting:
            raise BadInputError(
                f"the slot {name} never had the value '{target.object}'",
                hint="it has: " + _list_candidates(vault, rows),
            )
        rows = tuple(fitting)
    holding = [row for row in rows if is_current(row, at)]
    if len(holding) > 1:
        raise BadInputError(
            f"{len(holding)} items hold in the slot {name}",
            hint="name one by its id: " + _list_candidates(vault, holding),
        )
    # What was said of the past may be wrong, too: 'Siemens until March' was Siemens Energy.
    if not holding and or_over and target.object:
        holding = [row for row in rows if row.status in OVER]
    if len(holding) != 1:
        way = "`vaultmem remember` with --fact states a new one"
        if rows[-1].status in OVER:
            way = f"`vaultmem correct` and `retract` take it by its id, {way}"
        raise BadInputError(
            f"nothing holds in the slot {name}",
            hint=f"the last was {_list_candidates(vault, rows[-1:])}; {way}",
        )
    return holding[0]


def _list_candidates(vault: Vault, rows: Sequence[NoteRow]) -> str:
    told = []
    for row in rows[:_MOST_LISTED]:
        state = "" if row.status == "active" else f", {row.status}"
        if row.valid_until is not None:
            state += f" until {format_minute(row.valid_until, vault.settings.timezone)}"
        where = f", project {' and '.join(row.projects)}" if row.projects else ""
        told.append(f"{row.id} ({row.object or row.statement}{state}{where})")
    more = len(rows) - _MOST_LISTED
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def _near(vault: Vault, target: Target) -> str:
    """Slots with a name like the one that is unknown."""
    from difflib import get_close_matches

    states = "`vaultmem remember` with --fact states a fact with its slot"
    of_subject = vault.index.items_about(target.subject)
    if of_subject:
        predicates = list(dict.fromkeys(row.predicate for row in of_subject))
        # Predicates are single words, and unlike ones look alike: for `lives_in` the hint was 'user
        # likes'.
        near = get_close_matches(target.predicate, predicates, n=1, cutoff=_NEAR_WORD)
        if near:
            return f"did you mean '{target.subject} {near[0]}'?"
        return f"'{target.subject}' has: {', '.join(predicates[:_MOST_LISTED])}; {states}"
    known = {" ".join(map(part_key, slot)): slot for slot in vault.index.slots()}
    wanted = f"{part_key(target.subject)} {part_key(target.predicate)}"
    near = get_close_matches(wanted, known, n=1, cutoff=_NEAR)
    if near:
        return f"did you mean '{' '.join(known[near[0]])}'?"
    return states


def require_allowed(item: Item, writer: str) -> None:
    """Refuse what only the person may do to an item.

    raises BadInputError    for a word that names neither the person nor an assistant
           NotAllowedError  an assistant, and the item is believed more than it is, or is the
                            person's alone: hard, pinned, in the stream identity
    """
    if writer not in WRITERS:
        raise BadInputError(
            f"'{writer}' cannot change a fact", hint="one of: " + ", ".join(WRITERS)
        )
    if trust_of(writer) == USER:
        return
    is_persons = item.hard or item.pinned or item.stream == "identity"
    if is_persons or is_below(trust_of(writer), item.trust):
        raise NotAllowedError(
            f"{item.id} is the person's own, so an assistant may not change it",
            hint="let the person run the command; `vaultmem remember --writer agent` keeps what "
            "you know beside it",
        )
