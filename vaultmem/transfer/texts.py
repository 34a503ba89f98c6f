"""Earlier texts of items in a document: what they said before, each text once.

A text is known by Git's name of its bytes, which the versions of the history name, too. One that
holds a secret stays at home: nobody reads what was said before, so nobody would see it go. So does
one that was erased on this device.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vaultmem.history.former_texts import Entry, coded
from vaultmem.model.ids import Oid

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts


def earlier_texts(parts: Parts, blobs: Sequence[str], carried: Sequence[str]) -> Iterator[Entry]:
    """Each of the texts that may travel and that is here, in the order asked for.

    blobs    of this vault's own history
    carried  of what imports brought
    """
    from vaultmem.history.former_texts import carried_texts
    from vaultmem.privacy.secrets import find_secrets
    from vaultmem.vault.erased import Erased

    erased = Erased(parts.settings)
    own = parts.history.blobs([Oid(each) for each in blobs])
    for blob, data in itertools.chain(own, carried_texts(parts, carried)):
        if data is None:  # a clone that was filtered
            continue
        text = data.decode("utf-8", "replace")
        if not find_secrets(text) and not erased.holds(text):
            yield {"blob": blob} | coded(data)
