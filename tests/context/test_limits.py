"""The share of a model's window."""

from __future__ import annotations

import pytest

from vaultmem.base.errors import BadInputError
from vaultmem.context.tokens import window_tokens


def test_memory_takes_its_share_of_a_window() -> None:
    assert window_tokens(200_000) == 30_000
    assert window_tokens(7) == 1
    assert window_tokens(1_000, 0.29) == 290
    for window, share in ((-1, 0.15), (10, 1.5), (10, -0.1)):
        with pytest.raises(BadInputError):
            window_tokens(window, share)
