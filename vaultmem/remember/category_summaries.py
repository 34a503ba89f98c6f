"""Summaries of categories, rewritten by a model, and the guards that a new one has to pass.

The list of items in a category is the program's and always right. The sentences above it are the
model's: each is made of items of the list, and goes when one of these does
(storage/notes/summary_block.py). A reply that fails a guard leaves the file as it is, and says so.
No lock is held while a model writes; a category that changed meanwhile keeps what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import PurePosixPath

from vaultmem import edit, language, models
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    BusyError,
    DiskError,
    LLMError,
    MissingFileError,
    PatchRefusedError,
    SettingsError,
    dataclass,
    field,
    replace,
)
from vaultmem.extract import (
    NONE_SET,
    is_secret,
    is_supported,
    is_turned_round,
    mask_secrets,
    statement_in,
)
from vaultmem.language import Stems, content_words
from vaultmem.model import (
    Evolved,
    Filters,
    Message,
    Plan,
    Remove,
    SummariseReport,
    Write,
    list_schema,
    object_schema,
    with_day,
)
from vaultmem.storage import files, notes

if TYPE_CHECKING:
    from vaultmem.model import LLM, Progress
    from vaultmem.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """A category's file as it was when the model was asked, and as it is to be."""

    evolved: Evolved
    before: bytes
    after: bytes


def summarise(
    vault: Vault, names: Sequence[str], *, dry_run: bool, progress: Progress | None = None
) -> SummariseReport:
    """Rewrite summaries, in one commit: those of the named categories, else those that miss a line.

    raises BadInputError for an unknown name, SettingsError and LocalOnlyError where no model can
    be asked; a reply that cannot be used is in the report
    """
    model = models.summariser(vault, about="categories")
    if model is None:
        raise SettingsError(NONE_SET, hint="see `vaultmem help llm`")
    vaults.level.refresh(vault)
    texts = _texts(vault, names)
    asked: list[Rewriting] = []
    for number, (path, data) in enumerate(texts.items()):
        if progress is not None:
            progress("writing summaries", number, len(texts))
        if names or _misses_a_line(data):
            asked.append(_rewritten(vault, model, path, data))
    report = SummariseReport(categories=tuple(each.evolved for each in asked), dry_run=dry_run)
    if dry_run:
        return report
    told, commit = _write_summaries(vault, asked)
    return replace(report, categories=told, commit=commit)


def afterwards(
    vault: Vault, paths: Sequence[PurePosixPath], *, progress: Progress | None = None
) -> tuple[Evolved, ...]:
    """Summaries of categories that were just written, in one commit; () where there is no model."""
    model = models.summariser(vault, about="categories")
    if model is None:
        return ()
    asked: list[Rewriting] = []
    for number, path in enumerate(paths):
        if progress is not None:
            progress("writing summaries", number, len(paths))
        with suppress(MissingFileError):  # the person took it away meanwhile
            asked.append(_rewritten(vault, model, path, files.read(vault.root, path, limit=None)))
    return _write_summaries(vault, asked)[0]


def _write_summaries(
    vault: Vault, asked: Sequence[Rewriting]
) -> tuple[tuple[Evolved, ...], str | None]:
    """Write what is new of summaries, in one commit (None: nothing is); what became of each."""
    told = tuple(each.evolved for each in asked)
    wanted = {each.evolved.path: each for each in asked if each.after != each.before}
    if not wanted:
        return told, None

    def write() -> tuple[tuple[Evolved, ...], str | None]:
        with edit.writer(vault):
            changes, stale = _changes(vault, wanted)
            plan = Plan(
                op="summarise",
                actor="maintenance",
                subject=f"summarise: {', '.join(sorted(each.path.stem for each in changes))}",
                changes=changes,
            )
            done = vaults.apply(vault, [plan]) if changes else ()
        settled = tuple(_settle_outcome(each, stale) for each in told)
        return settled, done[-1].commit if done else None

    return vaults.retry_when_stale(write)


def ahead(vault: Vault, changes: Sequence[Write | Remove]) -> dict[PurePosixPath, Rewriting]:
    """Summaries for categories as a plan is going to leave them, before any lock is taken.

    Empty where there is no model; what it cannot do is in each `evolved`.
    """
    model = models.summariser(vault, about="categories")
    touched = {
        each.path: each.content
        for each in changes
        if isinstance(each, Write) and each.path.parts[0] == "categories"
    }
    if model is None:
        return {}
    return {path: _rewritten(vault, model, path, data) for path, data in touched.items()}


def taken_in(
    changes: Sequence[Write | Remove], rewritten: Mapping[PurePosixPath, Rewriting]
) -> tuple[tuple[Write | Remove, ...], tuple[Evolved, ...]]:
    """The changes of a plan with the summaries made for them, and what became of each."""
    after: list[Write | Remove] = []
    told = []
    for change in changes:
        made = rewritten.get(change.path)
        if made is not None and isinstance(change, Write):
            is_same = change.content == made.before
            change = replace(change, content=made.after) if is_same else change
            told.append(made.evolved if is_same else _stale(made.evolved))
        after.append(change)
    return tuple(after), tuple(told)


def _rewritten(vault: Vault, model: LLM, path: PurePosixPath, data: bytes) -> Rewriting:
    """One category, asked about; a failure of any kind leaves it as it is."""
    evolved = Evolved(path=path, title=path.stem, outcome="kept")
    try:
        statements = notes.read_lines(notes.read_summary(data))
        topic = Topic(
            name=path.stem.replace("-", " "),
            summary=tuple(Sentence(text=t, targets=links) for t, links in notes.read_told(data)),
            statements=statements,
            today=language.format_date(vault.clock.now(), vault.settings.timezone),
            days=_days(vault, [target for _, target in statements]),
        )
        if not topic.is_worth_it:
            evolved = replace(evolved, outcome="skipped", why="its list is short enough")
            return Rewriting(evolved=evolved, before=data, after=data)
        asked = question(topic, models.instructions("evolve"), mask=mask_secrets)
        answer = model.ask(asked, schema=SCHEMA)
        found = summary_in(answer.value, topic, language.Stems(vault.settings.languages))
        if isinstance(found, str):
            evolved = replace(evolved, why=f"the new summary is not used: {found}")
            return Rewriting(evolved=evolved, before=data, after=data)
        after = notes.replace_told(data, [(each.text, each.targets) for each in found])
    except (LLMError, PatchRefusedError, SettingsError, DiskError, BusyError) as error:
        evolved = replace(evolved, why=error.message)
        return Rewriting(evolved=evolved, before=data, after=data)
    evolved = replace(
        evolved,
        outcome="same" if after == data else "rewritten",
        sentences=tuple(each.text for each in found),
    )
    return Rewriting(evolved=evolved, before=data, after=after)


def _days(vault: Vault, targets: Sequence[str]) -> dict[str, str]:
    """From when items hold, by their links' targets; what the index does not know is of today."""
    days = {}
    for target in targets:
        row = vault.index.resolve_link(target)
        at = vault.clock.now() if row is None else row.valid_from
        days[target] = language.known_day(at, vault.settings.timezone)
    return days


def _texts(vault: Vault, names: Sequence[str]) -> dict[PurePosixPath, bytes]:
    """The files of the named categories; of all of them, where none is named."""
    rows = vault.index.list(Filters(types=("category",)))
    by_name = {language.fold(name): row.path for row in rows for name in (row.title, row.path.stem)}
    paths = sorted(row.path for row in rows)
    if names:
        unknown = [
            n
            for n in names
            if language.fold(n) not in by_name and language.slugify(n) not in by_name
        ]
        if unknown:
            known = ", ".join(path.stem for path in paths[:20])
            raise BadInputError(f"no category is called '{unknown[0]}'", hint=f"there are: {known}")
        paths = [by_name.get(language.fold(n)) or by_name[language.slugify(n)] for n in names]
    return {path: files.read(vault.root, path, limit=None) for path in paths}


def _misses_a_line(data: bytes) -> bool:
    """Whether the list has an item that the sentences above it do not tell of."""
    told = {target for _, targets in notes.read_told(data) for target in targets}
    return not told.issuperset(notes.read_links(data))


def _changes(
    vault: Vault, wanted: Mapping[PurePosixPath, Rewriting]
) -> tuple[tuple[Write | Remove, ...], frozenset[PurePosixPath]]:
    """The writes of categories that are as they were, and the paths of those that are not."""
    working_copy = vaults.WorkingCopy(vault)
    stale = set()
    for path, made in wanted.items():
        if working_copy.text(path) == made.before:
            working_copy.put(path, made.after)
        else:
            stale.add(path)
    return working_copy.step(), frozenset(stale)


def _settle_outcome(evolved: Evolved, stale: frozenset[PurePosixPath]) -> Evolved:
    return _stale(evolved) if evolved.path in stale else evolved


def _stale(evolved: Evolved) -> Evolved:
    if evolved.outcome != "rewritten":
        return evolved
    return replace(evolved, outcome="kept", why="it changed while the model wrote", sentences=())


# --- a summary rewritten, and its guards ---

# Never-forgets has the model overwrite a summary; algorithms 7.1 adds what has to hold for it: each
# sentence is borne out by statements that hold now, and nothing else disappears. A sentence carries
# the statements that it is made of, so that it goes when one of them does.
LOST = 0.2  # share of the old summary's content words that may go, at most (algorithms 7.1)
MOST_SENTENCES = 12
_LONGEST_SENTENCE = 300  # characters
_MOST_STATEMENTS = 100
_FEWEST = 3  # statements that are worth a summary: of fewer, the list is one

SCHEMA = object_schema(
    sentences=list_schema(
        object_schema(
            text={"type": "string"},
            statements=list_schema({"type": "integer"}),
        )
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a summary, and the statements (by their targets) that bear it out."""

    text: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A category as it is: its summary, and its statements that hold now."""

    name: str
    summary: tuple[Sentence, ...]
    statements: tuple[tuple[str, str], ...]  # (statement, target), newest first
    today: str = ""  # YYYY-MM-DD
    days: Mapping[str, str] = field(default_factory=dict)  # by target, from when it holds

    @property
    def is_worth_it(self) -> bool:
        """Whether there is more to say than a list of one or two lines says."""
        return len(self.statements) >= _FEWEST


def question(
    topic: Topic, instructions: str, *, mask: Callable[[str], str]
) -> tuple[Message, Message]:
    """What the model is asked; `mask` takes out what nobody elsewhere may read."""
    was = "\n".join(sentence.text for sentence in topic.summary) or "(none yet)"
    numbered = enumerate(topic.statements[:_MOST_STATEMENTS], start=1)
    now = "\n".join(
        f"[{number}] {with_day(statement, topic.days.get(target, ''))}"
        for number, (statement, target) in numbered
    )
    head = f"Topic: {topic.name}\n" + (f"Today: {topic.today}\n" if topic.today else "")
    text = mask(f"{head}\nThe summary as it was:\n{was}\n\nStatements:\n{now}")
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    asked = f"<<<TOPIC {mark}\n{text}\nTOPIC {mark}>>>\nWrite the summary as it should be now."
    return Message(role="system", text=instructions), Message(role="user", text=asked)


def summary_in(value: object, topic: Topic, stems: Stems) -> tuple[Sentence, ...] | str:
    """The sentences of a reply that fits SCHEMA, or why it is not used; nothing of it is believed.

    One sentence that is not borne out spoils the reply: what else a model made up there, nobody
    can tell.
    """
    rows = value.get("sentences", ()) if isinstance(value, dict) else ()
    if not 0 < len(rows) <= MOST_SENTENCES:
        return f"it has {len(rows)} sentences"
    known = topic.statements[:_MOST_STATEMENTS]
    found = []
    for row in rows:
        text = statement_in(row["text"])
        numbers = list(dict.fromkeys(row["statements"]))
        if not numbers or not all(1 <= number <= len(known) for number in numbers):
            return f"a sentence is made of no statement: {_excerpt(text)}"
        cited = [known[number - 1] for number in numbers]
        refused = _refusal_reason(text, [statement for statement, _ in cited], stems)
        if refused:
            return f"{refused}: {_excerpt(text)}"
        found.append(Sentence(text=text, targets=tuple(target for _, target in cited)))
    lost = share_lost(topic, found, stems)
    return f"it loses {lost:.0%} of what the summary said" if lost >= LOST else tuple(found)


def share_lost(topic: Topic, after: Iterable[Sentence], stems: Stems) -> float:
    """The share of the old summary's content words that the new one has not, 0..1.

    Of the old one count the sentences whose statements all hold still: what else it said may go.
    """
    holding = {target for _, target in topic.statements}
    said = " ".join(each.text for each in topic.summary if holding.issuperset(each.targets))
    before = {stems(word) for word in content_words(said)}
    now = {stems(word) for each in after for word in content_words(each.text)}
    return len(before - now) / len(before) if before else 0.0


def _refusal_reason(text: str, statements: Sequence[str], stems: Stems) -> str:
    if not text or len(text) > _LONGEST_SENTENCE:
        return "a sentence is empty or too long"
    if "[[" in text or "<!--" in text or is_secret(text):
        return "a sentence holds what no summary may"
    together = "\n".join(statements)
    if not is_supported(text, together, stems):
        return "a sentence says what its statements do not"
    return "a sentence turns round what is said" if is_turned_round(text, together) else ""


def _excerpt(text: str) -> str:
    return f"'{text[:80]}'"
