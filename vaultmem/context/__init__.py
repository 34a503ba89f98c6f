"""Ranked memories into text under a token budget.

`context/stream_shares.py` divides a budget among streams with one number sought by Newton's
method (no numpy); `context/budget.py` divides it among the memories that answer a
question, by unbalanced transport (no numpy either), of what `context/costs.py` says they are
worth; `context/spread.py` lets those that are alike lend each other worth (numpy; more than 512
of them look at 128 groups instead of at each other, so 8,000 take 40 ms), `context/spread.py` is
the matrix scaling that all come from. `context/tokens.py` counts, `limits.py` holds the window's
share and the choice of whole memories.

`context/assemble.py` gathers: what is given unasked (four lists of the index,
`context/gather.py`), and what was found (`context/gather.py`: the passages that `recall` would
answer with, an item once; what `recall/belief/sureness.py` no longer believes enough leaves its
place to the passage that it quotes). `recall/belief/corrected.py` names the sentences in it that
were corrected, changed, ended, retracted or (`vault/deleted.py`, by what the index noted or the
commits say) deleted since, for `recall` and for a context; `context/lines.py` makes one inert
line of each; `context/pack.py` chooses lines while their single counts fit, which the whole never
exceeds, and `layout.py` writes them; then the whole is counted, and what is still free is used.
The lists are kept in memory until somebody writes (`Index.listed`). `maintain/streams.py` uses
the same division on the streams themselves, `maintain/streams.py` in `maintain weekly` on those
that are too long.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.context import tokens
    from vaultmem.context.assemble import context
    from vaultmem.context.lines import LineMaker, SessionLines, Talk, by_weight, ratios
    from vaultmem.context.render import RULES_OF_USE, line_text, lines_text
    from vaultmem.context.stream_shares import STREAMS, allocate
    from vaultmem.context.tokens import counter_of, keep, model_in_use

attach(
    __name__,
    {
        "assemble": "context",
        "lines": "LineMaker SessionLines Talk by_weight ratios",
        "render": "RULES_OF_USE line_text lines_text",
        "stream_shares": "STREAMS allocate",
        "tokens": "counter_of keep model_in_use",
    },
    modules="tokens",
)
