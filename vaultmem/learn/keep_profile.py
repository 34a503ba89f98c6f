"""The person's profile, made anew from notes and conversations into categories/profile.md.

Everything in its managed block is ours and is overwritten; it is never read. What the person
writes around the block stays.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.config.learning import learning_settings
from vaultmem.learn.conversations import conversations
from vaultmem.learn.profile import Entry, Known, Skill, profile
from vaultmem.learn.rule_notes import texts
from vaultmem.model.answers import Filters, is_current
from vaultmem.model.jobs import Profile, ProfileField, ProfileValue
from vaultmem.model.notes import Item
from vaultmem.model.plan import Plan
from vaultmem.model.trust import USER
from vaultmem.model.wording import counted, subject
from vaultmem.vault import level
from vaultmem.vault.plan import Workbench

if TYPE_CHECKING:
    from vaultmem.model.ports import Progress
    from vaultmem.vault.vault import Parts

PATH = PurePosixPath("categories", "profile.md")
UNKNOWN = "unknown"
_READ = ("fact", "preference", "rule")
_HEAD = "# Profile\n\nMade by `vaultmem profile` from the notes that it names. Change those.\n"


def update_profile(
    parts: Parts, *, dry_run: bool = False, progress: Progress | None = None
) -> Profile:
    """The profile, written where it changed, in one commit; a dry run only says it."""
    from vaultmem.edit.writer import writer
    from vaultmem.vault.apply import apply

    if dry_run:
        found, plan = level.reading(parts, lambda: planned(parts, progress))
        return replace(found, dry_run=True, changed=plan is not None)
    with writer(parts):
        found, plan = planned(parts, progress)
        if plan is None:
            return found
        [done] = apply(parts, [plan])
    return replace(found, commit=done.commit, changed=True)


def planned(parts: Parts, progress: Progress | None = None) -> tuple[Profile, Plan | None]:
    """The profile and the plan that writes it; None: the file says so already."""
    from vaultmem.storage.git.neighbours import require_apart
    from vaultmem.storage.notes.summary_block import replace_summary

    talks = conversations(parts, progress=progress)
    settings = learning_settings(parts.settings.values)
    entries = profile(
        _known(parts),
        [(talk.session, talk.path.stem) for talk in talks],
        now=parts.clock.now(),
        zone=parts.settings.timezone,
        skill=Skill(
            gain=settings.profile_expertise_gain,
            half_life_days=settings.profile_expertise_half_life_days,
        ),
    )
    bench = Workbench(parts)
    before = bench.text(PATH)
    if before is None:
        require_apart(parts.root, PATH)
    bench.put(PATH, replace_summary(_HEAD.encode() if before is None else before, _table(entries)))
    changes = bench.step()
    found = Profile(fields=tuple(_told(entry) for entry in entries), path=PATH)
    if not changes:
        return found, None
    filled = sum(bool(entry.values) for entry in entries)
    what = subject("profile", f"{counted(filled, 'field')} known, {len(entries) - filled} unknown")
    return found, Plan(op="profile", actor="maintenance", subject=what, changes=changes)


def _known(parts: Parts) -> list[Known]:
    """The notes that hold and are the person's own words, by path."""
    from vaultmem.vault.unsettled import read_record

    now = parts.clock.now()
    found = []
    rows = parts.index.list(Filters(types=("item",), kinds=_READ, statuses=("active",)))
    for row in sorted(rows, key=lambda row: row.path):
        if row.trust not in ("", USER) or not is_current(row, now):
            continue
        rule = read_record(parts, row.path) if row.kind == "rule" else None
        value = polarity = ""
        if isinstance(rule, Item):
            value = " ".join(texts(rule, "value"))
            polarity = " ".join(texts(rule, "polarity"))
        found.append(
            Known(
                source=row.path.stem,
                statement=row.statement,
                kind=row.kind,
                subject=row.subject,
                predicate=row.predicate,
                object=row.object,
                value=value,
                polarity=polarity or "prefer",
            )
        )
    return found


def _table(entries: tuple[Entry, ...]) -> str:
    rows = ["| | | from |", "| --- | --- | --- |"]
    for entry in entries:
        name = entry.field.replace("_", " ")
        for value, sources in entry.values or ((UNKNOWN, ()),):
            links = " ".join(f"[[{source}]]" for source in sources)
            rows.append(f"| {name} | {_cell(value)} | {links} |")
            name = ""
    return "\n".join(rows)


def _cell(text: str) -> str:
    plain = " ".join(text.split()).replace("|", "/").replace("[[", "[").replace("]]", "]")
    return plain.replace("<!--", "").replace("-->", "")


def _told(entry: Entry) -> ProfileField:
    return ProfileField(
        field=entry.field,
        values=tuple(ProfileValue(value=value, sources=names) for value, names in entry.values),
    )
