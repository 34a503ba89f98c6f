"""agmi's attacks through the front door, as far as vaultmem answers for them.

`python -m tests.agmi.memory_family` prints the verdicts of all six, also the unflattering ones.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from agmi.attacks.memory_specific import CrossSessionBleedAttack

from tests.agmi.memory_family import UserVaults


@pytest.fixture
def vaults() -> Iterator[UserVaults]:
    adapter = UserVaults()
    yield adapter
    adapter.close()


def test_nothing_of_one_person_reaches_another(vaults: UserVaults) -> None:
    result = CrossSessionBleedAttack().run(vaults)
    assert (result.error, result.safe) == (None, True)
    assert result.channels == {"cross-user": [False] * 5}
