"""Earlier texts of items in a document: what they said before, each text once.

A text is known by Git's name of its bytes, which the versions of the history name, too. One that
holds a secret stays at home: nobody reads what was said before, so nobody would see it go. So does
one that was erased on this device.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vaultmem.model.ids import Oid
from vaultmem.operations.carry_entries import Entry, coded

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts


def earlier_texts(parts: Parts, blobs: Sequence[str]) -> Iterator[Entry]:
    """Each of the texts that may travel and that the repository has, in the order asked for."""
    from vaultmem.operations.erased import Erased
    from vaultmem.privacy.secrets import find_secrets

    erased = Erased(parts.settings)
    for blob, data in parts.history.blobs([Oid(each) for each in blobs]):
        if data is None:  # a clone that was filtered
            continue
        text = data.decode("utf-8", "replace")
        if not find_secrets(text) and not erased.holds(text):
            yield {"blob": blob} | coded(data)
