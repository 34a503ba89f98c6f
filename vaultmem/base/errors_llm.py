"""What can go wrong when a language model is asked: one error, whose `kind` says what."""

from __future__ import annotations

from vaultmem.base.errors import (
    EXIT_PROTOCOL,
    EXIT_REFUSED,
    EXIT_SETTINGS,
    EXIT_UNREACHABLE,
    VaultmemError,
)

# kind -> (exit code, what a person can do about it)
KINDS: dict[str, tuple[int, str]] = {
    "auth": (EXIT_REFUSED, "see 'llm.api_key' in your settings"),
    "quota": (EXIT_REFUSED, "the account has nothing left: trying again does not help"),
    "rate_limit": (EXIT_UNREACHABLE, "try again later"),
    "timeout": (EXIT_UNREACHABLE, "it may be loading the model; 'llm.timeout' gives it longer"),
    "connection": (EXIT_UNREACHABLE, "start it, or see 'llm.base_url' in your settings"),
    "server": (EXIT_UNREACHABLE, "try again later"),
    "not_found": (EXIT_SETTINGS, "see 'llm.model' and 'llm.base_url' in your settings"),
    "bad_request": (EXIT_PROTOCOL, "the text may be too long for the model"),
    "protocol": (EXIT_PROTOCOL, "see 'llm.provider' and 'llm.base_url' in your settings"),
    "truncated": (EXIT_PROTOCOL, "'llm.max_tokens' allows a longer reply"),
    "refusal": (EXIT_PROTOCOL, ""),
    "bad_output": (EXIT_PROTOCOL, "a larger model may do better"),
    "unrecorded": (EXIT_UNREACHABLE, "'llm.record' replays what was recorded, and nothing else"),
}

# What the next question would meet as well, whatever it asks.
LASTING = ("auth", "quota", "rate_limit", "connection", "server", "not_found", "protocol")


class LLMError(VaultmemError):
    """A model gave no reply that can be used; `kind` is one of KINDS.

    status       of the HTTP answer; 0: there was none
    said         what the server said about it, at most 200 visible characters, never the key
    text         the reply as far as it came, where it is known; untrusted
    retry_after  seconds after which the server wants to be asked again; None: it did not say
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        status: int = 0,
        said: str = "",
        text: str = "",
        retry_after: float | None = None,
        hint: str = "",
    ) -> None:
        code, usual = KINDS[kind]
        super().__init__(message, hint=hint or usual)
        self.exit_code = code
        self.kind = kind
        self.status = status
        self.said = said
        self.text = text
        self.retry_after = retry_after
