"""Lines of JSON-RPC: read from bytes that nobody can trust, and written. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from vaultmem.base import IO, Any, dataclass, field

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, NO_RESOURCE, NO_REVISION = -32603, -32002, -32022
MOST_BYTES = 4_000_000
"""Of one line. Twenty sentences are a few kilobytes; what is longer is no call of a tool here."""
_STEP = 65_536
MOST_IN_BATCH = 100

RequestId = str | int | None


class BadMessageError(Exception):
    """A line that is no message; told to the client with the id it gave, if any."""

    def __init__(self, code: int, message: str, id_: RequestId = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id_


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the client."""

    method: str = ""  # '': the answer to a question of ours
    id: RequestId = None
    is_request: bool = False  # it wants an answer: it has an id
    params: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] | None = None  # of an answer; None: it failed, or is none


def lines(stream: IO[bytes], *, most: int = MOST_BYTES) -> Iterator[bytes | None]:
    """Each line without its end; None for one of more than `most` bytes, which is passed over."""
    while True:
        line = stream.readline(most + 1)
        if not line:
            return
        if len(line) > most and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(_STEP)
            yield None
            continue
        yield line.rstrip(b"\r\n")


def decode(line: bytes) -> object:
    """The JSON of a line; raises BadMessageError.

    Numbers that no JSON has (NaN) and nesting that is too deep are refused as well.
    """
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadMessageError(PARSE_ERROR, "the line is not JSON") from error


def _refuse(word: str) -> object:
    raise ValueError(word)


def message_of(found: object) -> Message:
    """The message that a JSON value is; raises BadMessageError with the id of a request."""
    if not isinstance(found, dict):
        raise BadMessageError(INVALID_REQUEST, "a message is an object")
    id_ = found.get("id")
    is_id = isinstance(id_, str) or (isinstance(id_, int) and not isinstance(id_, bool))
    known: RequestId = id_ if is_id else None
    if found.get("jsonrpc") != "2.0":
        raise BadMessageError(INVALID_REQUEST, "a message says jsonrpc: '2.0'", known)
    method = found.get("method")
    if method is None and ("result" in found or "error" in found):
        result = found.get("result")
        return Message(id=known, result=result if isinstance(result, dict) else None)
    if not isinstance(method, str) or not method:
        raise BadMessageError(INVALID_REQUEST, "a message has a method", known)
    if "id" in found and not is_id:
        raise BadMessageError(INVALID_REQUEST, "an id is a text or a whole number")
    params = found.get("params")
    if params is not None and not isinstance(params, dict):
        raise BadMessageError(INVALID_PARAMS, "params is an object", known)
    return Message(method=method, id=known, is_request="id" in found, params=params or {})


def encode(message: object) -> bytes:
    """A message as one line; lone surrogates, which UTF-8 cannot hold, stay escaped."""
    try:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def reply(id_: RequestId, result: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a request."""
    return {"jsonrpc": "2.0", "id": id_, "result": result}


def failure(
    id_: RequestId, code: int, message: str, data: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The answer to a request that cannot be met."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": id_, "error": error}


# Which revisions of the Model Context Protocol are spoken, and what differs between them.

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
