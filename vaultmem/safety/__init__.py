"""Is this text an attack? Instructions, stuffing, and how text is made inert."""

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
