"""P12: outside changes are reported. agmi's nine edits of a store at rest, T1 to T9.

Each attack runs with agmi's own controls: the clean vault passes, a reopened one passes, and the
edit has to have landed as intended; otherwise there is no verdict, and the test fails.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from agmi.adapters.reference_atrest import ReferenceAtRestAdapter
from agmi.attacks.at_rest import AT_REST_ATTACKS_WITH_SNAPSHOT
from agmi.attacks.base import Attack

from tests.agmi.at_rest import VaultAdapter

ATTACKS = pytest.mark.parametrize(
    "attack", AT_REST_ATTACKS_WITH_SNAPSHOT, ids=lambda attack: str(attack.name)
)
Tally = Callable[..., None]


def verdict(attack: type[Attack], adapter: VaultAdapter) -> str:
    """As agmi prints it: a detection by a call the person makes is 'reported'."""
    result = attack().run(adapter)
    assert result.guard is None, result.guard
    assert result.error is None, result.error
    return "reported" if result.detected else "accepted"


@ATTACKS
def test_an_edit_of_the_files_is_reported(attack: type[Attack], tally: Tally) -> None:
    found = verdict(attack, VaultAdapter())
    tally(f"agmi {attack.name}, files", **{found: 1})
    assert found == "reported"


@ATTACKS
def test_an_edit_that_a_sync_took_in_is_still_reported(attack: type[Attack], tally: Tally) -> None:
    found = verdict(attack, VaultAdapter(then="sync"))
    tally(f"agmi {attack.name}, then sync", **{found: 1})
    assert found == "reported"


@ATTACKS
def test_an_edit_committed_in_the_name_of_vaultmem_is_reported(
    attack: type[Attack], tally: Tally
) -> None:
    found = verdict(attack, VaultAdapter(then="forge"))
    tally(f"agmi {attack.name}, then forged commit", **{found: 1})
    assert found == "reported"


@ATTACKS
def test_the_suites_own_reference_reports_each_attack(attack: type[Attack]) -> None:
    """If this fails the suite has changed, and the verdicts above mean something else."""
    result = attack().run(ReferenceAtRestAdapter())
    assert (result.status, result.error) == ("safe", None)


class Believing(VaultAdapter):
    """The same vault, asked only what a read asks: does the note index without a problem."""

    def verify(self) -> bool:
        self.memory.sync(settle=False)
        return True


@ATTACKS
def test_the_attacks_land_unseen_where_nobody_audits(attack: type[Attack]) -> None:
    """Without the audit all nine are accepted: it is what the tests above measure."""
    assert verdict(attack, Believing()) == "accepted"
