"""What waits for the person."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.review.review import approve, reject, waiting

attach(
    __name__,
    {
        "review": "approve reject waiting",
    },
)
