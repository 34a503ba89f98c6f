"""Whatever an export holds: the person's words complete, in order, and nobody else's among them."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable

from tests.transfer.importers.conftest import Kept, Write
from tests.transfer.importers.random_exports import exports
from vaultmem.model import ImportedProducts
from vaultmem.storage import notes
from vaultmem.transfer.importers.imported_records import Asked, Talk
from vaultmem.transfer.importers.inputs import Input, inputs_of
from vaultmem.transfer.importers.product import format_of_file, reader_of

# A thousand took 107 s of CPU and ten minutes of a busy machine, and found no more:
# VAULTMEM_RANDOM_EXPORTS=1000 python -m pytest tests/transfer/importers/test_random_exports.py
NUMBER = int(os.environ.get("VAULTMEM_RANDOM_EXPORTS", "40"))


def whole(text: str) -> str:
    """A text as it can be written: half an emoji cannot, nor white space around it."""
    return text.encode("utf-8", "replace").decode().strip()


def test_each_reader_tells_whose_words_a_turn_is(write: Write) -> None:
    for each in exports(40):
        file = write(each.name, each.content, lines=each.is_lines)
        with inputs_of([file]) as [source]:
            assert isinstance(source, Input)
            found = format_of_file(source)
            assert found is not None
            assert found.product == each.product
            records = list(reader_of(found)(Asked(file=source, zone="UTC")))
        talks = {record.id: record for record in records if isinstance(record, Talk)}
        assert len(talks) == len(records) == len(each.talks)
        for talk in each.talks:
            turns = talks[talk.id].turns
            said = [turn.text.strip() for turn in turns if turn.role == "user"]
            assert said == [whole(words) for words in talk.said]
            others = " ".join(turn.text for turn in turns if turn.role != "user")
            assert not re.search(r"\bP\d+n", others)


def test_the_persons_words_are_complete_in_order_and_alone(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    require_own_words(NUMBER, write, take_in)


def require_own_words(number: int, write: Write, take_in: Callable[..., Kept]) -> None:
    """Import so many exports, twice, and compare with what was made."""
    made = list(exports(number))
    for each in made:
        file = write(each.name, each.content, lines=each.is_lines)
    kept = take_in(file.parent)
    told: dict[str, list[str]] = defaultdict(list)
    for record in kept.report.records:
        assert record.what == "added", record
        for path in record.paths:
            note = notes.read((kept.memory.root / path).read_bytes(), path)
            one = ImportedProducts(records=(record,))
            told[str(note.values["session"])] += Kept(kept.memory, one).said()
    for each in made:
        for talk in each.talks:
            found = [text.strip() for text in told[f"{each.product}-{talk.id}"]]
            assert found == [whole(words) for words in talk.said], talk.id
    for item in kept.items:
        if item.writer == "person":
            assert not re.search(r"\bX\d+n", item.statement), item.statement
            assert not re.search(r"\bX\d+n", item.quote), item.quote
