"""Whatever an editor does to a list: the person's bytes stay, and memories follow words only.

Each row is one save: the list before and after it, the list once it is settled, what the items
say then, and the operations that were needed. `a`, `b`, `c` stand for block ids of items.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import NOON, FixedClock
from tests.devices.devices import Device, connected
from tests.faults.snapshots import Snapshot
from tests.watch.test_watcher import Hints
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters
from vaultmem.watch.watch import Watcher

WORDS = {"a": "The boat is red.", "b": "Ada plays the violin.", "c": "The bees are in the garden."}
A, B, C = (f"{words} ^{name}" for name, words in WORDS.items())
KEPT = {f"active {words}" for words in WORDS.values()}
LIST = f"# Identity\n\n- {A}\n- {B}\n- {C}\n"
EDIT_ONLY = ("edit",)
FOLLOWED = ("edit", "sync")


@dataclass(frozen=True)
class Save:
    """One save of an editor, and what it comes to."""

    name: str
    after: str
    before: str = LIST
    settled: str = ""  # '': as saved; `*` stands for a new block id
    items: frozenset[str] | set[str] = field(default_factory=lambda: set(KEPT))
    operations: tuple[str, ...] = EDIT_ONLY
    stream: str = "identity"


def without(*names: str) -> set[str]:
    return {line for line in KEPT if line not in {f"active {WORDS[name]}" for name in names}}


TASKS = LIST.replace("- ", "- [ ] ").replace("# Identity", "# Tasks")
BELOW = (
    f"# Identity\n\n- {A}\n\t- red as a brick\n\t\t- and a deeper one\n"
    f"- {B}\n  She told me.\n- {C}\n"
)
NESTED = f"# Identity\n\n- {A}\n\t- {B}\n\t\t- {C}\n"

SAVES = [
    # Tab and Shift-Tab.
    Save("indent with a tab", LIST.replace(f"- {B}", f"\t- {B}")),
    Save("indent with two spaces", LIST.replace(f"- {B}", f"  - {B}")),
    Save("indent with four spaces", LIST.replace(f"- {B}", f"    - {B}")),
    Save("indent the first one", LIST.replace(f"- {A}", f"\t- {A}")),
    Save("indent all", LIST.replace("- ", "\t- ")),
    Save("indent two levels", NESTED),
    Save("outdent", LIST, before=NESTED),
    Save("outdent one", NESTED.replace(f"\t\t- {C}", f"- {C}"), before=NESTED),
    Save("spaces for tabs", NESTED.replace("\t", "    "), before=NESTED),
    Save("tabs for spaces", NESTED, before=NESTED.replace("\t", "    ")),
    Save(
        "indent below a remark",
        BELOW.replace(f"- {B}", f"\t- {B}").replace("  She", "\t  She"),
        before=BELOW,
    ),
    # What is written below a bullet.
    Save("write bullets below", BELOW),
    Save("delete bullets below", LIST, before=BELOW),
    Save("a remark below", LIST.replace(A, f"{A}\n  Since May.")),
    Save("a paragraph below", LIST.replace(A, f"{A}\n\n  Since May.\n\n      And deeper.\n")),
    Save("a quote below", LIST.replace(A, f"{A}\n  > Since May.\n  > - or June")),
    Save("code below", LIST.replace(A, f"{A}\n  ```\n  - {C}\n  ```")),
    Save("a numbered list below", LIST.replace(A, f"{A}\n   1. Since May.\n   2. or June")),
    Save("a task below", LIST.replace(A, f"{A}\n\t- [x] paint it\n\t- [ ] sell it")),
    Save("reword below", BELOW.replace("brick", "tomato"), before=BELOW),
    Save(
        "outdent a bullet of the person's: it is a new one",
        BELOW.replace("\t\t- and", "- and"),
        before=BELOW,
        settled=BELOW.replace("\t\t- and a deeper one", "- and a deeper one ^*"),
        items=KEPT | {"active and a deeper one"},
        operations=FOLLOWED,
    ),
    # Moving.
    Save("move up", f"# Identity\n\n- {B}\n- {A}\n- {C}\n"),
    Save("move down", f"# Identity\n\n- {B}\n- {C}\n- {A}\n"),
    Save(
        "move down with what is below",
        f"# Identity\n\n- {B}\n  She told me.\n- {A}\n\t- red as a brick\n\t\t- and a deeper one\n"
        f"- {C}\n",
        before=BELOW,
    ),
    Save("move below another", f"# Identity\n\n- {C}\n\t- {A}\n- {B}\n"),
    Save("move under a heading", LIST.replace(f"- {A}\n", "") + f"\n## Boats\n\n- {A}\n"),
    # Words.
    Save(
        "reword with bullets below",
        BELOW.replace("boat is red", "boat is green"),
        before=BELOW,
        items=without("a") | {"active The boat is green."},
        operations=FOLLOWED,
    ),
    Save(
        "reword a nested one",
        NESTED.replace("violin", "viola"),
        before=NESTED,
        items=without("b") | {"active Ada plays the viola."},
        operations=FOLLOWED,
    ),
    Save(
        "type after the id",
        LIST.replace(A, f"{A} and blue"),
        items=without("a") | {"active The boat is red. and blue"},
        operations=FOLLOWED,
    ),
    Save(
        "a full stop after the id",
        LIST.replace(A, f"{A}!"),
        items=without("a") | {"active The boat is red.!"},
        operations=FOLLOWED,
    ),
    # Enter and Backspace.
    Save(
        "Enter in the middle",
        LIST.replace("plays the", "plays\n- the"),
        settled=LIST.replace("plays the", "plays ^*\n- the"),
        items=without("b") | {"active Ada plays", "active the violin."},
        operations=FOLLOWED,
    ),
    Save(
        "Enter in the middle of a nested one",
        NESTED.replace("plays the", "plays\n\t- the"),
        before=NESTED,
        items=without("b") | {"active the violin."},
        operations=FOLLOWED,
    ),
    Save("Enter before the id", LIST.replace(" ^b", "\n  ^b")),
    Save("Enter at the end", LIST.replace(A, f"{A}\n- ")),
    Save("Backspace takes the mark", LIST.replace(f"- {B}", B)),
    Save("Backspace leaves its blanks", LIST.replace(f"- {B}", f"  {B}")),
    Save(
        "Backspace joins two",
        LIST.replace(f"{A}\n- {B}", f"{A}{B}"),
        items=without("a", "b")
        | {"superseded The boat is red.", "active The boat is red. Ada plays the violin."},
        operations=FOLLOWED,
    ),
    Save(
        "Backspace joins one with a new one",
        LIST.replace(A, f"{A}and blue"),
        items=without("a") | {"active The boat is red. and blue"},
        operations=FOLLOWED,
    ),
    # Deleting.
    Save(
        "delete a line and leave what is below",
        BELOW.replace(f"- {A}\n", ""),
        before=BELOW,
        items=without("a") | {"retracted The boat is red."},
        operations=FOLLOWED,
    ),
    Save(
        "delete a nested one",
        NESTED.replace(f"\t- {B}\n", ""),
        before=NESTED,
        items=without("b") | {"retracted Ada plays the violin."},
        operations=FOLLOWED,
    ),
    # Checkboxes.
    Save(
        "tick",
        TASKS.replace(f"[ ] {B}", f"[x] {B}"),
        before=TASKS,
        items=without("b") | {"expired Ada plays the violin."},
        operations=FOLLOWED,
        stream="tasks",
    ),
    Save(
        "tick a nested one",
        TASKS.replace(f"- [ ] {B}", f"\t- [X] {B}"),
        before=TASKS,
        items=without("b") | {"expired Ada plays the violin."},
        operations=FOLLOWED,
        stream="tasks",
    ),
    *(
        Save(
            f"mark [{mark}]",
            TASKS.replace(f"[ ] {B}", f"[{mark}] {B}"),
            before=TASKS,
            stream="tasks",
        )
        for mark in "/->!?*"
    ),
    Save("a checkbox more", LIST.replace(f"- {B}", f"- [ ] {B}")),
    Save("a checkbox less", TASKS.replace(f"[ ] {B}", B), before=TASKS, stream="tasks"),
    # Other marks.
    Save("stars", LIST.replace("- ", "* ")),
    Save("pluses", LIST.replace("- ", "+ ")),
    Save("numbers", LIST.replace("- ", "1. ")),
    Save("numbers with a bracket", LIST.replace("- ", "1) ")),
    Save("bullets of numbers", LIST, before=LIST.replace("- ", "1. ")),
    Save("a numbered list of the person's", LIST + "\n1. first\n2. second\n"),
    # Callouts and quotes.
    Save("into a callout", LIST.replace(f"- {B}", f"\n> [!note] Music\n> - {B}\n")),
    Save("into a quote", LIST.replace(f"- {B}", f"> - {B}")),
    Save("bullets in a callout", LIST + "\n> [!note]\n> - not a memory\n>   - nor this\n"),
    Save("out of a callout", LIST, before=LIST.replace("- ", "> - ")),
    # Nothing.
    Save("fold", LIST, operations=()),
    Save("line ends of both kinds", LIST.replace("\n", "\r\n", 3)),
    Save("no last line end", LIST.removesuffix("\n")),
    Save("blanks at the ends", LIST.replace("\n", "  \n")),
]
CASES = [pytest.param(save, id=save.name) for save in SAVES]
BY_NAME = {save.name: save for save in SAVES}
NEW_ID = re.compile(r"\^i-[0-9a-z]{10}")


class Lists:
    """A vault with three memories in a list."""

    def __init__(self, memory: Memory, save: Save, eol: str = "\n") -> None:
        self.memory, self.eol, self.save = memory, eol, save
        self.file = memory.root / "streams" / f"{save.stream}.md"
        self.file.write_bytes(re.sub(r" \^[abc]\b", "", save.before and LIST).encode())
        memory.sync()
        by_words = {row.statement: row.id for row in memory.list(Filters(types=("item",)))}
        self.ids = {name: by_words[words] for name, words in WORDS.items()}
        self.write(save.before)
        memory.sync()
        self.operations = len(memory.history.log(limit=100))

    def text(self, text: str) -> str:
        named = re.sub(r"\^([abc])\b", lambda found: f"^{self.ids[found[1]]}", text)
        named = re.sub(r"\^([abc])(?=[A-Z]|and)", lambda found: f"^{self.ids[found[1]]}", named)
        return named if "\r" in text else named.replace("\n", self.eol)

    def write(self, text: str) -> None:
        self.file.write_bytes(self.text(text).encode())

    def require_settled(self) -> None:
        """The list, the items and the operations are what the row says."""
        save, memory = self.save, self.memory
        found = self.file.read_bytes().decode()
        known = set(self.ids.values())
        for each in NEW_ID.findall(found):
            found = found if each[1:] in known else found.replace(each, "^*")
        assert found == self.text(save.settled or save.after)
        rows = memory.list(Filters(types=("item",), statuses=("active", *ENDED)))
        assert {f"{row.status} {row.statement}" for row in rows} == save.items
        done = memory.history.log(limit=100)
        assert [each.op for each in reversed(done[: len(done) - self.operations])] == [
            *save.operations
        ]


ENDED = ("retracted", "superseded", "expired")


EOLS = {"lf": "\n", "crlf": "\r\n"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each save with both ends of lines: settled at once with one, shown before with the other.

    `--long 2` settles and shows each save with both.
    """
    if "eol" not in metafunc.fixturenames:
        return
    is_long = float(metafunc.config.getoption("--long")) > 1
    turn = metafunc.function is test_what_is_shown_before_it_is_settled_is_what_is_settled
    chosen = [
        pytest.param(save, eol, id=f"{save.name}-{name}")
        for number, save in enumerate(SAVES)
        for at, (name, eol) in enumerate(EOLS.items())
        if is_long or at == (number + turn) % len(EOLS)
    ]
    metafunc.parametrize(("save", "eol"), chosen)


def test_an_edit_means_what_its_words_say(memory: Memory, save: Save, eol: str) -> None:
    lists = Lists(memory, save, eol)
    lists.write(save.after)
    memory.sync()
    lists.require_settled()
    assert [each for each in memory.check().problems if each.code != "secret"] == []
    memory.sync()
    lists.require_settled()


def test_what_is_shown_before_it_is_settled_is_what_is_settled(
    memory: Memory, save: Save, eol: str
) -> None:
    """`watch` reads a save at once, and settles it when the edit has come to rest."""
    lists = Lists(memory, save, eol)
    lists.write(save.after)
    memory.sync(settle=False)
    rows = memory.list(Filters(types=("item",), statuses=("active", *ENDED)))
    shown = {row.id: f"{row.status} {row.statement}" for row in rows}
    memory.sync()
    lists.require_settled()
    rows = memory.list(Filters(types=("item",), statuses=("active", *ENDED)))
    settled = {row.id: f"{row.status} {row.statement}" for row in rows}
    assert shown == {id_: words for id_, words in settled.items() if id_ in shown}


@pytest.mark.parametrize(
    "name", ["indent with a tab", "Backspace takes the mark", "into a callout", "numbers"]
)
def test_the_watcher_itself_retracts_nothing(memory: Memory, name: str) -> None:
    lists = Lists(memory, BY_NAME[name])
    told: list[str] = []
    watcher = Watcher(memory, tell=told.append, events=Hints(), monotonic=Clock())
    watcher.start()
    watcher.step()
    told.clear()
    lists.write(BY_NAME[name].after)
    for _ in range(200):
        watcher.note_touch()
        watcher.step()
    memory.sync()
    lists.require_settled()
    assert not any("retracted" in line for line in told)


class Pair(NamedTuple):
    """Two devices that have just been connected, as they are before each save."""

    here: Device
    there: Device
    before: Snapshot


@pytest.fixture(scope="module")
def _pairs() -> list[Pair]:
    """The one pair, once the first test has made it."""
    return []


@pytest.fixture
def pair(_pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Connecting takes a third of a test of a save: it is done once, and what was, restored."""
    if not _pairs:
        folder = tmp_path_factory.mktemp("pair")
        here, there = connected(folder, "desk", "road")
        _pairs.append(Pair(here, there, Snapshot(folder)))
    [made] = _pairs
    made.before.restore()
    for device in (made.here, made.there):
        device.clock.at = NOON
    return made


class TestAnotherDevice:
    """The same saves, made there and pulled here, while the list was edited here too."""

    @pytest.mark.parametrize("save", CASES)
    def test_gets_what_was_settled_there(self, pair: Pair, save: Save) -> None:
        here, there, _ = pair
        with there.memory() as memory:
            lists = Lists(memory, save)
            lists.write(save.after)
            memory.sync()
            lists.require_settled()
        there.push()
        before = len(here.git("log", "--format=%H").split())
        here.pull()
        assert here.files() == there.files()
        assert before < len(here.git("log", "--format=%H").split())
        with here.memory() as memory:
            assert memory.sync().commits == ()
            assert memory.check().problems == ()

    @pytest.mark.parametrize(
        ("name", "old", "new"),
        [
            ("indent with a tab", "violin", "viola"),
            ("indent with a tab", "boat is red", "boat is green"),
            ("indent two levels", "bees are", "bees live"),
            ("write bullets below", "boat is red", "boat is green"),
            ("into a callout", "violin", "viola"),
            ("numbers", "violin", "viola"),
            ("Backspace takes the mark", "violin", "viola"),
        ],
    )
    def test_that_reworded_a_line_keeps_its_words(
        self, tmp_path: Path, name: str, old: str, new: str
    ) -> None:
        here, there = connected(tmp_path, "desk", "road")
        save = BY_NAME[name]
        with here.memory() as memory:
            Lists(memory, save)
        here.push()
        there.pull()
        with there.memory() as memory:
            ids = {row.statement: row.id for row in memory.list(Filters(types=("item",)))}
            list_file = memory.root / "streams/identity.md"
            list_file.write_text(list_file.read_text().replace(old, new))
            memory.sync()
        there.push()
        with here.memory() as memory:
            file = memory.root / "streams/identity.md"
            text = re.sub(r" \^([abc])\b", lambda found: f" ^{ids[WORDS[found[1]]]}", save.after)
            file.write_text(text)
            memory.sync()
        here.pull()
        assert here.read("streams/identity.md") == text.replace(old, new)
        with here.memory() as memory:
            said = {row.statement for row in memory.list(Filters(types=("item",)))}
            assert said == {words.replace(old, new) for words in WORDS.values()}
            assert memory.check().problems == ()

    def test_that_ended_a_memory_leaves_what_is_below_it(self, tmp_path: Path) -> None:
        here, there = connected(tmp_path, "desk", "road")
        with here.memory() as memory:
            lists = Lists(memory, BY_NAME["write bullets below"])
        here.push()
        there.pull()
        with there.memory() as memory:
            memory.facts.retract(lists.ids["a"])
        there.push()
        lists.write(BELOW)
        with here.memory() as memory:
            memory.sync()
        here.pull()
        assert here.read("streams/identity.md") == lists.text(BELOW.replace(A, "…"))


class TestWhatTheProgramTakesOut:
    """A bullet goes with its memory; what the person wrote below it stays where it is."""

    @pytest.mark.parametrize("how", ["retract", "change", "forget", "expire", "stream", "note"])
    def test_leaves_what_is_below(self, memory: Memory, clock: FixedClock, how: str) -> None:
        lists = Lists(memory, Save("", "", before=BELOW))
        id_ = lists.ids["a"]
        left = lists.text(BELOW.replace(A, "…"))
        if how == "retract":
            memory.facts.retract(id_)
        elif how == "change":
            memory.change(id_, "The boat is green.")
        elif how == "forget":
            memory.forget(id_)
        elif how == "expire":
            memory.facts.expire(id_)
        else:
            file = memory.root / memory.show(id_).note.path
            change = (
                "stream: projects" if how == "stream" else "stream: identity\nstatus: retracted"
            )
            file.write_text(
                file.read_text().replace("status: active\n", "").replace("stream: identity", change)
            )
            memory.sync()
        found = lists.file.read_text()
        for known in NEW_ID.findall(found):
            if known[1:] not in lists.ids.values():
                found = found.replace(known, f"^{NEW}")
        expected = left
        if how == "change":
            expected = left.replace("- Ada", f"- The boat is green. ^{NEW}\n- Ada")
        assert found == expected
        memory.sync()
        assert memory.check().problems == ()


NEW = "i-0000000000"


class Clock:
    """Half a second passes with each look."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 0.5
        return self.now
