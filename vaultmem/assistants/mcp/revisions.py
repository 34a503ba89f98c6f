"""Which revisions of the Model Context Protocol are spoken, and what differs between them. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import Any, dataclass

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One revision of the specification, as far as this server behaves differently in it."""

    name: str
    is_stateless: bool = False  # no `initialize`: each request says its revision and capabilities
    has_batches: bool = False  # a line may be an array of messages
    can_ask: bool = False  # it knows elicitation: a question to the person
    names_mode: bool = False  # and such a question says that it is a form


REVISIONS = (  # newest first
    Revision(name="2026-07-28", is_stateless=True, can_ask=True, names_mode=True),
    Revision(name="2025-11-25", can_ask=True, names_mode=True),
    Revision(name="2025-06-18", can_ask=True),
    Revision(name="2025-03-26", has_batches=True),
    Revision(name="2024-11-05"),
)
_BY_NAME = {each.name: each for each in REVISIONS}
NEWEST_WITH_SESSION = next(each for each in REVISIONS if not each.is_stateless)


def revision_named(version: object) -> Revision | None:
    """The revision of that name; None: it is not spoken here."""
    return _BY_NAME.get(version) if isinstance(version, str) else None


def negotiate(version: object) -> Revision:
    """What `initialize` answers to a client: its revision if it is spoken, else the newest."""
    found = revision_named(version)
    return NEWEST_WITH_SESSION if found is None or found.is_stateless else found


def has_form(capabilities: object) -> bool:
    """Whether a client that declares these can put a form to the person.

    `{"elicitation": {}}` is a form, as in 2025-06-18; one that names modes has to name `form`.
    """
    asks = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
    return isinstance(asks, Mapping) and (not asks or isinstance(asks.get("form"), Mapping))


def stated_version(params: Mapping[str, Any]) -> object:
    """The revision that a request states itself, as those without a session do; None: none."""
    meta = params.get("_meta")
    return meta.get(VERSION_KEY) if isinstance(meta, Mapping) else None


def client_name(info: object) -> str:
    """What a client calls itself; '' where it does not say."""
    name = info.get("name") if isinstance(info, Mapping) else None
    return name if isinstance(name, str) else ""
