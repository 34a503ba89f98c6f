"""What must not be written by accident: secrets (keys, tokens, passwords) and personal data."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.privacy.personal import find_personal
    from vaultmem.privacy.screening import Screening, mask_question
    from vaultmem.privacy.secrets import Secret, find_secrets, redact

attach(
    __name__,
    {
        "personal": "find_personal",
        "screening": "Screening mask_question",
        "secrets": "Secret find_secrets redact",
    },
)
