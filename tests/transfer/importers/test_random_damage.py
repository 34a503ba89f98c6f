"""Whatever an export holds in place of what it should, its reader gives a reason or reads on."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.transfer.importers.random_exports import exports
from vaultmem.base import BadInputError
from vaultmem.transfer.importers.imported_records import Asked, Talk
from vaultmem.transfer.importers.inputs import input_of_bytes
from vaultmem.transfer.importers.product import format_of, reader_of

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e300, "", [], {}, [None], [[[]]], {"id": {}}, "x" * 50),
    *(["x", {"text": 3}], {"text": None}, "2025-13-45T99:99:99Z", 1e18, "\ud800"),
)


def damaged(random: Random, value: Any, chance: float) -> Any:
    """The value with odd ones in places, and without some of its keys."""
    if random.random() < chance:
        return random.choice(ODD)
    if isinstance(value, dict):
        left = {key: each for key, each in value.items() if random.random() > chance / 2}
        return {key: damaged(random, each, chance) for key, each in left.items()}
    if isinstance(value, list):
        return [damaged(random, each, chance) for each in value]
    return value


def test_no_reader_fails_on_what_it_does_not_expect() -> None:
    random = Random(7)
    for each in [made for made in exports(40) for _ in range(5)]:
        found = format_of(_packed(each.content, is_lines=each.is_lines))
        assert found is not None
        chance = random.choice((0.02, 0.1, 0.3))
        changed = damaged(random, each.content, chance)
        data = _packed(changed if isinstance(changed, list) else [], is_lines=each.is_lines)
        file = input_of_bytes(data, "export")
        try:
            for record in reader_of(found)(Asked(file=file, zone="Europe/Vienna")):
                if isinstance(record, Talk):
                    assert all(turn.text.encode() for turn in record.turns)
        except BadInputError:
            continue


def _packed(content: list[Any], *, is_lines: bool) -> bytes:
    text = "\n".join(map(json.dumps, content)) if is_lines else json.dumps(content)
    return text.encode()
