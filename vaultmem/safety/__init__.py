"""Is this text an attack? Instructions, stuffing, and how text is made inert.

Words that end here: none; `remember` of a web page, `pull` and `import` ask here.

Promises
* Only text from outside is judged; what the person types is taken as it is.
* A suspicion nominates a text for `review`. It deletes nothing.
* What is made inert can be read as before, and `refang` gives back the very text.
* Time grows with the length of the text only.

Never: reads a vault, and lets a text decide how far it is believed (`vault/provenance.py`).

Where is the rule for ...
    whether a text talks to an assistant        instructions.py
    words that are hidden from a reader         instructions.py
    text that is written to be found            stuffing.py
    values that exclude each other              claims.py
    what is marked as inert, and where          inert.py, inert_rules.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.safety.claims import Claims, claims, disagreement
    from vaultmem.safety.inert import defang, defang_output, mark_inert, refang
    from vaultmem.safety.instructions import Hidden, find_hidden, reads_as_instruction, suspicion

attach(
    __name__,
    {
        "claims": "Claims claims disagreement",
        "inert": "defang defang_output mark_inert refang",
        "instructions": "Hidden find_hidden reads_as_instruction suspicion",
    },
)
