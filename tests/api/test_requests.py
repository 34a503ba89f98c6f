"""What `remember` and `recall` are asked is said once, and every way of asking agrees with it."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

import pytest

from vaultmem import Memory
from vaultmem.api import RECALL, REMEMBER, Way
from vaultmem.base import BadInputError
from vaultmem.model import Document, RecallRequest

# In Python: as it always was; and one name, or a list of them.
OTHERWISE_NAMED = {"origin": "source", "projects": "project"}


@pytest.mark.parametrize(
    ("ways", "request_", "verb"),
    [(REMEMBER, Document, Memory.remember), (RECALL, RecallRequest, Memory.recall)],
    ids=["remember", "recall"],
)
def test_every_option_is_a_field_of_the_request_and_an_argument_in_python(
    ways: Mapping[str, tuple[Way, ...]], request_: type[Document | RecallRequest], verb: object
) -> None:
    assert callable(verb)
    arguments = inspect.signature(verb).parameters
    fields = {each.name: each for each in dataclasses.fields(request_)}
    for name in ways:
        assert arguments[OTHERWISE_NAMED.get(name, name)].default == fields[name].default, name


def test_what_nobody_asked_about_the_order_leaves_it_to_the_settings() -> None:
    assert RecallRequest(query="tea").ordering is None
    for asked in ({"preset": "park"}, {"preset": ""}, {"diverse": True}, {"seed": 0}):
        request = RecallRequest(query="tea", **asked)
        assert request.ordering is not None


def test_a_word_or_number_that_means_nothing_is_refused(memory: Memory) -> None:
    way: Any = "passages"
    with pytest.raises(BadInputError, match="'passages' is no way to list hits") as failure:
        memory.search("tea", by=way)
    assert failure.value.hint == "one of: note, passage"
    with pytest.raises(BadInputError, match="-1 notes cannot be listed"):
        memory.list(limit=-1)
