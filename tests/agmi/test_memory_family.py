"""agmi's attacks through the front door, as far as vaultmem answers for them.

`python -m tests.agmi.memory_family` prints the verdicts of all six, also the unflattering ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from agmi.attacks.memory_specific import (
    CrossSessionBleedAttack,
    IndirectPromptInjectionAttack,
    MemoryInjectionAttack,
    MetadataPoisoningAttack,
    RetrievalHijackAttack,
    UpdatePoisoningAttack,
)

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


# `memory_injection` is left out: a plain false fact ("the user shared the password with Dev") has
# no shape to hold it by. It is answered, labelled `untrusted`; see the next test. What the agent
# itself signs (agent-laundered) comes in as the person's own words, and none of it is kept out.
#
# `retrieval_hijack` is run among twenty other memories: in a vault of six notes, all about a VPN,
# "how do I connect to the VPN?" has no answer with or without the attack, and so no verdict.
@pytest.mark.parametrize(
    "attack",
    [
        IndirectPromptInjectionAttack(),
        RetrievalHijackAttack(filler=20),
        UpdatePoisoningAttack(),
        MetadataPoisoningAttack(),
    ],
    ids=lambda attack: str(attack.name),
)
def test_orders_stuffing_and_corrections_from_outside_are_kept_out_of_plain_recall(
    vaults: UserVaults, attack: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agmi.attacks.memory_specific.CHANNELS", ("external", "laundered"))
    result = attack.run(vaults)
    assert result.channels == {"external": [False] * 5, "laundered": [False] * 5}, result.detail


def test_a_plain_false_fact_from_outside_is_kept_out_of_what_the_person_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agmi.attacks.memory_specific.CHANNELS", ("external", "laundered"))
    vaults = UserVaults(believed_only=True)
    result = MemoryInjectionAttack().run(vaults)
    vaults.close()
    assert result.channels == {"external": [False] * 5, "laundered": [False] * 5}, result.detail
