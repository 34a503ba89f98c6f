"""The words of recall: what is asked, what is found, and why it was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, Literal, WorkedOut, dataclass, field, overload


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which notes may answer. Empty means any. Times are UTC ms, half open `[since, until)`."""

    types: tuple[str, ...] = ()  # item, resource, category, stream, page
    kinds: tuple[str, ...] = ()
    streams: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()  # items that name one of these, in any spelling of one key
    projects: tuple[str, ...] = ()  # told in one of these (model/projects.py); 'none': in none
    statuses: tuple[str, ...] = ()
    trusts: tuple[str, ...] = ()  # untrusted, limited, user
    hard: bool = False  # hard exceptions alone
    critical: bool = False  # what concerns health, safety or a limit alone
    since: int | None = None
    until: int | None = None


_ANY = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One reason behind a score: what it is called and how much it gave."""

    name: str
    value: float
    note: str = ""


class LateParts(Sequence[Part]):
    """The parts of a score, worked out when somebody looks: most of what is found is not explained.

    With the parts of its ten hits worked out a warm recall of 10,000 passages took a third longer.
    """

    def __init__(self, work_out: Callable[[], Iterable[Part]]) -> None:
        """`work_out` is called once at most, at any time: so it must ask no open file."""
        self._work_out: Callable[[], Iterable[Part]] | None = work_out
        self._parts: tuple[Part, ...] = ()

    def _all(self) -> tuple[Part, ...]:
        work_out = self._work_out
        if work_out is not None:
            self._parts = tuple(work_out())
            self._work_out = None
        return self._parts

    @overload
    def __getitem__(self, key: int) -> Part: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Part]: ...
    def __getitem__(self, key: int | slice) -> Part | Sequence[Part]:
        return self._all()[key]

    def __len__(self) -> int:
        return len(self._all())


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A query word that no note contains, and what was searched for instead."""

    word: str
    used: tuple[str, ...]
    similarity: float  # of the best one, 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The unit of retrieval: a paragraph, bullet or turn, at most 80 words."""

    text: str
    seq: int  # order in its note, from 0
    line: int  # 1-based line in the file
    speaker: str = ""
    date: int | None = None  # UTC ms


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """What the index knows of one note, without its text."""

    path: PurePosixPath
    oid: str
    id: str  # '' when the note has none
    type: str  # item, resource, category, stream, page
    kind: str = ""
    title: str
    statement: str = ""  # items: the statement; others: the first words
    stream: str = ""
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    status: str = ""
    date: int | None = None  # valid_from of an item, own date of a resource; UTC ms
    valid_from: int | None = None
    valid_until: int | None = None
    importance: int = 0
    confidence: float | None = None
    confidence_at: int | None = None
    pinned: bool = False
    hard: bool = False
    source: tuple[str, ...] = ()  # link targets
    quote: str = ""
    trust: str = ""
    writer: str = ""
    subject: str = ""  # with predicate: the slot of an item; see model/slots.py
    predicate: str = ""
    object: str = ""  # the value in the slot
    critical: str = ""  # health, safety, limit; '': none, or not the person's word
    due: int | None = None  # UTC ms
    said_after: str = ""
    asked: str = ""  # the question of an assistant that it answers
    projects: tuple[str, ...] = ()  # in which it was told; (): in none


def is_current(row: NoteRow, at: int) -> bool:
    """True if a fact is active and not over by an instant (UTC ms)."""
    return row.status == "active" and (row.valid_until is None or row.valid_until > at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A passage that matches, with its score before notes are put together."""

    path: PurePosixPath
    passage: Passage
    score: float
    parts: Sequence[Part] = ()  # worked out when they are looked at
    coverage: float = 1.0  # share of the question's weight that is found here, 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """By which clocks a question was asked. Times are UTC ms."""

    valid_at: int | None = None  # answered with what held then; None: by status
    known_at: int | None = None  # and as it was known then; None: as it is known now
    commit: str = ""  # the last one that was known then; '': none, or asked as of now
    revision: str = ""  # the revision that was named in place of a time
    begins: int | None = None  # when the history begins, where nothing was known yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """What came after what an answer about another time says."""

    what: str  # changed, corrected, ended, retracted, removed
    then: str = ""  # the value of the slot then; '': it is in no slot, or in another now
    text: str = ""  # what is so since: the value of the slot, or the statement
    valid_from: int | None = None  # from when on it is so (ended: is not); None: not said
    recorded_at: int | None = None  # when the vault learnt of it; None: not committed yet
    commit: str = ""  # that brought it; '': not committed yet
    id: str = ""  # of the note that says so; '': the same note
    path: PurePosixPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A note that says otherwise, where nobody decided which is right."""

    id: str
    path: PurePosixPath
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """That a sentence of a text, which stays as it was written, is not what is known now."""

    what: str  # corrected, changed, ended, retracted, deleted
    quote: str  # the sentence
    text: str = ""  # corrected, changed: what is said in its place
    id: str = ""  # of the item that says so now; ended, retracted: of the one that quotes it
    path: PurePosixPath

    def describe(self) -> str:
        """It in words: `corrected since: “Tea.” (now: Coffee. i-7f3a2kq9xw)`."""
        name = self.id or str(self.path)
        now = f"now: {self.text} {name}" if self.text else name
        return f"{self.what} since: “{self.quote}” ({now})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A note that answers, with its best passages and the parts of its score."""

    note: NoteRow
    score: float  # comparable within one answer
    passages: tuple[Passage, ...]
    parts: Sequence[Part] = ()  # a tuple to whoever reads it; `LateParts` is then worked out
    pending: bool = False  # the text is on disk but not committed yet
    suspicion: str = ""  # why recall does not answer with it (`vaultmem help trust`); '': it may
    later: tuple[Later, ...] = ()  # asked about another time: what came after, oldest first
    rivals: tuple[Rival, ...] = ()  # what competes with it, the newest first
    outdated: tuple[Outdated, ...] = ()  # sentences of its passages and quote that are not so now
    doubt: str = ""  # what was said later may have ended it; '': nothing that is known


if not TYPE_CHECKING:
    Hit.parts = WorkedOut(Hit.parts)


PRESETS = ("default", "park", "smriti", "kautilya", "never_forgets", "balanced", "linked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordering:
    """How an answer is to be ranked; see docs/ranking.md."""

    preset: str = ""  # of PRESETS; '': the one of the settings
    diverse: bool = False  # of notes that say the same, the others wait
    expand: bool = False  # what the hits are linked to comes after them
    seed: int | None = None  # sample the learned weights with it; None: take their means


_USUAL = Ordering()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question and how it is to be answered, by whichever way it comes; `search` has the same.

    How each field is given on the command line, and its help, stand in api/requests.py.
    """

    query: str
    limit: int | None = None  # None: `recall.k` of the settings, `search.limit` of a search
    filters: Filters = _ANY
    half_lives: Mapping[str, float | None] | None = None  # stream -> days, None: it never fades
    tiered: bool = False  # summaries of categories before items, items before texts
    rounds: int | None = None  # 1: ask once; more: in parts; None: as the settings say
    rerank: bool | None = None  # by a language model; None: `recall.rerank`, of a search not
    preset: str | None = None  # of PRESETS; this and the next three: `Ordering`
    diverse: bool = False
    expand: bool = False
    seed: int | None = None
    project: str = ""  # in which it is asked (model/projects.py): told there goes first; '': none
    as_of: int | str | None = None  # valid time: UTC ms, or a text in the zone of the vault
    known_at: int | str | None = None  # record time, or a revision

    @property
    def ordering(self) -> Ordering | None:
        """How the hits are to be ranked; None: as the settings say."""
        asked = Ordering(
            preset=self.preset or "", diverse=self.diverse, expand=self.expand, seed=self.seed
        )
        return None if asked == _USUAL and self.preset is None else asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How an answer was ranked, where not by words alone."""

    preset: str
    weights: tuple[tuple[str, float], ...] = ()  # component, share of 1; () where there are none
    judgements: int = 0  # what people said of answers of this preset
    learned: bool = False  # the weights are those of the judgements, not the fixed ones
    seed: int | None = None  # they were sampled with it
    diverse: bool = False
    entities: tuple[str, ...] = ()  # that the question names, where the graph was asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """What was read at one depth, and how much of the question it held."""

    name: str  # categories, summaries, items, resources
    notes: int  # read or found there
    held: tuple[str, ...] = ()  # words of the question that it holds
    coverage: float = 0.0  # their share of all its words, 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sufficiency:
    """What a language model said when it was asked whether a tier answers the question."""

    tier: str  # summaries, items
    enough: bool | None  # None: no answer that can be used, words decided
    by: str = ""  # the model
    why: str = ""  # no answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiered:
    """How deep a question was read, and where that was enough."""

    answered_by: str  # summaries, items, resources; '': no memory found
    words: tuple[str, ...]  # the content words of the question
    needed: float  # share of them that summaries have to hold, 0..1
    tiers: tuple[Tier, ...]  # those that were read, in order
    categories: tuple[str, ...] = ()  # names of those whose summaries were read
    are_named: bool = False  # the question names these; else they are all there are
    summaries: tuple[Hit, ...] = ()  # categories with the lines that hold most of the question
    judged: tuple[Sufficiency, ...] = ()  # by a model, in the order asked; () where none is set up


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """What a language model said when it was asked which memories help to answer."""

    shown: int  # memories that it had before it
    by: str = ""  # the model; '': none was asked
    chosen: tuple[int, ...] = ()  # places that they had before, from 1, in the order it chose
    why: str = ""  # its reply counts for nothing; '': it counts, also where it chose none


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """A word of the question for which others stood in, too."""

    word: str
    how: str  # what they are to it: "goes with 'pets'"
    passages: int  # that hold such a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One time that the index was asked."""

    query: str
    why: str  # in a few words
    passages: int  # that it gave, at most as many as were asked for
    new: int  # of them, those that no round before gave
    number: int = 1  # of the round; several questions may be asked in one
    weight: float = 1.0  # what it counts for beside the question itself, 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """How an answer came about, before its hits were ranked."""

    rounds: tuple[Round, ...]
    stood: tuple[Stood, ...] = ()
    passages: int = 0  # in the index
    coverage: float = 0.0  # share of the question's weight that the best passage holds, 0..1
    needed: float | None = None  # below it there is no answer; None: everything found is listed
    meaning: str = ""  # the model whose vectors were asked, too; '': words alone
    without: str = ""  # why none were, though embeddings are switched on
    ended: str = ""  # why no further round was asked; '': one was all that was wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The result of one question; no hits means 'no memory found'."""

    query: str
    hits: tuple[Hit, ...]
    repairs: tuple[Repair, ...] = ()
    terms: tuple[str, ...] = ()  # what was searched for after analysis
    filters: Filters = field(default_factory=Filters)
    searched: int = 0  # notes in the index
    moment: Moment | None = None  # the time that was asked about; None: now
    ranking: Ranking | None = None  # None: by words and age, as usual
    tiered: Tiered | None = None  # how deep it was read; None: not asked to go by tiers
    reranked: Reranked | None = None  # what a model put first; None: not asked to rerank
    plan: AnswerPlan | None = None  # how it came about
    is_level: bool = True  # False: the files were not compared with the index (`--no-sync`)
    synced_at: int | None = None  # then: when it last took in what had changed (UTC ms)


# The words of context: what an assistant is given before it answers, and what was left out.

HONEST = "Where it does not answer, say that you do not know; make no memory up."
"""What every assistant is told that is given memories, by whatever way."""

Format = Literal["markdown", "json", "messages", "xml"]
FORMATS = ("markdown", "json", "messages", "xml")

# Tiers in the order in which they stand in the text; the first ones do not depend on the question.
HARD, PERSONA, PERSON, RULES = "hard", "persona", "user", "rules"
CRITICAL = "critical"  # health, safety, limits: what nobody may overlook
SESSIONS = "sessions"  # conversations that ended
CURRENT = "current"
FACTS, EVENTS, INFERRED = "facts", "events", "inferred"
MORE_CRITICAL = "more_critical"  # of it, what had no room there, nearest the question first
BESIDE = "beside"  # what is known beside that, where room is left
SESSION, TURNS = "session", "turns"  # of a conversation that goes on
STANDING = (HARD, CRITICAL, PERSONA, PERSON, RULES, SESSIONS, CURRENT)
FOUND = (MORE_CRITICAL, FACTS, EVENTS, INFERRED, BESIDE, SESSION, TURNS)
KNOWN = (MORE_CRITICAL, BESIDE)  # given beside an answer, or in its place where there is none
TIERS = (*STANDING, *FOUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One memory in a context: on one line, with nothing in it that acts."""

    tier: str  # of TIERS
    text: str
    citation: str  # [i-9t18p2], the start of its id; [[name]] of a note without one
    path: PurePosixPath
    at: str  # path@commit; a path alone while it is not committed
    id: str = ""  # '' when the note has none
    date: str = ""  # YYYY-MM-DD in the vault's zone; '' unknown
    kept: str = ""  # YYYY-MM, or a day: when the vault got it, as its folder says; '' unknown
    until: str = ""  # the day on which it ended; '': it holds
    ends: str = ""  # it holds, and this is the last day; '': not said, or the same as `due`
    due: str = ""  # the day, or day and time, of an appointment or deadline: 2026-06-23 10:40
    kind: str = ""
    stream: str = ""  # identity, projects, tasks, flow; '' none
    line: int | None = None  # of a passage: where it begins in the file, from 1
    remark: str = ""  # whose words it is, where not the person's own; '' theirs
    doubt: str = ""  # that it may be out of date, or was not confirmed for long; '': neither
    record: bool = False  # that there was a conversation, or what an assistant said in it
    score: float = 0.0  # in the answer to the question; 0 where nothing was asked
    importance: int = 0  # of an item, 1..10; 0 of what nobody weighed
    tokens: int = 0  # that it takes in the text
    turn: str = ""  # what was said in one breath stands on one line; '': it stands alone
    place: int = 0  # in that turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """What one tier, or one stream of it, had, might take and took. All in tokens."""

    name: str
    content: int  # that could have been given
    granted: int  # that it might take
    used: int
    lines: int  # that are in the text
    left_out: int  # memories that are not


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a chat, as the APIs of OpenAI and Anthropic take it."""

    role: str  # system, user
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What an assistant is given, counted.

    `text` is the whole in the format that was asked for; `standing` and `fresh` are its two parts
    as Markdown: the first does not depend on the question and is the same, byte for byte, until a
    note in it changes, so that a provider can keep it.
    """

    question: str
    format: str  # of FORMATS
    text: str
    standing: str
    fresh: str  # what was found for the question; '' where none was asked
    messages: tuple[ChatMessage, ...]  # the same for a chat: the question stands at the end
    tokens: int  # of `text`; of the messages when they are the format
    budget: int
    counter: str  # that counted
    lines: tuple[Line, ...]  # in the order of the text
    portions: tuple[Portion, ...]
    allocation: str  # `context.allocation`: how the room for what was found was divided
    left_out: tuple[tuple[str, int], ...] = ()  # (where, how many) memories that found no room
    withheld: int = 0  # texts from outside that talk to an assistant: never given
    unsure: int = 0  # of `lines`, those with a `doubt`: given, with that mark
    found: bool = True  # False: a question was asked, and no memory answers it
    moment: Moment | None = None  # the time that was asked about; None: now
    is_level: bool = True  # False: the files were not compared with the index (`--no-sync`)
    synced_at: int | None = None  # then: when it last took in what had changed (UTC ms)
