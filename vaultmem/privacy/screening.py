"""Keep secrets and personal data out of what is about to be written, as the settings say.

Everything of a document passes here before anything else looks at it: ids, titles, file names,
items and commit messages are made of what is left.
"""

from __future__ import annotations

from vaultmem.base import TYPE_CHECKING, SecretFoundError
from vaultmem.model import Removed
from vaultmem.privacy.secrets import find_secrets, placeholder

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.config import Settings

_ALLOW, _REDACT = "allow", "redact"


class Screening:
    """The fields of one document, cleaned one by one; `finish` says what was found, or stops."""

    def __init__(self, settings: Settings, *, policy: str | None, is_imported: bool) -> None:
        usual = settings.secrets_imported if is_imported else settings.secrets_typed
        self._policy = policy or usual
        self._mask = masking(settings)
        if self._mask is not None and self._policy == _ALLOW:
            self._policy = _REDACT  # who masks addresses does not mean to keep keys
        self._removed: list[Removed] = []

    @property
    def found(self) -> bool:
        """Whether anything was taken out so far."""
        return bool(self._removed)

    def clean(self, place: str, text: str) -> str:
        """The field as it may be written."""
        if not text:
            return text
        if self._policy != _ALLOW:
            text = self._without_secrets(place, text)
        return self._mask_personal(place, text) if self._mask is not None else text

    def finish(self) -> tuple[Removed, ...]:
        """What was taken out; raises SecretFoundError when the policy is to block or to ask."""
        if self._policy not in (_ALLOW, _REDACT):
            places = [describe_removed(each) for each in self._removed if not each.is_personal]
            if places:
                raise SecretFoundError(tuple(dict.fromkeys(places)), policy=self._policy)
        return tuple(self._removed)

    def _without_secrets(self, place: str, text: str) -> str:
        parts, at = [], 0
        for secret in find_secrets(text):
            parts += [text[at : secret.start], placeholder(secret.kind)]
            at = secret.end
            line = secret.line if place == "text" else None
            self._removed.append(Removed(kind=secret.kind, place=place, line=line))
        return "".join([*parts, text[at:]]) if parts else text

    def _mask_personal(self, place: str, text: str) -> str:
        from vaultmem.privacy.personal import find_personal  # saves 7 modules

        parts, at = [], 0
        for found in find_personal(text):
            assert self._mask is not None
            parts += [text[at : found.start], self._mask(found.kind, found.value)]
            at = found.end
            line = text.count("\n", 0, found.start) + 1 if place == "text" else None
            self._removed.append(Removed(kind=found.kind, place=place, line=line, is_personal=True))
        return "".join([*parts, text[at:]]) if parts else text


def masking(settings: Settings) -> Callable[[str, str], str] | None:
    """(kind, value) -> its placeholder in this vault; None while personal data is not masked."""
    if not settings.privacy_anonymize_pii:
        return None
    from vaultmem.privacy.personal import placeholders  # saves 7 modules

    return placeholders(settings.secrets_placeholder_key, vault=settings.id)


def mask_question(settings: Settings, text: str) -> str:
    """A question as the vault would have written it, so that an address finds its placeholder."""
    mask = masking(settings)
    if mask is None:
        return text
    from vaultmem.privacy.personal import find_personal  # saves 7 modules

    parts, at = [], 0
    for found in find_personal(text):
        parts += [text[at : found.start], mask(found.kind, found.value)]
        at = found.end
    return "".join([*parts, text[at:]])


def describe_removed(removed: Removed) -> str:
    """Kind and place, for people."""
    where = removed.place if removed.line is None else f"{removed.place}, line {removed.line}"
    return f"{removed.kind} ({where})"
