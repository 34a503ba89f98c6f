"""What waits for the person."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.review.waiting import approve, reject, waiting

attach(
    __name__,
    {
        "waiting": "approve reject waiting",
    },
)
