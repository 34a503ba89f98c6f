"""A text is taken in: kept, drafted, linked, reported."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.remember.ask_model import heard_of, heeded
    from vaultmem.remember.quarantine import RULE, contradiction
    from vaultmem.remember.remember import read, remember, remember_many
    from vaultmem.remember.summaries import summarise, taken_in
    from vaultmem.remember.take_in import Done, TakingIn

attach(
    __name__,
    {
        "ask_model": "heard_of heeded",
        "quarantine": "RULE contradiction",
        "remember": "read remember remember_many",
        "summaries": "summarise taken_in",
        "take_in": "Done TakingIn",
    },
)
