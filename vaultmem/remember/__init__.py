"""A text is taken in: kept, drafted, linked, reported."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.remember.ask_model import heard_of, with_advice
    from vaultmem.remember.category_summaries import summarise, taken_in
    from vaultmem.remember.one_text import read, remember, remember_many, remember_ready
    from vaultmem.remember.quarantine import RULE, contradiction
    from vaultmem.remember.take_in import Done, TakingIn

attach(
    __name__,
    {
        "ask_model": "heard_of with_advice",
        "quarantine": "RULE contradiction",
        "one_text": "read remember remember_many remember_ready",
        "category_summaries": "summarise taken_in",
        "take_in": "Done TakingIn",
    },
)
