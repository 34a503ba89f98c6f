"""What must not be written by accident: secrets (keys, tokens, passwords) and personal data."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.privacy.personal import find_personal
    from vaultmem.privacy.screening import Screening, masked
    from vaultmem.privacy.secrets import Secret, find_secrets, redact

attach(
    __name__,
    {
        "personal": "find_personal",
        "screening": "Screening masked",
        "secrets": "Secret find_secrets redact",
    },
)
