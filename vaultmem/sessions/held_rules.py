"""What comes from a remote may not set rules in the person's name: hard exceptions are held.

A hard exception of a conversation stands first in every prompt and binds the model, so it has to be
the person's. One that a pull brings counts as theirs when the commit that wrote it carries an
address of theirs, or when they had taken it before; any other waits for `vaultmem review`. It is
put apart in the very commit that joins what came with what is here, so at no moment does it bind.
Nor may their turns bring one: a turn that waits for its summary would be read as the person's own
words, so one that somebody else told gets its entry in the log, and is not read any more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, UnknownNoteError, dataclass, replace
from vaultmem.language import canonical
from vaultmem.model import LIMITED, Problem, Severity, Waiting
from vaultmem.sessions import files
from vaultmem.sessions import turn_log as turnlog
from vaultmem.sessions.files import (
    LOG,
    SESSIONS,
    TRANSCRIPT,
    TRUTH,
    Conversation,
    exchanges_of,
    head_of,
    id_of,
    log_of,
    put_all,
    with_facts,
    with_log,
)
from vaultmem.sessions.summarise import ASSISTANT_WORDS, USER_WORDS
from vaultmem.sessions.truth import Diff, apply_diff, number_facts
from vaultmem.sessions.turn_size import clip_words
from vaultmem.sessions.two_sides import folders_before

if TYPE_CHECKING:
    from vaultmem.model import Exchange
    from vaultmem.sessions.truth import Fact
    from vaultmem.storage.git import Entry
    from vaultmem.vault import Vault, WorkingCopy
OWN_ADDRESSES = "network.own_addresses"
NOT_THEIRS = "not_the_persons_turn"
_States = tuple[frozenset[str], frozenset[str]]  # hard exceptions after a commit, and before it
# The newest ones of what comes: rules of the person from before so many wait for their review.
_MOST_COMMITS = 20_000
_MOST_LOOKED_BACK = 500  # commits of a conversation in which the person may have taken a rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Base truths as they come in, and what was put apart in them."""

    content: Mapping[str, bytes]
    problems: tuple[Problem, ...]


def hold_rules(
    vault: Vault, ours: str, theirs: str, changed: Mapping[str, Entry | bytes | None]
) -> Held:
    """What of `changed` has to be otherwise, so that nobody else's rule binds; mostly nothing."""
    content: dict[str, bytes] = {}
    problems: list[Problem] = []
    look = _Look(vault, ours, theirs)
    for path, entry in changed.items():
        # A hard exception stands first in every prompt, so a pull may not set one: it did, for
        # anybody who could push.
        if entry is None or not _is_truth(path):
            continue
        then = look.read(path, entry)
        known = look.hard(path)
        new = [fact for fact in then.facts if fact.hard and canonical(fact.text) not in known]
        # An open session in a stranger's export was ended as idle by the next `session start`, and
        # its user's lines became rules of the person's: a name in the file proves nothing, a
        # commit's address does.
        strange = [fact for fact in new if not look.is_theirs(path, canonical(fact.text))]
        if strange:
            content[path] = _apart(look.data(entry), path, then, [fact.text for fact in strange])
            problems += [_problem(path, then.id, fact.text) for fact in strange]
    for folder in sorted({PurePosixPath(path).parent for path in changed if _is_told(path)}):
        told = look.incoming_conversation(folder, changed)
        unread = look.told_by_others(told)
        if unread:
            log = (folder / LOG).as_posix()
            content[log] = _with_entries(look.coming(log, changed), told, unread)
            problems += [_untold(folder / LOG, told.id, turn.turn) for turn in unread]
    return Held(content=content, problems=tuple(problems))


def _is_told(path: str) -> bool:
    """Whether a path is that of a transcript or of a log."""
    place = PurePosixPath(path)
    return place.name in (TRANSCRIPT, LOG) and place.parent.parent == SESSIONS


def _with_entries(data: bytes | None, then: Conversation, turns: Sequence[Exchange]) -> bytes:
    """A log that says of these turns that they are not read."""
    after = replace(then, log=(*then.log, *_entries(then, turns)))
    written = with_log(data, after, then)
    said = turnlog.latest_entries(log_of(then.folder, lambda _: written))
    if all(each.turn in said and not said[each.turn].unsummarised for each in turns):
        return written
    return with_log(None, after, then)  # what they wrote hides what is added to it


def _entries(then: Conversation, turns: Iterable[Exchange]) -> Iterator[turnlog.Entry]:
    """What the log says of turns that are not read: their first words."""
    told = turnlog.latest_entries(then.log)
    for each in turns:
        yield turnlog.Entry(
            turn=then.turns if each.turn in told else each.turn,
            amends=each.turn if each.turn in told else None,
            user=clip_words(each.user, USER_WORDS)[0],
            assistant=clip_words(each.assistant, ASSISTANT_WORDS)[0],
            warnings=(f"{NOT_THEIRS}: turn {each.turn} came from somebody else",),
        )


def _is_truth(path: str) -> bool:
    place = PurePosixPath(path)
    return place.name == TRUTH and place.parent.parent == SESSIONS


def _apart(data: bytes, path: str, then: Conversation, texts: Iterable[str]) -> bytes:
    """A base truth with these rules among what waits."""
    wanted = set(texts)
    kept = [fact for fact in then.facts if not (fact.hard and fact.text in wanted)]
    gone = [fact for fact in then.facts if fact.hard and fact.text in wanted]
    _, held = held_apart(gone, then.held)
    facts = tuple(kept)
    return with_facts(data, facts, number_facts(held, 0, beside=facts))


def _problem(path: str, session: str, text: str) -> Problem:

    return Problem(
        path=PurePosixPath(path),
        code="rule-held",
        message=f"somebody else set the rule '{model.shorten(text, 80)}'; it binds nobody yet",
        hint=f"`vaultmem review` takes or drops it; an address of yours belongs in {OWN_ADDRESSES}",
        severity=Severity.WARNING,
    )


def _untold(path: PurePosixPath, session: str, turn: int) -> Problem:
    return Problem(
        path=path,
        code="turn-held",
        message=f"somebody else told turn {turn} of session '{session}'; it sets nothing",
        hint=f"`vaultmem session fact {session} TEXT` keeps what of it holds; an address of yours "
        f"belongs in {OWN_ADDRESSES}",
        severity=Severity.WARNING,
    )


def _keep_seen(coming: Iterator[_States], seen: list[_States]) -> Iterator[_States]:
    """What comes, each put behind what was seen: the next one who asks begins there."""
    for each in coming:
        seen.append(each)
        yield each


class _Look:
    """Both lines of commits, each read when it is first asked about."""

    def __init__(self, vault: Vault, ours: str, theirs: str) -> None:
        self._vault = vault
        self._ours, self._theirs = ours, theirs
        # Of each path once: who pushes a thousand rules shall not make a pull take hours.
        self._decided: dict[str, tuple[list[_States], Iterator[_States]]] = {}
        self._found: dict[str, tuple[str, ...]] = {}
        self._rules: dict[str, frozenset[str]] = {}

    @cached_property
    def here(self) -> Mapping[str, Entry]:
        """Our tree."""
        return self._vault.history.exchange().entries(self._ours)

    @cached_property
    def _own(self) -> frozenset[str]:
        """Addresses of the person: of this device, those they name, and who began the vault."""
        more = self._vault.settings.network_own_addresses
        own = {self._vault.history.exchange().mail(), *more, self._founder()}
        return frozenset(each.casefold() for each in own if each)

    def _founder(self) -> str:
        """Whose vault it is: else a guest's device would hold the rules of its owner."""
        lineage = self._vault.history.lineage()
        if lineage.boundaries():  # a shallow clone does not know
            return ""
        # Without it a guest's device would hold the rules of the vault's owner, and send that back.
        first = lineage.first_parents(self._ours)[0]
        return next(iter(lineage.details([first], files=0))).mail

    @cached_property
    def _own_writes(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Path -> (blob, blob before) of each own commit among what comes, in their order."""
        history = self._vault.history
        commits = history.exchange().commits(self._ours, self._theirs)[-_MOST_COMMITS:]
        found: dict[str, list[tuple[str, str]]] = {}
        for detail in history.lineage().details(commits, files=_MOST_COMMITS):
            if len(detail.parents) > 1 or detail.mail.casefold() not in self._own:
                continue  # what a merge has, one of its sides wrote
            for each in detail.touched:
                if each.new and (_is_truth(each.path) or _is_told(each.path)):
                    found.setdefault(each.path, []).append((each.new, each.old))
        return found

    def _introduced_rules(self, path: str) -> frozenset[str]:
        """Hard exceptions that own commits among what comes wrote there."""
        if path not in self._rules:
            writes = self._own_writes.get(path, ())
            found = (self._hard_in(path, new) - self._hard_in(path, old) for new, old in writes)
            self._rules[path] = frozenset[str]().union(*found)
        return self._rules[path]

    def is_theirs(self, path: str, text: str) -> bool:
        """Whether the person wrote this rule, on another device or here before."""
        return any(
            text in self._introduced_rules(each) or self._was_taken(each, text)
            for each in self._origins(path)
        )

    def _was_taken(self, path: str, text: str) -> bool:
        """What the person did last about a rule, by the commits of this device's line."""
        seen, rest = self._decided.setdefault(path, ([], self._versions(path)))
        for after, before in chain(seen, _keep_seen(rest, seen)):
            if (text in after) != (text in before):
                return text in after
        return False

    def _versions(self, path: str) -> Iterator[_States]:
        history = self._vault.history
        for entry in history.log(limit=_MOST_LOOKED_BACK, paths=(path,)):
            # A pull is committed under the address of this device, whoever wrote what it brought.
            if entry.mail.casefold() in self._own and entry.trailers.get("Vaultmem-Op") != "pull":
                states = (
                    history.text_at(commit, path) if commit else None
                    for commit in (entry.commit, entry.parent)
                )
                after, before = (self._hard_of(path, data) for data in states)
                yield after, before

    def read(self, path: str, entry: Entry | bytes) -> Conversation:
        """A session by its base truth alone."""
        return self._head(path, self.data(entry))

    def data(self, entry: Entry | bytes) -> bytes:
        """The bytes of what comes."""
        if isinstance(entry, bytes):
            return entry
        return dict(self._vault.history.blobs([entry.oid]))[entry.oid] or b""

    def hard(self, path: str) -> frozenset[str]:
        """The hard exceptions of a conversation as it is here, for comparison."""
        entries = ((each, self.here.get(each)) for each in self._origins(path))
        found = (self._hard_of(each, self.data(entry)) for each, entry in entries if entry)
        return frozenset[str]().union(*found)

    def incoming_conversation(
        self, folder: PurePosixPath, changed: Mapping[str, Entry | bytes | None]
    ) -> Conversation:
        """Turns and log of a session as they come in."""
        zone, path = self._vault.settings.timezone, folder / TRANSCRIPT
        spoken = self.coming(path.as_posix(), changed)
        log = log_of(folder, lambda place: self.coming(place.as_posix(), changed))
        id_ = id_of(folder)
        turns = exchanges_of(spoken, path, zone)
        return Conversation(id=id_, folder=folder, title=id_, exchanges=turns, log=log)

    def told_by_others(self, then: Conversation) -> list[Exchange]:
        """Turns that wait for a summary, and of which the person did not say their side."""
        waiting = {*then.unsummarised, *then.failed}
        if not waiting:
            return []
        left = {canonical(each.user) for each in then.exchanges if each.turn in waiting}
        for path in self._origins((then.folder / TRANSCRIPT).as_posix()):
            here = self.here.get(path)
            left -= self._said_of(path, self.data(here)) if here else frozenset()
            writes = self._own_writes.get(path, ())
            for new, old in writes[-_MOST_LOOKED_BACK:][::-1]:  # what waits is mostly the last one
                if not left:
                    break
                left -= self._said_in(path, new) - self._said_in(path, old)
        turns = (each for each in then.exchanges if each.turn in waiting)
        return [each for each in turns if canonical(each.user) in left]

    def _origins(self, path: str) -> tuple[str, ...]:
        """A file of a conversation, and that of those beside which it may have been put apart.

        Whoever merged the lines wrote it anew: what the person wrote, they wrote there.
        """
        if path not in self._found:
            self._found[path] = (path, *self._beside(PurePosixPath(path)))
        return self._found[path]

    def _beside(self, place: PurePosixPath) -> Iterator[str]:
        begun = f"{SESSIONS.as_posix()}/"
        found = (PurePosixPath(each) for each in self.here if each.startswith(begun))
        folders = {each.parent for each in found if each.name == place.name}
        for folder in folders_before(place.parent, folders):
            yield (folder / place.name).as_posix()

    def coming(self, path: str, changed: Mapping[str, Entry | bytes | None]) -> bytes | None:
        """What a file will be."""
        entry = changed[path] if path in changed else self.here.get(path)
        return None if entry is None else self.data(entry)

    def _blob(self, oid: str) -> bytes | None:
        return dict(self._vault.history.blobs([oid]))[oid] if oid else None

    def _hard_in(self, path: str, oid: str) -> frozenset[str]:
        return self._hard_of(path, self._blob(oid))

    def _said_in(self, path: str, oid: str) -> frozenset[str]:
        return self._said_of(path, self._blob(oid))

    def _said_of(self, path: str, data: bytes | None) -> frozenset[str]:
        """The person's sides of the turns of a transcript."""
        turns = exchanges_of(data, PurePosixPath(path), self._vault.settings.timezone)
        return frozenset(canonical(each.user) for each in turns)

    def _hard_of(self, path: str, data: bytes | None) -> frozenset[str]:
        if not data:
            return frozenset()
        return frozenset(canonical(fact.text) for fact in self._head(path, data).facts if fact.hard)

    def _head(self, path: str, data: bytes) -> Conversation:
        # Of a page with two blocks, or half of one, nothing: there are no rules in it.
        folder = PurePosixPath(path).parent
        return head_of(folder, lambda _: data, zone=self._vault.settings.timezone)[0]


# Rules that somebody else set in a conversation: they bind nobody until the person takes them.
#
# A hard exception is the person's alone. One that comes in another way, in somebody else's commit
# or export, stands in base truth apart from what holds, and is among what `vaultmem review` lists.

BETWEEN = ":"
"""Between session and fact in a name: `heron:t3-1`; no id of a note has it."""
WHY = "a hard exception that somebody else set"


def waiting(vault: Vault, working_copy: WorkingCopy) -> tuple[Waiting, ...]:
    """The rules of all conversations that wait, by session."""
    return tuple(
        Waiting(
            id=name_of(now, fact),
            path=_truth(now.folder),
            statement=fact.text,
            kind="rule",
            reason=WHY,
            quote="",
            writer="import",
            trust=LIMITED,
            source=_truth(now.folder),
        )
        for now in _held_conversations(vault, working_copy)
        for fact in now.held
    )


def is_named(ref: str) -> bool:
    """Whether a name is that of such a rule."""
    return BETWEEN in ref and "/" not in ref


def decide(
    vault: Vault,
    working_copy: WorkingCopy,
    refs: Sequence[str],
    *,
    everything: bool,
    is_approved: bool,
) -> Mapping[str, str]:
    """Take rules into base truth as hard exceptions, or drop them; name -> text.

    refs    names; everything: all that wait
    raises  UnknownNoteError for one that does not wait
    """
    known = {
        name_of(now, fact): (now, fact)
        for now in _held_conversations(vault, working_copy)
        for fact in now.held
    }
    for ref in refs:
        if ref not in known:
            raise UnknownNoteError(
                f"no rule '{ref}' waits in a conversation", hint="`vaultmem review` lists what does"
            )
    chosen = known if everything else {ref: known[ref] for ref in refs}
    by_session: dict[str, tuple[Conversation, list[Fact]]] = {}
    for now, fact in chosen.values():
        by_session.setdefault(now.id, (now, []))[1].append(fact)
    for now, facts in by_session.values():
        _decide_one(vault, working_copy, now, facts, is_approved=is_approved)
    return {name: fact.text for name, (_, fact) in chosen.items()}


def name_of(now: Conversation, fact: Fact) -> str:
    """What such a rule is called: `heron:t3-1`."""
    return f"{now.id}{BETWEEN}{fact.id}"


def _decide_one(
    vault: Vault,
    working_copy: WorkingCopy,
    now: Conversation,
    facts: Sequence[Fact],
    *,
    is_approved: bool,
) -> None:
    held = tuple(fact for fact in now.held if fact not in facts)
    after = replace(now, held=held)
    if is_approved:
        texts = tuple(fact.text for fact in facts)
        done = apply_diff(now.facts, Diff(add=texts, hard=texts), by_person=True)
        after = replace(after, facts=number_facts(done.facts, now.turns, beside=held))
    put_all(working_copy, after, now, zone=vault.settings.timezone)


def _held_conversations(vault: Vault, working_copy: WorkingCopy) -> Iterator[Conversation]:
    """Conversations in which something waits, whole; those of most vaults are looked at shortly."""
    if not os.path.exists(vault.root / files.SESSIONS):
        return
    zone = vault.settings.timezone
    for folder in files.folders(vault).values():
        head, _ = files.head_of(folder, partial(vaults.unread.last_text, vault), zone=zone)
        if head.held:
            yield files.load(folder, working_copy.text, zone=zone)


def _truth(folder: PurePosixPath) -> PurePosixPath:
    from vaultmem.sessions.files import TRUTH  # another than above

    return folder / TRUTH


def held_apart(facts: Iterable[Fact], held: Sequence[Fact]) -> tuple[tuple[Fact, ...], ...]:
    """(facts, held) with every hard one among those that wait."""
    known = list(facts)
    gone = [fact for fact in known if fact.hard]
    kept = tuple(fact for fact in known if not fact.hard)
    return kept, (*held, *(replace(fact, hard=False) for fact in gone))
