"""What it takes to be level with a remote: checks before a write, also that nothing erased returns.

Links, submodules, names that some system takes for `.git`, another vault, a rewritten branch: each
is refused, and with it everything that came. Much going at once needs a person's yes.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

from vaultmem import config, sessions
from vaultmem.base import (
    TYPE_CHECKING,
    ConsentNeededError,
    IncomingRefusedError,
    SettingsError,
    dataclass,
)
from vaultmem.devices.combine import Combined, combine, common_base
from vaultmem.devices.incoming import (
    describe_refused,
    exclusions,
    is_withheld,
    judge,
    mass_deletion,
)
from vaultmem.model import Problem, Severity, pluralise
from vaultmem.sessions import KeepBoth
from vaultmem.storage import files
from vaultmem.vault import Erased, files_with

if TYPE_CHECKING:
    from vaultmem.devices.incoming import Refusal
    from vaultmem.storage.git import Entry, RemoteRepository
    from vaultmem.vault import Vault
Accept = Collection[str]
"""What the person said yes to in advance: `DELETIONS`, `REWRITE`."""
DELETIONS, REWRITE = "deletions", "rewrite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What has to happen to be level with the remote."""

    incoming: int  # commits
    changed: Mapping[str, Entry | bytes | None]  # of our tree
    withheld: frozenset[str]
    problems: tuple[Problem, ...]
    combined: Combined | None  # None: our branch just goes forward


def plan_step(
    vault: Vault, remote: RemoteRepository, ours: str | None, theirs: str, accepted: Accept
) -> Step | None:
    """What is to be done, after every check; None: all of theirs is here already."""
    exchange = vault.history.exchange()
    # Before anything is compared: a branch that was set back is an ancestor of ours and would pass
    # for 'nothing new' below
    # (tests/devices/test_exchange.py::test_a_branch_that_was_set_back_needs_a_yes).
    _require_no_rewrite(vault, remote, theirs, accepted)
    if ours is not None and exchange.is_ancestor(theirs, ours):
        return None
    keep_both = KeepBoth(vault)
    base = None
    if ours is not None:
        base = common_base(vault.history, exchange, ours, theirs, decide=keep_both)
    if ours is not None and base is None:
        raise IncomingRefusedError(
            "this vault and the remote have no commit in common: they began apart",
            hint="`vaultmem init --from URL FOLDER` begins with what the remote has; "
            "copy what is only here into it",
        )
    brought = exchange.changes(base, theirs)
    combined = None
    changed: dict[str, Entry | bytes | None]
    if base == ours:
        changed = dict(brought)
    else:
        assert base is not None
        assert ours is not None
        combined = combine(vault.history, exchange, base, ours, theirs, decide=keep_both)
        changed = combined.content
    # All that their side brought is judged, also what the merge leaves out: it comes with the
    # commit. Whether names exclude each other is a matter of the tree that results.
    judged = _judge(vault, brought, theirs)
    held: tuple[Problem, ...] = ()
    if ours is not None:
        found = sessions.hold_rules(vault, ours, theirs, changed)
        held = found.problems
        if found.content:  # then there is a commit of ours, also where theirs would do
            combined = combined or Combined(content=changed)
            changed.update(found.content)
    if ours is not None:
        _require_room(exchange.entries(ours), changed)
    _require_same_vault(vault, brought, changed)
    _require_few_deletions(vault, ours, changed, accepted)
    noticed = list(_settings_that_came(vault, changed))
    noticed += keep_both.arriving(brought, theirs)
    noticed += [
        Problem(
            path=PurePosixPath(each.path),
            code="arrived-odd",
            message=each.why,
            severity=Severity.INFO,
        )
        for each in judged
        if each.path in changed
    ]
    withheld = frozenset(filter(is_withheld, changed))
    noticed += [
        Problem(
            path=PurePosixPath(path),
            code="withheld",
            message="settings of a program came from the remote and were not put into the folder",
            hint=f"if you know who changed it: `git checkout -- {shlex.quote(path)}`",
            severity=Severity.WARNING,
        )
        for path in sorted(withheld)
    ]
    return Step(
        incoming=exchange.commits_between(ours, theirs),
        changed=changed,
        withheld=withheld,
        problems=(*(combined.notices if combined else ()), *held, *noticed),
        combined=combined,
    )


def _require_no_rewrite(
    vault: Vault, remote: RemoteRepository, theirs: str, accepted: Accept
) -> None:
    exchange = vault.history.exchange()
    known = remote.known_tip()
    if known is None or REWRITE in accepted or not vault.history.exists(known):
        return
    if not exchange.is_ancestor(known, theirs):
        how = "set back" if exchange.is_ancestor(theirs, known) else "rewritten"
        raise ConsentNeededError(
            f"the branch of the remote was {how}: it no longer has {known[:10]}, "
            "which this vault got from it or sent there",
            answer=REWRITE,
        )


def _judge(vault: Vault, brought: Mapping[str, Entry | None], theirs: str) -> list[Refusal]:
    exchange = vault.history.exchange()
    sizes = exchange.sizes(entry.oid for entry in brought.values() if entry is not None)
    judged = judge(brought, exchange.entries(theirs), sizes)
    if judged.refused:
        raise IncomingRefusedError(
            "nothing was taken in, because of what the remote holds: "
            f"{describe_refused(judged.refused)}",
            paths=[each.path for each in judged.refused],
            hint="take it out on the device it came from, push there, and pull again",
        )
    return list(judged.noticed)


def _require_room(ours: Mapping[str, Entry], changed: Mapping[str, Entry | bytes | None]) -> None:
    """Names that were fine on each device may exclude each other in one folder."""
    arriving = {path for path, entry in changed.items() if entry is not None}
    found = exclusions(
        arriving, before=ours.keys(), after=(ours.keys() - changed.keys()) | arriving
    )
    if found:
        raise IncomingRefusedError(
            "nothing was taken in, because names here and there exclude each other: "
            f"{describe_refused(found)}",
            paths=[each.path for each in found],
            hint="rename or remove the one that is here; or the other on the device it came from, "
            "and push there; then run the command again",
        )


def _require_same_vault(
    vault: Vault,
    brought: Mapping[str, Entry | None],
    changed: Mapping[str, Entry | bytes | None],
) -> None:
    """The id of a vault is what its device state and its remote are keyed by.

    Settings that cannot be used would stop every command here, the next pull among them.
    """
    # A wrong value in a vaultmem.toml that came in ended every command with 78 from then on, the
    # next pull among them.
    if files.SETTINGS not in brought:
        return
    why = f"it takes '{files.SETTINGS}' away"
    # As it stands in their commit and as it stands after the merge: of two vaultmem.toml that can
    # each be used, a merge by lines can make one that cannot.
    for entry in (brought[files.SETTINGS], changed.get(files.SETTINGS)):
        if entry is not None:
            why = _unusable(vault, entry)
        if why:
            raise IncomingRefusedError(
                f"nothing was taken in from the remote: {why}",
                paths=[files.SETTINGS],
                hint="`vaultmem remote show` says which remote this is",
            )


def _unusable(vault: Vault, entry: Entry | bytes) -> str:
    """Why these bytes cannot be the settings of this vault; '' when they can."""
    data = entry if isinstance(entry, bytes) else dict(vault.history.blobs([entry.oid]))[entry.oid]
    # A pull could bring a wrong value in, and every command, `pull` among them, ended with 78 from
    # then on.
    try:
        reading = config.parse_settings(
            (data or b"").decode("utf-8-sig"), Path(files.SETTINGS), config.VAULT
        )
    except UnicodeDecodeError:
        return f"its '{files.SETTINGS}' is not UTF-8 text"
    except SettingsError as error:
        return f"in it, {error.message}"
    id_ = str(reading.values.get("id", ""))
    return "" if id_ == vault.settings.id else f"it is another vault ('{id_}')"


def _settings_that_came(
    vault: Vault, changed: Mapping[str, Entry | bytes | None]
) -> Iterator[Problem]:
    """What other settings of the vault mean here, in words: they come from whoever can push.

    They are display and policy only. `include` alone makes more files part of the history, and so
    of what is sent: a person has to know.
    """
    entry = changed.get(files.SETTINGS)
    if entry is None:
        return
    data = entry if isinstance(entry, bytes) else dict(vault.history.blobs([entry.oid]))[entry.oid]
    here = files.read(vault.root, PurePosixPath(files.SETTINGS), limit=None)
    try:
        now, then = (
            config.parse_settings(
                text.decode("utf-8-sig", "replace"), Path(files.SETTINGS), config.VAULT
            ).values
            for text in (here, data or b"")
        )
    except SettingsError:
        return  # ours is broken just now; theirs was judged
    keys = sorted(key for key in {*now, *then} if now.get(key) != then.get(key))
    globs = {str(glob) for glob in _many(then.get("include"))}
    more = sorted(globs.difference(str(glob) for glob in _many(now.get("include"))))
    if keys:
        said = f"other settings came: {', '.join(keys)}"
        if more:
            said += f"; notes named {', '.join(map(repr, more))} are committed and sent from now on"
        yield Problem(
            path=PurePosixPath(files.SETTINGS),
            code="settings-arrived",
            message=said,
            hint=f"look at '{files.SETTINGS}'; what you save there settles it" if more else "",
            severity=Severity.WARNING if more else Severity.INFO,
        )


def _many(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _require_few_deletions(
    vault: Vault,
    ours: str | None,
    changed: Mapping[str, Entry | bytes | None],
    accepted: Accept,
) -> None:
    if ours is None or DELETIONS in accepted:
        return
    gone = [path for path, entry in changed.items() if entry is None]
    asked = mass_deletion(gone, vault.history.exchange().entries(ours)) if gone else ""
    if asked:
        raise ConsentNeededError(
            f"{asked} by this pull, which looks like an accident on another device",
            answer=DELETIONS,
            paths=sorted(gone),
        )


# --- nothing that was erased for good comes back ---

# Two signs. A history that was rewritten by an erasure and the one it was made from part with twin
# commits (storage/git/rewrite.py), which every device sees. And the device that erased knows
# the texts again by keyed hashes (vault/erased.py), wherever they come from.
PURGE = "purge"
"""The answer that puts the erased history in the place of the remote's."""
_SHOWN = 3


def is_to_be_replaced(
    vault: Vault, remote: RemoteRepository, theirs: str, accepted: Collection[str]
) -> bool:
    """Whether the remote holds nothing but what this vault had before something was erased.

    raises  IncomingRefusedError when text would come back, or when it was erased there and is
            still here; ConsentNeededError when the remote may be replaced as a whole.
            What had been fetched of erased texts is removed again, then and now.
    """
    ours = vault.history.head()
    if ours is None:
        return False
    try:
        replaced = _is_older_self(vault, ours, theirs, accepted)
        if not replaced:
            _require_no_erased_text(vault, ours, theirs)
    except IncomingRefusedError:
        remote.discard()
        raise
    return replaced


def _is_older_self(vault: Vault, ours: str, theirs: str, accepted: Collection[str]) -> bool:
    exchange = vault.history.exchange()
    if exchange.is_ancestor(theirs, ours) or exchange.is_ancestor(ours, theirs):
        return False
    apart = exchange.apart(ours, theirs)
    here = any(each.op == PURGE for each in apart.ours)
    there = any(each.op == PURGE for each in apart.theirs)
    # Only a purge makes twins; without one in either line they are two histories, which are joined
    # as ever.
    if not (here or there) or not apart.are_twins():
        return False
    if not here:
        raise IncomingRefusedError(
            "something was erased for good on another device, and this copy still holds it, so "
            "nothing was taken in and nothing is sent",
            hint="`vaultmem init --from URL FOLDER` makes a clean copy; take over by hand what is "
            "only here, then delete this folder",
        )
    if there:
        raise IncomingRefusedError(
            "different texts were erased here and on the remote, so each still holds what the "
            "other erased; nothing was taken in",
            hint="erase the same on the other device, or begin anew there: "
            "`vaultmem init --from URL FOLDER`",
        )
    new = apart.only_theirs()
    if new:
        raise IncomingRefusedError(
            f"the remote still holds what was erased here, with {pluralise(new, 'commit')} of "
            "another device on top; nothing was taken in",
            hint="on that device, erase the same (`vaultmem forget --purge`) and "
            "`vaultmem push --accept-purge`; then run the command again",
        )
    if PURGE not in accepted:
        raise ConsentNeededError(
            "the remote still holds what was erased here; its branch can be replaced by the "
            "history without it (who has a copy keeps it)",
            answer=PURGE,
        )
    return True


def _require_no_erased_text(vault: Vault, ours: str, theirs: str) -> None:
    """Every version that would come, by the keyed hashes of this device."""
    erased = Erased(vault.settings)
    if not erased:
        return
    found = files_with(erased, vault.history.exchange().new_files(ours, theirs))
    if found:
        names = ", ".join(f"'{path}'" for path in found[:_SHOWN])
        raise IncomingRefusedError(
            f"the remote brings back a text that was erased for good on this device: {names}",
            paths=found,
            hint="erase it on the device it came from, and push there with --accept-purge; "
            "`vaultmem forget --lift` lets erased texts be kept again",
        )
