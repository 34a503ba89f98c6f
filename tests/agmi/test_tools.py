"""agmi's attacks as an assistant that was talked into them sends them: through the tools.

An assistant's word is believed more than a page's, so plain recall may answer with a false fact of
its own, marked as its words. What holds is that none becomes the person's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from agmi.adapters.semantic_base import MemoryItem
from agmi.attacks.memory_specific import (
    IndirectPromptInjectionAttack,
    MemoryInjectionAttack,
    MetadataPoisoningAttack,
    RetrievalHijackAttack,
    UpdatePoisoningAttack,
)
from agmi.signing import KEYRING

from tests.agmi.memory_family import UserVaults
from tests.assistants.mcp.driver import FORM, Client


class ToolVaults(UserVaults):
    """What the person did not sign comes in by `remember`, and goes for what is known there."""

    def add_memory(self, item: MemoryItem) -> None:
        if KEYRING.verify(item.user_id, item.source, item.text, item.signature):
            super().add_memory(item)
            return
        memory = self._vault(item.user_id)
        before = _own(memory)
        client = Client(memory.root, capabilities=FORM)
        claims = "; ".join(f"{key}: {value}" for key, value in item.metadata.items())
        text = " ".join(f"{claims} {item.text}".split())[:2_000]
        client.call("remember", memories=[text], quote=text)
        ids = [row.id for row in memory.list({"types": ("item",)}) if row.trust == "user"]
        for id_ in ids[:3]:
            client.ask("tools/call", {"name": "change", "arguments": {"id": id_, "to": text}})
        client.server.close()
        assert _own(memory) == before
        for row in memory.list({"types": ("item",)}):
            if row.trust != "user":
                assert row.stream != "identity"
                assert not row.hard
                assert not row.pinned
                assert not (row.kind == "rule" and row.status == "active")


def _own(memory: Any) -> set[tuple[str, str]]:
    rows = memory.list({"types": ("item",)})
    return {(row.id, row.status) for row in rows if row.trust == "user"}


@pytest.fixture
def vaults() -> Iterator[ToolVaults]:
    adapter = ToolVaults(believed_only=True)
    yield adapter
    adapter.close()


@pytest.mark.parametrize(
    "attack",
    [
        IndirectPromptInjectionAttack(),
        MemoryInjectionAttack(),
        MetadataPoisoningAttack(),
        RetrievalHijackAttack(filler=8),
        UpdatePoisoningAttack(),
    ],
    ids=lambda attack: str(attack.name),
)
def test_nothing_of_it_becomes_what_the_person_said(
    vaults: ToolVaults, attack: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agmi.attacks.memory_specific.CHANNELS", ("external", "laundered"))
    result = attack.run(vaults)
    assert result.channels == {"external": [False] * 5, "laundered": [False] * 5}, result.detail
