"""Modules that pages named by another path can be imported by it for one version more."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

FORMER = {
    "vaultmem.errors": "vaultmem.base.errors",
    "vaultmem.memory": "vaultmem.api.memory",
    "vaultmem.model.recall": "vaultmem.model.answers",
    "vaultmem.model.records": "vaultmem.model.notes",
    "vaultmem.ports": "vaultmem.model.ports",
    "vaultmem.text": "vaultmem.language.text",
    "vaultmem.text_inert": "vaultmem.safety.inert",
}


@pytest.mark.parametrize("former", FORMER)
def test_a_former_name_is_the_module_and_says_its_new_one(former: str) -> None:
    sys.modules.pop(former, None)
    with pytest.warns(DeprecationWarning, match=f"'{former}' is '{FORMER[former]}' now"):
        found = import_module(former)
    assert found is import_module(FORMER[former])
