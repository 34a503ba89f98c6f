"""What one device erased does not come back from another, and the other is told what to do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.devices.devices import Device, connected
from tests.forget.test_purge import OTHER, SECRET, WORD, everywhere
from vaultmem.base.errors import ConsentNeededError, IncomingRefusedError
from vaultmem.vault.erased import ErasedTextError


def hub_holds(base: Path) -> bool:
    """Whether what the hub's branch reaches holds the word."""
    hub = str(base / "hub.git")
    out = subprocess.run(["git", "-C", hub, "log", "-p", "main"], check=True, capture_output=True)
    return WORD.encode() in out.stdout


def shared(base: Path) -> tuple[Device, Device, str]:
    """Two devices that both have the secret; the id of its item."""
    one, two = connected(base, "one", "two")
    with one.memory() as memory:
        memory.remember(OTHER)
        [item] = memory.remember(SECRET).items
        memory.remember("Leni plays the piano.")
    one.push()
    two.pull()
    return one, two, item.id


def purge(device: Device, id_: str) -> None:
    with device.memory() as memory:
        assert memory.forgetting.purge(id_).places == ()


def test_a_remote_that_still_holds_it_is_replaced_with_a_yes_only(tmp_path: Path) -> None:
    one, two, id_ = shared(tmp_path)
    purge(one, id_)
    head = one.head()
    for act in (one.pull, one.push):
        with pytest.raises(ConsentNeededError, match="erased here") as refused:
            act()
        assert refused.value.answer == "purge"
        with one.memory() as memory:
            assert everywhere(memory, WORD) == []  # what was fetched is gone again
    assert one.head() == head
    assert hub_holds(tmp_path)
    assert one.push("purge").pushed
    assert not hub_holds(tmp_path)
    with one.memory() as memory:
        assert everywhere(memory, WORD) == []
        memory.remember("I take the bus to work.")
    assert one.push().pushed
    with pytest.raises(IncomingRefusedError, match="erased for good on another device"):
        two.pull()
    with pytest.raises(IncomingRefusedError, match="erased for good on another device"):
        two.push()
    assert not hub_holds(tmp_path)


def test_an_old_copy_that_was_pushed_meanwhile_does_not_come_back(tmp_path: Path) -> None:
    one, two, id_ = shared(tmp_path)
    purge(one, id_)
    with two.memory() as memory:
        memory.remember("My bicycle is red.")
    two.push()
    head = one.head()
    with pytest.raises(IncomingRefusedError, match="1 commit of another device"):
        one.push("purge")
    with one.memory() as memory:
        assert (one.head(), everywhere(memory, WORD)) == (head, [])
    # As the hint says: erased there, and pushed from there.
    purge(two, id_)
    assert two.push("purge").pushed
    one.pull()
    with one.memory() as memory:
        assert everywhere(memory, WORD) == []
        assert memory.recall("bicycle").hits
    assert one.push().pushed
    two.pull()
    assert one.files() == two.files()
    assert not hub_holds(tmp_path)


def test_a_clean_copy_exchanges_as_ever(tmp_path: Path) -> None:
    one, _, id_ = shared(tmp_path)
    purge(one, id_)
    one.push("purge")
    three = Device(tmp_path, "three")
    three.receive(tmp_path / "hub.git")
    with three.memory() as memory:
        memory.remember("My bicycle is red.")
        assert everywhere(memory, WORD) == []
    three.push()
    one.pull()
    assert one.files() == three.files()


def test_the_text_itself_is_known_again(tmp_path: Path) -> None:
    one, _, id_ = shared(tmp_path)
    purge(one, id_)
    one.push("purge")
    three = Device(tmp_path, "three")
    three.receive(tmp_path / "hub.git")
    with three.memory() as memory:
        memory.remember(SECRET)
    three.push()
    head = one.head()
    with pytest.raises(IncomingRefusedError, match="brings back"):
        one.pull()
    with one.memory() as memory:
        assert (one.head(), everywhere(memory, WORD)) == (head, [])
        with pytest.raises(ErasedTextError):
            memory.remember(f"By the way. {SECRET.upper()}")
        assert everywhere(memory, WORD) == []
        assert memory.forgetting.lift()
        memory.remember(SECRET)


def test_a_new_copy_of_a_remote_that_still_holds_it_is_refused_where_it_was_erased(
    tmp_path: Path,
) -> None:
    one, _, id_ = shared(tmp_path)
    purge(one, id_)
    again = Device(tmp_path, "one")
    again.root = tmp_path / "one" / "again"
    with pytest.raises(IncomingRefusedError, match="brings back"):
        again.receive(tmp_path / "hub.git")
    assert not again.root.exists()
