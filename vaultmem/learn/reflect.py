"""Reflect: what the newest notes say together, by the language model of the person's settings.

An insight is an item of kind `reflection`, with its evidence as `follows_from` and the sources of
that as its own. It is the model's, so it is believed as an assistant's word is, or less where its
evidence is; it comes into no stream. Nothing is asked while a lock is held.

Park et al. 2023 (4.2) ask for focal questions first and let thoughts expire; here one question
does both, and what bears an insight out is kept with it. The guards are those of algorithms 5.13:
at least two notes as evidence, no more than half of the input insights themselves, and insights on
insights on insights are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

from vaultmem import edit, extract, language, models
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, SettingsError, dataclass, replace
from vaultmem.config import ReflectionSettings, reflection_settings
from vaultmem.language import Stems, content_words
from vaultmem.model import (
    LIMITED,
    UNTRUSTED,
    Filters,
    Insight,
    Item,
    Message,
    NoteRow,
    Plan,
    Reflected,
    Rejected,
    Weakened,
    item_id,
    list_schema,
    lowest,
    object_schema,
    trust_trailers,
    with_day,
)
from vaultmem.vault import NO_OID, Listings, day_of, item_path

if TYPE_CHECKING:
    from vaultmem.vault import Vault

KIND = "reflection"
EVIDENCE = "follows_from"
_CONFIDENCE = 0.6  # as an assistant's word
NEEDS_A_MODEL = "a reflection needs a language model, and none is set ('llm.provider')"


def reflect(vault: Vault, *, now_anyway: bool, quick: bool, dry_run: bool) -> Reflected:
    """Insights from the newest notes, in one commit, when enough is new; and old ones weakened of
    which evidence holds no more.

    now_anyway  however little is new
    quick       from the last conversations that ended and nothing else, fewer, and right away
                (algorithms.md 5.13, tier 1)
    raises      SettingsError, LocalOnlyError where no model can be asked; LLMError where its reply
                cannot be used: nothing is changed then
    """
    model = models.summariser(vault)
    if model is None:
        raise SettingsError(NEEDS_A_MODEL, hint="see `vaultmem help llm`")
    numbers = reflection_settings(vault.settings.values, quick=quick)
    vaults.level.refresh(vault)
    rows = [row for row in vault.index.list(_ITEMS) if row.trust != UNTRUSTED and row.id]
    report = Reflected(
        weight=_weight(rows),
        trigger=numbers.trigger,
        least=numbers.min_evidence,
        dry_run=dry_run,
    )
    if quick:
        from vaultmem.model import is_episode  # saves 2 modules

        rows = [row for row in rows if is_episode(row.statement)]
    elif report.weight < numbers.trigger and not now_anyway:
        return report
    drawn, report = _ask_insights(vault, rows, numbers, report)

    def write() -> Reflected:
        if dry_run:
            return _plan_insights(vault, drawn, numbers, report)[1]
        with edit.writer(vault):
            plan, planned = _plan_insights(vault, drawn, numbers, report)
            done = vaults.apply(vault, [plan]) if plan.changes else ()
        return replace(planned, commit=done[-1].commit if done else None)

    return vaults.retry_when_stale(write)


_ITEMS = Filters(types=("item",), statuses=("active",))


def _weight(rows: Sequence[NoteRow]) -> int:
    """Importance of all notes since the day of the last reflection."""
    last = max((row.confidence_at or 0 for row in rows if row.kind == KIND), default=0)
    fresh = [row for row in rows if row.kind != KIND and (row.confidence_at or 0) >= last]
    return sum(row.importance for row in fresh)


def _ask_insights(
    vault: Vault,
    rows: Sequence[NoteRow],
    numbers: ReflectionSettings,
    report: Reflected,
) -> tuple[tuple[Drawn, ...], Reflected]:
    """What the model draws from the newest notes, past the guards."""
    depths = _depths(vault, rows)
    newest = sorted(rows, key=lambda row: (-(row.confidence_at or row.date or 0), row.id))
    zone = vault.settings.timezone
    noted = [
        Noted(
            id=row.id,
            statement=row.statement,
            depth=depths.get(row.id, 0),
            day=language.known_day(row.valid_from, zone),
        )
        for row in newest
    ]
    notes = input_of(noted, most=numbers.recent, depth=numbers.depth)
    report = replace(report, read=len(notes))
    if len(notes) < numbers.min_evidence:
        return (), report
    model = models.summariser(vault, about="the newest notes")
    assert model is not None
    messages = question(
        notes,
        models.instructions("reflect"),
        insights=numbers.insights,
        mask=extract.mask_secrets,
        today=language.known_day(vault.clock.now(), zone),
    )
    found, rejected = insights_in(
        model.ask(messages, schema=SCHEMA).value,
        notes,
        language.Stems(vault.settings.languages),
        most=numbers.insights,
        least_evidence=numbers.min_evidence,
    )
    return found, replace(report, rejected=rejected)


def _depths(vault: Vault, rows: Sequence[NoteRow]) -> dict[str, int]:
    """How deep each insight is: 1 over notes, one more over insights."""
    insights = _insights(vault, rows)
    by_stem = {item.path.stem: item for item in insights.values()}

    def depth(item: Item, seen: frozenset[str]) -> int:
        below = [by_stem[stem] for stem in _evidence(item) if stem in by_stem]
        inner = [depth(each, seen | {each.id}) for each in below if each.id not in seen]
        return 1 + max(inner, default=0)

    return {id_: depth(item, frozenset((id_,))) for id_, item in insights.items()}


def _insights(vault: Vault, rows: Sequence[NoteRow]) -> dict[str, Item]:

    return vaults.load_items(vault, [row.id for row in rows if row.kind == KIND])


def _evidence(item: Item) -> tuple[str, ...]:
    """Link targets of the notes that an insight rests on."""
    return tuple(target for relation, target in item.links if relation == EVIDENCE)


# --- the plan --------------------------------------------------------------------------------


def _plan_insights(
    vault: Vault, drawn: Sequence[Drawn], numbers: ReflectionSettings, report: Reflected
) -> tuple[Plan, Reflected]:
    """The items of the insights, and those weakened, as the vault is at this moment."""
    working_copy = vaults.WorkingCopy(vault)
    listings = Listings(vault, working_copy)
    rows = {row.id: row for row in vault.index.list(_ITEMS)}
    known = _insights(vault, list(rows.values()))
    done, levels = [], {}
    for insight in drawn:
        evidence = [rows[each.id] for each in insight.evidence if each.id in rows]
        if len(evidence) < numbers.min_evidence:
            continue  # some of it went while the model wrote
        told = _keep_insight(vault, listings, insight, evidence, known, numbers)
        if told.outcome == "add":
            levels[told.id] = told.trust
        done.append(told)
    reinforced = {each.id for each in done}
    weakened = _weaken_insights(
        vault, listings, [i for i in known.values() if i.id not in reinforced]
    )
    first = done[0].statement if done else f"{len(weakened)} insights weakened"
    more = f" (+{len(done) - 1} more)" if len(done) > 1 else ""
    plan = Plan(
        op="reflect",
        actor="agent",
        subject=f"reflect: {first.rstrip('.')}{more}",
        changes=working_copy.step(),
        trailers=(
            *([("Vaultmem-Items", ", ".join(each.id for each in done))] if done else []),
            *trust_trailers(levels),
        ),
    )
    return plan, replace(report, insights=tuple(done), weakened=tuple(weakened))


def _keep_insight(
    vault: Vault,
    listings: Listings,
    insight: Drawn,
    evidence: Sequence[NoteRow],
    known: Mapping[str, Item],
    numbers: ReflectionSettings,
) -> Insight:
    """A new item, or a known one that says the same and rests on more now."""
    stems = language.Stems(vault.settings.languages)
    now, zone = vault.clock.now(), vault.settings.timezone
    links = [row.path.stem for row in evidence]
    same = next(
        (i for i in known.values() if is_alike(i.statement, insight.statement, stems)), None
    )
    if same is not None:
        before = same.confidence if same.confidence is not None else _CONFIDENCE
        confidence = extract.reinforce(before, share=vault.settings.facts_reinforce)
        every = tuple(dict.fromkeys((*_evidence(same), *links)))
        listings.patch_item(
            same,
            {
                EVIDENCE: tuple(f"[[{target}]]" for target in every),
                "confidence": round(confidence, 3),
                "confidence_at": language.format_date(now, zone),
            },
        )
        return _insight_report("reinforce", replace(same, confidence=confidence), evidence)
    trust = lowest(LIMITED, *(row.trust for row in evidence))
    id_ = item_id(KIND, language.canonical(insight.statement))
    item = Item(
        path=item_path(id_, insight.statement, at=now, zone=zone),
        oid=NO_OID,
        title="",
        body=insight.statement,
        id=id_,
        kind=KIND,
        statement=insight.statement,
        categories=_shared_category(evidence),
        valid_from=day_of(now, zone),
        source=tuple(dict.fromkeys(source for row in evidence for source in row.source)),
        importance=max(insight.importance, numbers.importance),
        confidence=_CONFIDENCE,
        confidence_at=now,
        writer="agent",
        trust=trust,
        observed="observed",
        links=tuple((EVIDENCE, link) for link in links),
    )
    listings.add_note(item)
    listings.list_item(item)
    return _insight_report("add", item, evidence)


def _insight_report(outcome: str, item: Item, evidence: Sequence[NoteRow]) -> Insight:
    return Insight(
        outcome=outcome,
        id=item.id,
        path=item.path,
        statement=item.statement,
        evidence=tuple(row.id for row in evidence),
        importance=item.importance,
        confidence=round(item.confidence or 0.0, 3),
        trust=item.trust,
    )


def _shared_category(evidence: Sequence[NoteRow]) -> tuple[str, ...]:
    """The category that most of the evidence is in; ties by name; none where none is shared."""
    counts: dict[str, int] = {}
    for row in evidence:
        for slug in row.categories:
            counts[slug] = counts.get(slug, 0) + 1
    shared = [slug for slug, count in counts.items() if count > 1]
    return (min(shared, key=lambda slug: (-counts[slug], slug)),) if shared else ()


def _weaken_insights(vault: Vault, listings: Listings, insights: Sequence[Item]) -> list[Weakened]:
    """Insights of which evidence ended or went: as sure as the share of it that still holds."""
    found = []
    now = vault.clock.now()
    for item in insights:
        stems = _evidence(item)
        held = sum(_holds(vault, stem, now) for stem in stems)
        before = item.confidence if item.confidence is not None else _CONFIDENCE
        after = round(_CONFIDENCE * held / len(stems), 3) if stems else before
        if held < len(stems) and after < before:
            zone = vault.settings.timezone
            at = language.format_date(now, zone)
            listings.patch_item(item, {"confidence": after, "confidence_at": at})
            found.append(
                Weakened(
                    id=item.id,
                    statement=item.statement,
                    before=before,
                    confidence=after,
                    held=held,
                    evidence=len(stems),
                )
            )
    return found


def _holds(vault: Vault, stem: str, now: int) -> bool:
    row = vault.index.resolve_link(stem)
    if row is None or row.status != "active":
        return False
    return row.valid_until is None or row.valid_until > now


SHARE = 0.5  # of the input that insights may be, at most
GROUNDED = 0.3  # share of an insight's content words that its notes have: it sums up, in new words
ALIKE = 0.8  # of the content words of two insights, from which they are one
_SHOWN = 200

SCHEMA = object_schema(
    insights=list_schema(
        object_schema(
            statement={"type": "string"},
            evidence=list_schema({"type": "integer"}),
            importance={"type": "integer"},
        )
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A note as it goes into a reflection."""

    id: str
    statement: str
    depth: int = 0  # 0: no insight; 1: one drawn from notes; 2: also from insights
    day: str = ""  # YYYY-MM-DD, from which it holds; '': nobody knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """An insight that passed the guards."""

    statement: str
    evidence: tuple[Noted, ...]
    importance: int  # 1..10

    @property
    def depth(self) -> int:
        """One more than the deepest of its evidence."""
        return 1 + max(each.depth for each in self.evidence)


def input_of(newest: Iterable[Noted], *, most: int, depth: int) -> tuple[Noted, ...]:
    """The notes to reflect on: newest first, at most `most`, insights no more than their share.

    depth  an insight may have, at most: those that have it already are no input
    """
    notes: list[Noted] = []
    insights: list[Noted] = []
    for each in newest:
        if each.depth == 0 and len(notes) < most:
            notes.append(each)
        elif 0 < each.depth < depth:
            insights.append(each)
    kept = insights[: min(len(notes), int(most * SHARE))]
    return (*notes[: most - len(kept)], *kept)


def question(
    notes: Sequence[Noted],
    instructions: str,
    *,
    insights: int,
    mask: Callable[[str], str],
    today: str = "",
) -> tuple[Message, Message]:
    """What the model is asked; `mask` takes out what nobody elsewhere may read.

    today  YYYY-MM-DD; '' where it does not matter
    """
    rows = [f"Today: {today}"] if today else []
    for number, note in enumerate(notes, start=1):
        mark = "(insight) " if note.depth else ""
        rows.append(f"[{number}] {mark}{with_day(note.statement, note.day)}")
    text = mask("\n".join(rows))
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    asked = f"<<<NOTES {mark}\n{text}\nNOTES {mark}>>>\nWrite down the insights."
    system = instructions.replace("{{insights}}", str(insights))
    return Message(role="system", text=system), Message(role="user", text=asked)


def insights_in(
    value: object, notes: Sequence[Noted], stems: Stems, *, most: int, least_evidence: int
) -> tuple[tuple[Drawn, ...], tuple[Rejected, ...]]:
    """The insights of a reply that fits SCHEMA, and those that a guard refuses, with its name."""
    rows = value.get("insights", ()) if isinstance(value, dict) else ()
    found: list[Drawn] = []
    rejected = []
    for row in rows[: 4 * most]:
        statement = extract.statement_in(row["statement"])
        numbers = [n for n in dict.fromkeys(row["evidence"]) if 1 <= n <= len(notes)]
        evidence = tuple(notes[number - 1] for number in numbers)
        rule = _refusal_reason(statement, evidence, stems, least_evidence)
        if not rule and len(found) >= most:
            rule = "limit"
        if rule:
            shown = "(withheld)" if rule == "secret" else statement
            rejected.append(Rejected(text=shown[:_SHOWN], rule=rule))
        else:
            importance = min(max(row["importance"], 1), 10)
            found.append(Drawn(statement=statement, evidence=evidence, importance=importance))
    return tuple(found), tuple(rejected)


def is_alike(one: str, other: str, stems: Stems) -> bool:
    """Whether two insights say the same: by the share of content words that they have in common."""
    first, second = ({stems(word) for word in content_words(text)} for text in (one, other))
    together = first | second
    return bool(together) and len(first & second) >= ALIKE * len(together)


def _refusal_reason(statement: str, evidence: Sequence[Noted], stems: Stems, least: int) -> str:
    if not statement or len(content_words(statement)) < 2:
        return "too-short"
    if len(statement) > extract.LONGEST_STATEMENT or "[[" in statement:
        return "too-long"
    if extract.is_secret(statement):
        return "secret"
    if extract.is_question(extract.tokens_of(extract.mask_inline(statement))):
        return "question"
    if len(evidence) < least or all(each.depth for each in evidence):
        return "no-evidence"
    said = "\n".join(each.statement for each in evidence)
    if any(is_alike(statement, each.statement, stems) for each in evidence):
        return "repeats-a-note"
    return "" if extract.is_supported(statement, said, stems, least=GROUNDED) else "ungrounded"
