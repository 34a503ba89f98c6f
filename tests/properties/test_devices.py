"""Whatever two or three devices do to a shared vault, they end with the same bytes, and lose none.

Each device remembers, edits, moves and deletes at random, and exchanges with a bare repository
when it likes. Every text carries a word of its own, so what became of it can be asked in the end.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.devices.devices import Device, connected
from tests.properties.test_edits import lists_and_items_agree
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UndoRefusedError, UnknownNoteError

STREAMS = ("identity", "projects", "tasks")
WORD = re.compile(rb"zq\d+qz")
ROUNDS = 4
DEVICE = st.integers(0, 2)
WHICH = st.integers(0, 9)


class Devices(RuleBasedStateMachine):
    """Devices with one vault and a hub; the model is which words were taken away on purpose.

    meant   words of notes and bullets that the person deleted, and of bullets that they reworded:
            these may go when that is settled, and no others
    gone    words that went so
    """

    count = 2
    examples = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.devices: list[Device] = []
        self.words = 0
        self.gone: set[bytes] = set()
        self.meant: set[bytes] = set()
        self.done: list[str] = []

    @initialize()
    def connect(self) -> None:
        names = ("laptop", "phone", "tablet")[: self.count]
        self.devices = connected(Path(self.folder.name), *names)

    def word(self) -> str:
        self.words += 1
        return f"zq{self.words}qz"

    def at(self, number: int) -> Device:
        return self.devices[number % len(self.devices)]

    def on_purpose(self, device: Device, act: Callable[[], object]) -> None:
        """What vanishes from this device's tree by this act was meant to go."""
        before = words_of(device)
        act()
        self.gone |= before - words_of(device)

    def settles(self, device: Device, act: Callable[[], object]) -> None:
        """This act takes in what the person edited, and takes nothing that they did not mean."""
        before = words_of(device)
        act()
        vanished = before - words_of(device)
        assert vanished <= self.meant, f"{vanished - self.meant} vanished from {device.name}"
        self.gone |= vanished

    @rule(which=DEVICE, stream=st.sampled_from(STREAMS))
    def remember(self, which: int, stream: str) -> None:
        with self.at(which).memory() as memory:
            self.settles(
                self.at(which),
                lambda: memory.remember(f"I prefer {self.word()} to tea.", stream=stream),
            )

    @rule(which=DEVICE)
    def remember_the_same(self, which: int) -> None:
        with self.at(which).memory() as memory:
            self.settles(self.at(which), lambda: memory.remember("I live in Bergen."))

    @rule(which=DEVICE, stream=st.sampled_from(STREAMS))
    def add_bullet(self, which: int, stream: str) -> None:
        device = self.at(which)
        box = "[ ] " if stream == "tasks" else ""
        text = device.read(f"streams/{stream}.md").rstrip("\n")
        device.write(f"streams/{stream}.md", f"{text}\n- {box}Think of {self.word()}\n")

    def _bullet(
        self, device: Device, stream: str, which: int, change: Callable[[str], str]
    ) -> None:
        lines = device.read(f"streams/{stream}.md").splitlines(keepends=True)
        places = [place for place, line in enumerate(lines) if line.startswith("- ")]
        if places:
            place = places[which % len(places)]
            old, lines[place] = lines[place], change(lines[place])
            self.meant |= set(WORD.findall(old.encode())) - set(WORD.findall(lines[place].encode()))
            text = "".join(lines)
            self.on_purpose(device, lambda: device.write(f"streams/{stream}.md", text))

    @rule(which=DEVICE, stream=st.sampled_from(STREAMS), line=WHICH)
    def reword_bullet(self, which: int, stream: str, line: int) -> None:
        word = self.word()
        self._bullet(
            self.at(which), stream, line, lambda old: re.sub(r"zq\d+qz|Bergen", word, old, count=1)
        )

    @rule(which=DEVICE, stream=st.sampled_from(STREAMS), line=WHICH)
    def drop_bullet(self, which: int, stream: str, line: int) -> None:
        self._bullet(self.at(which), stream, line, lambda old: "")

    @rule(which=DEVICE, line=WHICH)
    def tick(self, which: int, line: int) -> None:
        self._bullet(self.at(which), "tasks", line, lambda old: old.replace("[ ]", "[x]"))

    def _note(self, device: Device, pattern: str, which: int) -> Path | None:
        files = sorted(device.root.glob(pattern))
        return files[which % len(files)] if files else None

    @rule(which=DEVICE, note=WHICH, pattern=st.sampled_from(["items/**/*.md", "categories/*.md"]))
    def extend_note(self, which: int, note: int, pattern: str) -> None:
        file = self._note(self.at(which), pattern, note)
        if file is not None:
            file.write_text(file.read_text() + f"\nAlso {self.word()}.\n")

    @rule(which=DEVICE, note=WHICH, importance=st.integers(1, 9))
    def weigh_item(self, which: int, note: int, importance: int) -> None:
        file = self._note(self.at(which), "items/**/*.md", note)
        if file is not None:
            text = re.sub(r"(?m)^importance: \d+$", f"importance: {importance}", file.read_text())
            file.write_text(text)

    @rule(which=DEVICE, note=WHICH)
    def delete_item(self, which: int, note: int) -> None:
        file = self._note(self.at(which), "items/**/*.md", note)
        if file is not None:
            self.meant |= set(WORD.findall(file.read_bytes()))
            self.on_purpose(self.at(which), file.unlink)

    @rule(which=DEVICE, note=WHICH, place=st.sampled_from(["a", "b"]))
    def move_item(self, which: int, note: int, place: str) -> None:
        file = self._note(self.at(which), "items/**/*.md", note)
        if file is not None and not (file.with_name(f"{place}-{file.name}")).exists():
            file.rename(file.with_name(f"{place}-{file.name}"))

    @rule(which=DEVICE, name=st.sampled_from(["a.txt", "b.bin"]))
    def write_another_file(self, which: int, name: str) -> None:
        device = self.at(which)
        file = device.root / "other" / name
        before = file.read_bytes() if file.exists() else b""
        mark = b"\0" if name.endswith(".bin") else b""
        device.write(f"other/{name}", before + mark + f"{self.word()}\n".encode())
        device.git("add", f"other/{name}")
        device.git("commit", "-q", "-m", "other", "--", f"other/{name}")

    def _put_back(self, device: Device, act: Callable[[Memory], object]) -> None:
        def put_back() -> None:
            with device.memory() as memory, suppress(BadInputError, UndoRefusedError):
                act(memory)

        self.on_purpose(device, put_back)

    @rule(which=DEVICE)
    def undo(self, which: int) -> None:
        self._put_back(self.at(which), lambda memory: memory.undo())

    @rule(which=DEVICE, back=WHICH)
    def undo_an_earlier_one(self, which: int, back: int) -> None:
        def act(memory: Memory) -> None:
            done = memory.history.log(limit=10)
            memory.undo(done[back % len(done)].commit)

        self._put_back(self.at(which), act)

    @rule(which=DEVICE, note=WHICH, pattern=st.sampled_from(["items/**/*.md", "streams/*.md"]))
    def restore(self, which: int, note: int, pattern: str) -> None:
        device = self.at(which)
        file = self._note(device, pattern, note)
        if file is not None:
            path = file.relative_to(device.root).as_posix()
            with suppress(UnknownNoteError):
                self._put_back(device, lambda memory: memory.history.restore(path))

    @rule(which=DEVICE)
    def sync(self, which: int) -> None:
        with self.at(which).memory() as memory:
            self.settles(self.at(which), memory.sync)

    @precondition(lambda self: self.words > 0)
    @rule(which=DEVICE)
    def pull(self, which: int) -> None:
        self._exchange(self.at(which), push=False)

    @precondition(lambda self: self.words > 0)
    @rule(which=DEVICE)
    def push(self, which: int) -> None:
        self._exchange(self.at(which), push=True)

    def _exchange(self, device: Device, *, push: bool) -> None:
        with device.memory() as memory:
            self.settles(device, memory.sync)
        settled = words_of(device)
        (device.push if push else device.pull)("deletions")
        lost = settled - words_of(device) - self.gone
        assert not lost, f"{lost} vanished from {device.name} by an exchange"

    def teardown(self) -> None:
        try:
            if self.devices:
                self._all_agree()
                type(self).examples += 1
        finally:
            self.folder.cleanup()

    def _all_agree(self) -> None:
        for _ in range(ROUNDS):
            for device in self.devices:
                self._exchange(device, push=True)
            if len({device.head() for device in self.devices}) == 1:
                break
        first = self.devices[0]
        for device in self.devices:
            assert device.head() == first.head()
            assert device.files() == first.files()
            again = device.push()
            assert (again.incoming, again.pushed, again.commits) == (0, False, ()), again
            assert device.git("status", "--porcelain") == ""
            assert "error" not in device.git("fsck", "--full", "--strict", "--no-dangling")
            self._index_is_level(device)
        with first.memory() as memory:
            lists_and_items_agree(memory)
        tree = b"\n".join(first.files().values())
        assert b"<<<<<<<" not in tree
        written = {f"zq{number}qz".encode() for number in range(1, self.words + 1)}
        missing = written - set(WORD.findall(tree)) - self.gone
        used = set(WORD.findall(history_of(first)))
        assert not missing & used, f"no longer in the tree: {missing & used}"

    def _index_is_level(self, device: Device) -> None:
        with device.memory() as memory:
            memory.sync(settle=False)
            updated = memory.opened.index.dump()
            memory.reindex()
            assert_same(updated, memory.opened.index.dump())


def assert_same(updated: Mapping[str, object], rebuilt: Mapping[str, object]) -> None:
    """Table by table and row by row, so that a failure can be read."""
    for table, rows in rebuilt.items():
        was = updated[table]
        if was != rows and isinstance(rows, Mapping) and isinstance(was, Mapping):
            differing = [key for key in {**rows, **was} if rows.get(key) != was.get(key)]
            shown = [(key, was.get(key), rows.get(key)) for key in differing[:5]]
            raise AssertionError(f"{table}: (key, updated, rebuilt): {shown}")
        assert was == rows, table


def words_of(device: Device) -> set[bytes]:
    """The words in the device's tree."""
    return set(WORD.findall(b"\n".join(device.files().values())))


def history_of(device: Device) -> bytes:
    """Every blob that the branch reaches, one after the other."""
    oids = device.git("rev-list", "--objects", "HEAD").split("\n")
    asked = "\n".join(line.partition(" ")[0] for line in oids if line)
    done = subprocess.run(
        ["git", "cat-file", "--batch"],
        cwd=device.root,
        input=asked.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def run(machine: type[Devices], examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            phases=[Phase.explicit, Phase.reuse, Phase.generate],
            deadline=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


class ThreeDevices(Devices):
    """One more to lose things on."""

    count = 3


def test_two_devices_converge(times: Callable[[int], int], tally: Callable[..., None]) -> None:
    run(Devices, times(6), 25)
    tally("two devices", runs=Devices.examples)


def test_three_devices_converge(times: Callable[[int], int], tally: Callable[..., None]) -> None:
    run(ThreeDevices, times(3), 25)
    tally("three devices", runs=ThreeDevices.examples)
