"""Ranked memories into text under a token budget.

`context/assemble.py` gathers: what is given unasked (critical memories, streams, rules) and what
`context/gather.py` finds for the question, an item once, with what was said around it
(`context/gather.py`). `context/lines.py` makes one inert, dated, cited line of each, and leaves out
or marks what was corrected, ended or deleted since. `context/budget.py` says which lines a budget
keeps: unbalanced entropic transport, charged by `context/budget.py`. `context/pack.py` takes whole
lines while their single counts fit, which the whole never exceeds; `context/render.py` writes the
text, which is then counted once more, and what is still free is used.

`context/budget.py` divides a budget among streams (`maintain/streams.py` does so to the
files themselves); `context/spread.py` is the matrix scaling below both. `context/tokens.py` counts.

Our own: POT (Python Optimal Transport) has this transport, for 320 MB with SciPy and .9 s of CPU
to import; a whole `context` takes .2 s here, and the transport needs no numpy.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.context import tokens
    from vaultmem.context.assemble import context
    from vaultmem.context.budget import STREAMS, allocate
    from vaultmem.context.flow import PORTION_NAMES, flow_picture
    from vaultmem.context.lines import LineMaker, SessionLines, Talk, by_weight, ratios
    from vaultmem.context.render import RULES_OF_USE, line_text, lines_text
    from vaultmem.context.tokens import counter_of, keep, model_in_use

attach(
    __name__,
    {
        "assemble": "context",
        "budget": "STREAMS allocate",
        "flow": "PORTION_NAMES flow_picture",
        "lines": "LineMaker SessionLines Talk by_weight ratios",
        "render": "RULES_OF_USE line_text lines_text",
        "tokens": "counter_of keep model_in_use",
    },
    modules="tokens",
)
