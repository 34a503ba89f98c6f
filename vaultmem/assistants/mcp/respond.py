"""What the server answers to each message, in both eras of the protocol; it writes nothing itself.

Until 2025-11-25 a client opens a session with `initialize`. Since 2026-07-28 there is none: each
request says its revision and what its client can do, and a question to the person is an answer
(`input_required`) with which the client asks again. Both kinds may arrive at one server.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Mapping

from vaultmem import __version__
from vaultmem.assistants.mcp import wire
from vaultmem.assistants.mcp.desk import AnsweredError, Desk, RefusedError
from vaultmem.assistants.mcp.tool_table import (
    INSTRUCTIONS,
    MARKDOWN,
    MEMORY_INSTRUCTIONS,
    PROMPTS,
    RESOURCES,
    SETS,
    TEMPLATES,
    TOOLS,
    WITH_OFFERS,
)
from vaultmem.assistants.mcp.wire import BadMessageError, Message, RequestId, Revision
from vaultmem.base import (
    IO,
    TYPE_CHECKING,
    Any,
    BadInputError,
    UnknownNoteError,
    VaultmemError,
    dataclass,
)

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.assistants.mcp.write_tools import Question

SERVER = {"name": "vaultmem", "title": "vaultmem", "version": __version__}
_CACHED_MS = 3_600_000  # for which a list of tools stays as it is: as long as this process
_AGREE = "agree"  # the one field of a form
_ASKED = "person"  # the name of a question within a request
_MOST_PENDING = 50  # questions that nobody answers are not kept without end

Send = Callable[[object], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """A question to the person, and the request that waits for their answer."""

    question: Question
    request: RequestId
    call: object  # name and arguments of the tool, which asking again may not change
    revision: Revision


class Server:
    """Answers messages, one after the other.

    desk   does what the tools say; it opens the vault when it is first asked
    send   gets each message for the client
    tools  a name of `SETS`
    can_push  a message may be sent that answers none: a question to the client of a session
    """

    def __init__(
        self, desk: Desk, send: Send, *, tools: str = "default", can_push: bool = True
    ) -> None:
        self._desk = desk
        self._send = send
        self._tools = SETS[tools]
        self._has_offers = tools in WITH_OFFERS
        self._instructions = MEMORY_INSTRUCTIONS if tools == "memory" else INSTRUCTIONS
        self._client = ""  # of the session, as it calls itself
        self._can_push = can_push
        self._revision: Revision | None = None  # of the session; None: there is none yet
        self._has_form = False  # the client of the session can ask the person
        self._pending: dict[str, _Pending] = {}

    def take(self, line: bytes | None) -> None:
        """Answer one line; None: it was too long to be read."""
        if line is None:
            said = f"the line has more than {wire.MOST_BYTES:,} bytes"
            self._send(wire.failure(None, wire.INVALID_REQUEST, said))
            return
        if not line.strip():
            return
        try:
            found = wire.decode(line)
        except BadMessageError as bad:
            self._send(wire.failure(bad.id, bad.code, bad.message))
            return
        if isinstance(found, list):
            self._take_batch(found)
            return
        answer = self._answer(found)
        if answer is not None:
            self._send(answer)

    def close(self) -> None:
        """Close the vault. What the person was asked and did not answer waits in review."""
        self._pending.clear()
        self._desk.close()

    def _take_batch(self, found: list[object]) -> None:
        """A line of several messages, as 2025-03-26 alone allows."""
        if self._revision is None or not self._revision.has_batches or not found:
            said = "a line holds one message"
            self._send(wire.failure(None, wire.INVALID_REQUEST, said))
            return
        if len(found) > wire.MOST_IN_BATCH:
            said = f"a line holds at most {wire.MOST_IN_BATCH} messages"
            self._send(wire.failure(None, wire.INVALID_REQUEST, said))
            return
        answers = [answer for each in found if (answer := self._answer(each)) is not None]
        if answers:
            self._send(answers)

    def _answer(self, found: object) -> dict[str, Any] | None:
        """The answer to one message; None: it wants none, or waits for the person."""
        try:
            message = wire.message_of(found)
        except BadMessageError as bad:
            return wire.failure(bad.id, bad.code, bad.message)
        try:
            if not message.method:
                return self._hear(message)
            if not message.is_request:
                self._note(message)
                return None
            return self._result(message)
        except BadMessageError as bad:
            return wire.failure(bad.id, bad.code, bad.message)
        except Exception:  # noqa: BLE001  the top of a call: a bug ends it, and not the session
            import traceback

            traceback.print_exc()  # on standard error, which clients keep as a log
            if not message.is_request:
                return None  # a notification has no answer, not even of an error
            said = "this is a bug in vaultmem; the server goes on"
            return wire.failure(message.id, wire.INTERNAL_ERROR, said)

    # --- requests ----------------------------------------------------------------------------

    def _result(self, message: Message) -> dict[str, Any] | None:
        method, id_ = message.method, message.id
        stated = wire.stated_version(message.params)
        revision = wire.revision_named(stated) if stated is not None else self._revision
        if stated is not None and (revision is None or not revision.is_stateless):
            names = [each.name for each in wire.REVISIONS if each.is_stateless]
            data = {"supported": names, "requested": stated if isinstance(stated, str) else None}
            return wire.failure(id_, wire.NO_REVISION, "unsupported protocol version", data)
        if method == "server/discover":
            return self._reply(id_, self._discovery(), revision or wire.REVISIONS[0], cached=True)
        if method == "initialize":
            return self._reply(id_, self._open_session(message.params), self._revision)
        if method == "ping":
            return self._reply(id_, {}, revision)
        if method == "tools/list":
            listed = {"tools": [TOOLS[name] for name in self._tools]}
            return self._reply(id_, listed, revision, cached=True)
        if method == "tools/call":
            return self._call(message, revision)
        if self._has_offers:
            offered = self._answer_listing(message, revision)
            if offered is not None:
                return offered
        raise BadMessageError(wire.NO_METHOD, f"there is no method '{method[:100]}'", id_)

    def _answer_listing(self, message: Message, revision: Revision | None) -> dict[str, Any] | None:
        """The answer about resources and prompts; None: it is about neither."""
        method = message.method
        listed = {
            "resources/list": {"resources": RESOURCES},
            "resources/templates/list": {"resourceTemplates": TEMPLATES},
            "prompts/list": {"prompts": PROMPTS},
        }
        if method in listed:
            return self._reply(message.id, listed[method], revision, cached=True)
        if method == "resources/read":
            return self._reply(message.id, self._read(message, revision), revision, kept_ms=0)
        if method == "prompts/get":
            return self._reply(message.id, self._prompt(message), revision)
        return None

    def _read(self, message: Message, revision: Revision | None) -> dict[str, Any]:
        uri = message.params.get("uri")
        is_stateless = revision is not None and revision.is_stateless
        code = wire.INVALID_PARAMS if is_stateless else wire.NO_RESOURCE
        if not isinstance(uri, str):
            raise BadMessageError(wire.INVALID_PARAMS, "uri is a text", message.id)
        try:
            text = self._desk.read(uri)
        except UnknownNoteError as error:
            raise BadMessageError(code, told_of(error), message.id) from error
        except VaultmemError as error:
            raise BadMessageError(wire.INTERNAL_ERROR, told_of(error), message.id) from error
        return {"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text}]}

    def _prompt(self, message: Message) -> dict[str, Any]:
        name, arguments = message.params.get("name"), message.params.get("arguments")
        told = next((each for each in PROMPTS if each["name"] == name), None)
        if told is None or not (arguments is None or isinstance(arguments, dict)):
            said = f"there is no prompt '{str(name)[:100]}' with such arguments"
            raise BadMessageError(wire.INVALID_PARAMS, said, message.id)
        try:
            text = self._desk.prompt(str(name), arguments or {})
        except BadInputError as error:
            raise BadMessageError(wire.INVALID_PARAMS, told_of(error), message.id) from error
        except VaultmemError as error:
            raise BadMessageError(wire.INTERNAL_ERROR, told_of(error), message.id) from error
        content = {"type": "text", "text": text}
        return {
            "description": told["description"],
            "messages": [{"role": "user", "content": content}],
        }

    def _reply(
        self,
        id_: RequestId,
        result: Mapping[str, Any],
        revision: Revision | None,
        *,
        cached: bool = False,
        kept_ms: int | None = None,
    ) -> dict[str, Any]:
        """The answer, with what a revision without sessions wants in each."""
        if revision is None or not revision.is_stateless:
            return wire.reply(id_, result)
        kept_ms = _CACHED_MS if cached else kept_ms
        kept = {} if kept_ms is None else {"ttlMs": kept_ms, "cacheScope": "private"}
        whole = {"resultType": "complete", **kept, **result}
        return wire.reply(id_, {**whole, "_meta": {wire.SERVER_KEY: SERVER}})

    def _open_session(self, params: Mapping[str, Any]) -> dict[str, Any]:
        self._revision = wire.negotiate(params.get("protocolVersion"))
        asks = wire.has_form(params.get("capabilities"))
        self._has_form = asks and self._revision.can_ask and self._can_push
        # Over HTTP many clients share this server, and none of them has a session.
        self._client = wire.client_name(params.get("clientInfo")) if self._can_push else ""
        return {
            "protocolVersion": self._revision.name,
            "capabilities": self._capabilities(),
            "serverInfo": SERVER,
            "instructions": self._instructions,
        }

    def _discovery(self) -> dict[str, Any]:
        return {
            "supportedVersions": [each.name for each in wire.REVISIONS],
            "capabilities": self._capabilities(),
            "instructions": self._instructions,
        }

    def _capabilities(self) -> dict[str, Any]:
        return {"tools": {}, **({"prompts": {}, "resources": {}} if self._has_offers else {})}

    def _note(self, message: Message) -> None:
        """A notification; of those that there are one means something here."""
        if message.method != "notifications/cancelled":
            return
        cancelled = message.params.get("requestId")
        for key, pending in list(self._pending.items()):
            if pending.request == cancelled and not pending.revision.is_stateless:
                del self._pending[key]

    # --- tools -------------------------------------------------------------------------------

    def _call(self, message: Message, revision: Revision | None) -> dict[str, Any] | None:
        name, arguments = message.params.get("name"), message.params.get("arguments")
        if not isinstance(name, str) or name not in self._tools:
            said = f"there is no tool '{str(name)[:100]}'; there are: {', '.join(self._tools)}"
            raise BadMessageError(wire.INVALID_PARAMS, said, message.id)
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, dict):
            raise BadMessageError(wire.INVALID_PARAMS, "arguments is an object", message.id)
        call = (name, wire.encode(arguments))
        if revision is not None and revision.is_stateless:
            answered = self._take_answer(message.params, call)
            if answered is not None:
                question, is_agreed = answered
                settled = self._settle(question, is_agreed=is_agreed)
                return self._reply(message.id, settled, revision)
        return self._ask_desk(message, name, arguments, call, revision)

    def _ask_desk(
        self,
        message: Message,
        name: str,
        arguments: Mapping[str, Any],
        call: object,
        revision: Revision | None,
    ) -> dict[str, Any] | None:
        try:
            found = self._desk.call(name, arguments, client=self._name_of(message.params))
        except VaultmemError as error:
            return self._reply(message.id, _text(told_of(error), is_error=True), revision)
        if isinstance(found, str):
            return self._reply(message.id, _text(found), revision)
        if revision is None or not self._can_ask(message.params, revision):
            settled = self._settle(found, is_agreed=False)
            return self._reply(message.id, settled, revision)
        return self._ask_person(found, message.id, call, revision)

    def _name_of(self, params: Mapping[str, Any]) -> str:
        meta = params.get("_meta")
        stated = meta.get(wire.CLIENT_KEY) if isinstance(meta, Mapping) else None
        return wire.client_name(stated) or self._client

    def _can_ask(self, params: Mapping[str, Any], revision: Revision) -> bool:
        if not revision.is_stateless:
            return self._has_form
        meta = params.get("_meta")
        declared = meta.get(wire.CAPABILITIES_KEY) if isinstance(meta, Mapping) else None
        return wire.has_form(declared)

    def _ask_person(
        self, question: Question, id_: RequestId, call: object, revision: Revision
    ) -> dict[str, Any] | None:
        """Put the question to the person, through their client and past the model."""
        if len(self._pending) >= _MOST_PENDING:
            self._give_up(next(iter(self._pending)))
        key = secrets.token_urlsafe(16)
        self._pending[key] = _Pending(question=question, request=id_, call=call, revision=revision)
        form = {**({"mode": "form"} if revision.names_mode else {}), **_form(question)}
        if revision.is_stateless:
            asked = {_ASKED: {"method": "elicitation/create", "params": form}}
            meta = {wire.SERVER_KEY: SERVER}
            result = {"resultType": "input_required", "inputRequests": asked, "requestState": key}
            return wire.reply(id_, {**result, "_meta": meta})
        self._send({"jsonrpc": "2.0", "id": key, "method": "elicitation/create", "params": form})
        return None

    def _give_up(self, key: str) -> None:
        """A question that is waited for no more; the call of a session is answered without."""
        pending = self._pending.pop(key)
        # Of fifty open questions the oldest call is answered, not forgotten: its client would wait
        # for good.
        if not pending.revision.is_stateless:
            settled = self._settle(pending.question, is_agreed=False)
            self._send(self._reply(pending.request, settled, pending.revision))

    def _hear(self, message: Message) -> dict[str, Any] | None:
        """The answer of a client to a question of this server's; others are passed over."""
        pending = self._pending.get(message.id) if isinstance(message.id, str) else None
        if pending is None or pending.revision.is_stateless:
            return None
        del self._pending[str(message.id)]
        settled = self._settle(pending.question, is_agreed=_has_agreed(message.result))
        return self._reply(pending.request, settled, pending.revision)

    def _take_answer(self, params: Mapping[str, Any], call: object) -> tuple[Question, bool] | None:
        """(question, whether they agreed) for a request that brings an answer; None: it brings
        none. An answer counts once, for the very call that was asked about."""
        responses, key = params.get("inputResponses"), params.get("requestState")
        pending = self._pending.get(key) if isinstance(key, str) else None
        if pending is None or pending.call != call or not pending.revision.is_stateless:
            return None
        del self._pending[str(key)]
        given = responses.get(_ASKED) if isinstance(responses, Mapping) else None
        return pending.question, _has_agreed(given)

    def _settle(self, question: Question, *, is_agreed: bool) -> dict[str, Any]:
        try:
            return _text(question.settle(is_agreed))
        except VaultmemError as error:
            return _text(told_of(error), is_error=True)


def told_of(error: VaultmemError) -> str:
    """An error as a model reads it: what happened, and what to do.

    What comes out of the vault may name notes by their words, and is fenced like them.
    """
    if isinstance(error, AnsweredError):
        return error.message
    from vaultmem.assistants.mcp.fence import as_data, fence_lines  # saves 9 modules

    message, hint = as_data(error.message), as_data(error.hint)
    if isinstance(error, RefusedError):
        return fence_lines(
            [message, *([f"hint: {hint}"] if hint else [])], above=("It was not done.",)
        )
    return f"{message}\nhint: {hint}" if hint else message


def _text(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _form(question: Question) -> dict[str, Any]:
    agree = {"type": "boolean", "title": question.agree, "default": False}
    schema = {"type": "object", "properties": {_AGREE: agree}, "required": [_AGREE]}
    return {"message": question.message, "requestedSchema": schema}


def _has_agreed(given: object) -> bool:
    """Whether a form came back with a yes: sent off, and the box ticked."""
    if not isinstance(given, Mapping) or given.get("action") != "accept":
        return False
    content = given.get("content")
    return isinstance(content, Mapping) and content.get(_AGREE) is True


# The server as a process: lines in, lines out, until the client closes its end.


def serve(
    open_memory: Callable[[], Memory],
    *,
    tools: str = "default",
    client: str = "",
    project: str = "none",
    folder: str = "",
) -> None:
    """Answer on standard output what is asked on standard input; returns at its end.

    open_memory  opens the vault, when a tool is first called
    tools        a name of `tool_table.SETS`
    client       whose files `memory` shows; '': those of the client that says its name
    project, folder  as `Desk`
    """
    with _own_input() as given, _own_output() as out:

        def send(message: object) -> None:
            out.write(wire.encode(message))
            out.flush()

        desk = Desk(open_memory, client=client, project=project, folder=folder)
        server = Server(desk, send, tools=tools)
        try:
            for line in wire.lines(given):
                server.take(line)
        except BrokenPipeError:
            _drop(out)
        finally:
            server.close()


def _own_input() -> IO[bytes]:
    """Standard input for this server alone: a child process (git) that reads finds its end."""
    given = os.fdopen(os.dup(0), "rb")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return given


def _own_output() -> IO[bytes]:
    """Standard output for messages alone: what anybody else prints goes to standard error."""
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def _drop(out: IO[bytes]) -> None:
    """Nobody reads any more: what is still to be written goes nowhere, without an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, out.fileno())
    os.close(nowhere)
