"""status, check, audit, sync, watch, reindex."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from vaultmem import check, config, watch
from vaultmem.base import EXIT_PROBLEMS, EXIT_SUSPICIOUS, TYPE_CHECKING, BadInputError
from vaultmem.cli.failures import until_stopped
from vaultmem.cli.note_lines import SHORT_COMMIT, moment, one_line
from vaultmem.cli.open_vault import clock, open_memory
from vaultmem.cli.options import Shared, limit_option, shown_progress, with_shared
from vaultmem.cli.output import say, say_json, say_now
from vaultmem.cli.report_lines import (
    check_lines,
    plan_lines,
    status_lines,
    sync_lines,
)
from vaultmem.model import Severity, pluralise

if TYPE_CHECKING:
    from vaultmem.model import AuditReport, Claims, Finding, Group, Planned

FOR_A_SCREEN, FOR_PROGRAMS = 10, 1_000
_PATHS = 3


@click.command("audit")
@click.option("--since", metavar="REV|DATE", help="Compare from this commit or date on.")
@click.option("--acknowledge", is_flag=True, help="Accept what is listed: the new anchor.")
@click.option("--claims", is_flag=True, help="Instead: praise of you that nothing bears out.")
@limit_option
@with_shared
def audit_command(
    shared: Shared, since: str | None, acknowledge: bool, claims: bool, limit: int | None
) -> int:
    """Name what was changed from outside, and what was sent.

    Compares the vault with what this device recorded, since you last accepted it. Suspicious
    changes come first, normal ones (edits by hand, your own git commits) after them. The exit
    code is 0 when there is nothing, 1 when there are normal changes only, 3 when something is
    suspicious.

    \b
    vaultmem audit
    vaultmem audit --since 2026-11-01
    vaultmem audit --acknowledge
    vaultmem audit --claims

    --claims lists what is said of you to your credit ("I am always on time") and what happened
    that bears it out, or does not. It only reports, and its exit code is 0.
    """
    if claims:
        if since or acknowledge:
            raise click.UsageError("--claims goes with neither --since nor --acknowledge")
        return _claims(shared, limit or FOR_A_SCREEN)
    shown = limit or (FOR_PROGRAMS if shared.as_json else FOR_A_SCREEN)
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        report = memory.vault.audit(
            since=since, limit=shown, acknowledge=acknowledge, progress=progress
        )
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(report, zone)
    else:
        say(audit_lines(report, zone, since=since))
        if acknowledge:
            say(["accepted: from here on only what is new is listed"])
    if report.suspicious:
        return EXIT_SUSPICIOUS
    return EXIT_PROBLEMS if report.normal else 0


def _claims(shared: Shared, shown: int) -> int:
    with open_memory(shared.vault) as memory:
        found, zone = memory.learn.claims(), memory.settings.timezone
    return shared.say(found, claims_lines(found, shown), zone)


def claims_lines(found: Claims, shown: int) -> Iterator[str]:
    """How much of what is known of the person is praise, and which of it is doubtful."""
    total = f"{len(found.claims)} of {pluralise(found.facts, 'fact')}"
    yield f"{total} about you say something good of you ({found.share:.0%})"
    doubtful = [claim for claim in found.claims if claim.verdict != "supported"]
    for claim in doubtful[:shown]:
        if claim.verdict == "contradicted":
            speak = "event speaks" if len(claim.opposite) == 1 else "events speak"
            told = ", ".join(claim.opposite[-3:])
            why = f"{len(claim.opposite)} {speak} against it: {told}"
        else:
            against = f", {len(claim.opposite)} against it" if claim.opposite else ""
            said = "1 text says" if claim.texts < 2 else f"{claim.texts} texts say"
            why = f"{said} so, no event bears it out{against}"
        whose = "" if claim.trust in ("", "user") else f"; not your own words ({claim.writer})"
        yield f"{'!' if claim.verdict == 'contradicted' else '-'} {one_line(claim.statement, 90)}"
        yield f"    {claim.verdict} · {claim.id} · {why}{whose}"
    if len(doubtful) > shown:
        yield f"  and {len(doubtful) - shown} more (--limit)"
    if not doubtful:
        yield "none of it is doubtful"


def audit_lines(report: AuditReport, zone: str, *, since: str | None = None) -> Iterator[str]:
    """What an audit found: the anchor, then suspicious, normal, and what was sent.

    since  what it began with instead of the anchor, as it was asked
    """
    yield _anchor(report, zone, since)
    if report.suspicious:
        yield "\nSuspicious"
        for group in report.suspicious:
            yield from _group_lines(group, zone)
    if report.normal:
        yield "\nNormal"
        for group in report.normal:
            yield from _group_lines(group, zone)
    if report.sent:
        yield f"\nSent from this device: {report.sent}"
        for each in report.sendings:
            yield f"    {moment(each.at, zone)}  {each.what} to {each.where} ({each.how_much})"
        yield from _more(report.sent - len(report.sendings))
    yield from (f"note: {remark}" for remark in report.remarks)
    if report.is_clean:
        yield "nothing was changed from outside"
    else:
        yield "\n`git show COMMIT` shows a change, `vaultmem audit --acknowledge` accepts all of it"


def _anchor(report: AuditReport, zone: str, since: str | None) -> str:
    if report.beginning:
        at = f" at {report.anchor[:SHORT_COMMIT]}" if report.anchor else ""
        return f"no anchor on this device: beginning now{at}; what was there before is not judged"
    recorded = f"{report.recorded} commit{'s' * (report.recorded != 1)} recorded since"
    at = f" at {report.anchor[:SHORT_COMMIT]}" if report.anchor else ""
    if since is not None:
        return f"compared since {moment(report.anchored_at, zone)}{at}, {recorded}"
    verb = "accepted" if report.accepted else "kept"
    return f"anchor {verb} {moment(report.anchored_at, zone)}{at}, {recorded}"


def _group_lines(group: Group, zone: str) -> Iterator[str]:
    yield f"  {group.title}: {group.count}"
    for finding in group.findings:
        yield from (f"    {line}" for line in _finding_lines(finding, zone))
    yield from _more(group.count - len(group.findings))


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield f"    and {count} more (-n shows more)"


def _finding_lines(finding: Finding, zone: str) -> Iterator[str]:
    """The change, then (for commits) what it is and which notes it touched."""
    head = [finding.commit[:SHORT_COMMIT]] if finding.commit else []
    if finding.at is not None:
        head.append(moment(finding.at, zone))
    if finding.path is not None:
        head.append(f"{one_line(str(finding.path))}: {finding.what}")
    elif not finding.commit:
        head.append(finding.what)
    elif finding.subject:
        head.append(one_line(finding.subject))
    else:
        head.append(f"({finding.what})")
    yield "  ".join(head)
    if finding.commit and finding.path is None and finding.subject:
        yield f"    {_about(finding)}"


def _about(finding: Finding) -> str:
    by = f"; by {one_line(finding.author)}" if finding.author else ""
    count = len(finding.paths) + finding.more_paths
    if not count:
        return f"{finding.what}{by}; no note changed"
    shown = ", ".join(one_line(str(path)) for path in finding.paths[:_PATHS])
    more = f" and {count - _PATHS} more" if count > _PATHS else ""
    return f"{finding.what}{by}; {shown}{more}"


# status, check, sync, reindex.


@click.command("status")
@with_shared
def status_command(shared: Shared) -> int:
    """Show the vault at a glance.

    Counts, problems, the last commit, what is not committed yet, sizes, the watcher, and where
    the device keeps its index.

    \b
    vaultmem status
    """
    with open_memory(shared.vault) as memory:
        status = memory.vault.status()
        zone, root = memory.settings.timezone, memory.root
    return shared.say(status, status_lines(status, zone), zone, root=root)


@click.command("check")
@click.option("--fix", is_flag=True, help="Mend what can be mended; the plan is printed first.")
@click.option("--dry-run", is_flag=True, help="Print the plan of --fix, and change nothing.")
@click.option("--deep", is_flag=True, help="Read every file, object and row again.")
@with_shared
def check_command(shared: Shared, fix: bool, dry_run: bool, deep: bool) -> int:
    """List every problem in the vault.

    Each with path, line, code, message and hint. The exit code is 1 when a note or the
    repository cannot be used (warnings alone give 0). Nothing is written without --fix, which
    keeps the original of everything it mends.

    \b
    vaultmem check
    vaultmem check --deep
    vaultmem check --fix --dry-run
    """
    if fix and not dry_run:
        if deep:
            raise BadInputError("--deep only looks", hint="run `check --deep`, then `check --fix`")
        with open_memory(shared.vault) as memory:
            report = memory.check(fix=True, announce=None if shared.as_json else _announce)
    else:
        with shown_progress() as progress:
            report = check.inspect(
                config.open_settings(shared.vault),
                clock(),
                deep=deep,
                plan=dry_run,
                progress=progress,
            )
    shared.say(report, check_lines(report))
    bad = any(problem.severity is Severity.ERROR for problem in report.problems)
    return EXIT_PROBLEMS if bad else 0


def _announce(steps: Sequence[Planned]) -> None:
    say(plan_lines(steps))
    sys.stdout.flush()


@click.command("sync")
@click.option(
    "--rehash", is_flag=True, help="Read every file again, even one that looks unchanged."
)
@click.option(
    "--confirm-deletions", is_flag=True, help="Believe it when most bullets of a stream are gone."
)
@click.option("--allow-secrets", is_flag=True, help="Commit notes also that hold new secrets.")
@click.option("--remote", is_flag=True, help="Then pull from the remote, and push to it.")
@with_shared
def sync_command(
    shared: Shared, rehash: bool, confirm_deletions: bool, allow_secrets: bool, remote: bool
) -> int:
    """Take in what changed on disk, and commit your edits.

    Every command does the first by itself; this does it now, commits your edits as yours, and
    makes stream files and items agree.

    \b
    vaultmem sync
    vaultmem sync --remote
    """
    if remote:
        return _sync_remote(
            shared,
            rehash=rehash,
            confirm_deletions=confirm_deletions,
            allow_secrets=allow_secrets,
        )
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        report = memory.sync(
            rehash=rehash,
            confirm_deletions=confirm_deletions,
            allow_secrets=allow_secrets,
            progress=progress,
        )
        zone = memory.settings.timezone
    return shared.say(report, sync_lines(report), zone)


def _sync_remote(
    shared: Shared, *, rehash: bool, confirm_deletions: bool, allow_secrets: bool
) -> int:
    """What the options ask of the files first, then both ways with the remote."""
    from vaultmem.cli.devices import exchange  # saves 17 modules

    if rehash or confirm_deletions or allow_secrets:
        with open_memory(shared.vault) as memory:
            memory.sync(
                rehash=rehash, confirm_deletions=confirm_deletions, allow_secrets=allow_secrets
            )
    return exchange(shared, push=True)


@click.command("reindex")
@click.option(
    "--embeddings", is_flag=True, help="Then make the vectors that are missing, by your model."
)
@with_shared
def reindex_command(shared: Shared, embeddings: bool) -> int:
    """Build the index anew from the files.

    The index is disposable: this can only ever cost time. With --embeddings, texts without a
    vector go to the model that your settings name (`vaultmem help embeddings`).

    \b
    vaultmem reindex
    vaultmem reindex --embeddings
    """
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        report = memory.reindex(embeddings=embeddings, progress=progress)
        zone = memory.settings.timezone
    return shared.say(report, sync_lines(report), zone)


@click.command("watch")
@click.option("--poll", is_flag=True, help="Look every few seconds instead of awaiting events.")
@with_shared
def watch_command(shared: Shared, poll: bool) -> int:
    """Take in every save as it happens, until Ctrl-C.

    Prints what it learned from each save, and commits your edits once they have rested for
    watch.commit_after (60) seconds.

    \b
    vaultmem watch
    """
    with open_memory(shared.vault) as memory:
        watcher = watch.watcher_of(memory, tell=say_now, polls=poll)
        code = until_stopped(watcher.run, watcher.stop)
    say_now("stopped")
    return code
