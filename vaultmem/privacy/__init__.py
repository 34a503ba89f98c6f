"""What must not be written by accident: secrets (keys, tokens, passwords) and personal data.

Words that end here: `remember`, `session`, `import`, `check` and every save are screened here.

Promises
* Each field of a document is screened before ids, titles and commit messages are made of it.
* The secret itself is in no record and in no message: only its kind and its place.
* Personal data gets the same placeholder each time, so that a question still finds it.
* Time grows with the length of the text only (tests/privacy/test_published.py).

Never: changes a note that the person saved; the vault holds it back (`vault/held_back.py`).

Where is the rule for ...
    which text is a secret                      detectors.toml, secrets.py
    whether a match is believable               secret_kinds.py
    the quick look before any pattern           hints.py
    numbers with check digits, addresses        personal.py
    what happens to a secret that is found      screening.py
"""

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
