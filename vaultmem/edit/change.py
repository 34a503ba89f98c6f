"""The four operations on a fact: change, correct, expire, retract (algorithms 2.3).

The world changed; the record was wrong; it ended; it was never so. Each is planned twice: once
to find what speaks against it, before anything of the person's is settled or locked, and once
under the lock. Nothing is ever deleted.
"""

from __future__ import annotations

from vaultmem import extract, privacy
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.facts import Wanted, plan_fact
from vaultmem.model import Changed, Plan
from vaultmem.vault import Listings, WorkingCopy, level

if TYPE_CHECKING:
    from vaultmem.vault import Vault


def carry_out(vault: Vault, wanted: Wanted, *, dry_run: bool = False) -> Changed:
    """Do it in one commit; a repetition of what holds already does nothing.

    raises  BadInputError, UnknownNoteError, NotAllowedError, SecretFoundError:
            nothing was changed then
    """
    from vaultmem.edit.settle import writer  # saves 12 modules

    wanted = _screen(vault, wanted)
    level.refresh(vault)
    working_copy = WorkingCopy(vault)
    report = plan_fact(vault, Listings(vault, working_copy), wanted).report
    if dry_run or report.no_op:
        files = tuple(change.path for change in working_copy.step())
        return replace(report, dry_run=dry_run, files=files)

    def write() -> Changed:
        with writer(vault):
            return _do(vault, wanted)

    return vaults.retry_when_stale(write)


def _do(vault: Vault, wanted: Wanted) -> Changed:
    """Plan on the files as they are now, and carry it out; under the lock."""
    working_copy = WorkingCopy(vault)
    listings = Listings(vault, working_copy)
    planned = plan_fact(vault, listings, wanted)
    report = planned.report
    changes = working_copy.step()
    if report.no_op or not changes:
        return report
    ids = [state.id for state in (report.after, report.successor) if state is not None]
    plan = Plan(
        op=wanted.op,
        actor=wanted.writer,
        subject=report.subject,
        changes=changes,
        trailers=(("Vaultmem-Items", ", ".join(ids)), *planned.trailers),
    )
    done = vaults.apply(vault, [plan])
    level.keep_problems(vault, wanted.op, listings.problems)
    commit = done[-1].commit
    return replace(report, commit=commit, files=tuple(change.path for change in changes))


def _screen(vault: Vault, wanted: Wanted) -> Wanted:
    """What is asked for in words that may be written: one line each, and no secret in it."""
    settings = vault.settings
    screening = privacy.Screening(settings, policy=None, is_imported=wanted.writer != "person")
    cleaned = []
    for place, text in (("text", wanted.statement), ("value", wanted.value)):
        extract.require_text(text, settings.limits_note_bytes)
        cleaned.append(screening.clean(place, " ".join(text.split())))
    screening.finish()
    return replace(wanted, statement=cleaned[0], value=cleaned[1])
