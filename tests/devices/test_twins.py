"""Two names that many systems take for one: the message says what to do, and it works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.devices import Device, connected
from tests.devices.test_exchange import level
from vaultmem.base.errors import IncomingRefusedError

LAPTOPS, PHONES = "items/Tea.md", "items/tea.md"


@pytest.fixture
def pair(tmp_path: Path) -> list[Device]:
    """The laptop's note is at the remote; the phone cannot take it in."""
    a, b = connected(tmp_path, "laptop", "phone")
    a.write(LAPTOPS, "# Tea\n\nOf the laptop.\n")
    a.push()
    b.write(PHONES, "# Tea\n\nOf the phone.\n")
    with pytest.raises(IncomingRefusedError) as refused:
        b.push()
    assert f"'{LAPTOPS}'" in refused.value.message
    assert f"'{PHONES}'" in refused.value.message
    assert "the one that is here" in refused.value.hint
    assert "the device it came from" in refused.value.hint
    assert b.read(PHONES).endswith("Of the phone.\n")
    return [a, b]


@pytest.mark.parametrize("where", ["here", "there"])
def test_renaming_one_of_them_on_either_device_is_enough(pair: list[Device], where: str) -> None:
    a, b = pair
    device, path = (b, PHONES) if where == "here" else (a, LAPTOPS)
    (device.root / path).rename(device.root / "items/another tea.md")
    device.push()
    level(a, b)
    said = b"".join(a.files().values())
    assert b"Of the laptop." in said
    assert b"Of the phone." in said


def test_removing_the_one_that_is_here_takes_the_other_in(pair: list[Device]) -> None:
    a, b = pair
    (b.root / PHONES).unlink()
    level(a, b)
    assert b.read(LAPTOPS).endswith("Of the laptop.\n")
