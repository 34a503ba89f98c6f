"""Nothing that was erased for good comes back from a remote, and nothing erased there stays here.

Two signs. A history that was rewritten by an erasure and the one it was made from part with twin
commits (storage/git/erase/rewrite.py), which every device sees. And the device that erased knows
the texts again by keyed hashes (vault/erased.py), wherever they come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.base.errors import ConsentNeededError, IncomingRefusedError
from vaultmem.model.wording import counted
from vaultmem.vault.erased import Erased, files_with

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultmem.storage.git.remote.remote import RemoteRepository
    from vaultmem.vault.vault import Parts

PURGE = "purge"
"""The answer that puts the erased history in the place of the remote's."""
_SHOWN = 3


def is_to_be_replaced(
    parts: Parts, remote: RemoteRepository, theirs: str, accepted: Collection[str]
) -> bool:
    """Whether the remote holds nothing but what this vault had before something was erased.

    raises  IncomingRefusedError when text would come back, or when it was erased there and is
            still here; ConsentNeededError when the remote may be replaced as a whole.
            What had been fetched of erased texts is removed again, then and now.
    """
    ours = parts.history.head()
    if ours is None:
        return False
    try:
        replaced = _is_older_self(parts, ours, theirs, accepted)
        if not replaced:
            _require_no_erased_text(parts, ours, theirs)
    except IncomingRefusedError:
        remote.discard()
        raise
    return replaced


def _is_older_self(parts: Parts, ours: str, theirs: str, accepted: Collection[str]) -> bool:
    exchange = parts.history.exchange()
    if exchange.is_ancestor(theirs, ours) or exchange.is_ancestor(ours, theirs):
        return False
    apart = exchange.apart(ours, theirs)
    here = any(each.op == PURGE for each in apart.ours)
    there = any(each.op == PURGE for each in apart.theirs)
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
            f"the remote still holds what was erased here, with {counted(new, 'commit')} of "
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


def _require_no_erased_text(parts: Parts, ours: str, theirs: str) -> None:
    """Every version that would come, by the keyed hashes of this device."""
    erased = Erased(parts.settings)
    if not erased:
        return
    found = files_with(erased, parts.history.exchange().new_files(ours, theirs))
    if found:
        names = ", ".join(f"'{path}'" for path in found[:_SHOWN])
        raise IncomingRefusedError(
            f"the remote brings back a text that was erased for good on this device: {names}",
            paths=found,
            hint="erase it on the device it came from, and push there with --accept-purge; "
            "`vaultmem forget --lift` lets erased texts be kept again",
        )
