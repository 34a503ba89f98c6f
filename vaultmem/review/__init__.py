"""What waits for the person."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.review.requests import Request, ask, carry_out, wanted_of, withdraw
    from vaultmem.review.waiting import approve, reject, waiting

attach(
    __name__,
    {
        "requests": "Request ask carry_out wanted_of withdraw",
        "waiting": "approve reject waiting",
    },
)
