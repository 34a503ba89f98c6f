"""Memories as a language model is shown them: lines without secrets, between marks."""

from __future__ import annotations

from hashlib import sha256

from vaultmem import privacy


def line_of(text: str, most: int) -> str:
    """A text as one line of so many characters at most, without secrets."""
    # Secrets go before it is cut: the first half of a key is not known for one.
    return " ".join(privacy.redact(text, privacy.find_secrets(text)).split())[:most]


def between_marks(text: str) -> str:
    """The text between two marks that it cannot hold itself."""
    # No memory can hold a hash of the text that it is part of, and so none can write the end mark.
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    return f"<<<FOUND {mark}\n{text}\nFOUND {mark}>>>"
