"""Ranked memories into text under a token budget.

Words that end here: `context`; hooks, the proxy, sessions and tools give it to assistants.

Promises
* At most so many tokens, counted on the final text; hard exceptions are in it always.
* A memory is one line, inert, dated and cited, and cannot end the fence around it.
* What was corrected, ended or deleted since is left out or marked.
* A line is whole or left out, and what was left out is named.

Never: writes, and gives nothing that waits for `review`.

Where is the rule for ...
    what is given unasked, and in which order   assemble.py
    what answers the question                   gather.py
    how a memory becomes a line                 lines.py
    how the budget is divided                   budget.py
    which lines fit                             pack.py
    the text, in four formats                   render.py
    how tokens are counted                      tokens.py
    the picture of `--plot`                     flow.py
    diffusion of scores                         spread.py

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
