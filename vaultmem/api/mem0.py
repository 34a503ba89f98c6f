"""What callers bring along from Mem0: lists of messages, filters as a dict, metadata.

What fits is taken; where it does not, the error names the call that does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from vaultmem.base import BadInputError
from vaultmem.model import Filters
from vaultmem.storage import notes

if TYPE_CHECKING:
    Messages: TypeAlias = str | Mapping[str, object] | Sequence[Mapping[str, object]]
    Metadata: TypeAlias = Mapping[str, object]

_SINGULAR = {
    "type": "types",
    "kind": "kinds",
    "stream": "streams",
    "category": "categories",
    "tag": "tags",
    "entity": "entities",
    "project": "projects",
    "status": "statuses",
    "trust": "trusts",
}
_FLAGS = ("hard", "critical")
_TIMES = ("since", "until")
_WHOSE = {
    "user_id": "a vault is one person's: `Memory('notes/ada')` is a vault for each, as in "
    "`vaultmem.adapters.mem0ai.Memory`",
    "agent_id": 'say whose words they are: `memory.remember(text, writer="agent")`',
    "run_id": "a conversation is a session: `memory.session('monday').turn(...)`",
}


def text_of(messages: Messages) -> str:
    """The text to remember: a text as it is, messages as the JSON list that `remember` reads.

    raises BadInputError for what is neither a text nor messages of role and content
    """
    # `memory.add([{role, content}])`, as Mem0 has it, failed with an AttributeError inside.
    if isinstance(messages, str):
        return messages
    listed = [messages] if isinstance(messages, Mapping) else list(messages)
    for number, each in enumerate(listed):
        if not (
            isinstance(each, Mapping)
            and isinstance(each.get("role"), str)
            and each.get("content") is not None
        ):
            raise BadInputError(
                f"message {number + 1} of {len(listed)} has no role and content",
                hint='`memory.add([{"role": "user", "content": "I like tea."}])`, or a text',
            )
    try:
        return json.dumps(listed, ensure_ascii=False)
    except TypeError as error:
        raise BadInputError(
            f"the messages cannot be written as JSON: {error}", hint="texts, numbers and lists can"
        ) from error


def require_one_person(**given: str | None) -> None:
    """Refuse ids of users, agents and runs, which a vault does not keep apart.

    raises BadInputError that says what to call instead
    """
    for name, value in given.items():
        if value is not None:
            raise BadInputError(f"there is no '{name}' here", hint=_WHOSE[name])


def filters_of(given: Filters | Mapping[str, object] | None) -> Filters:
    """The filters; of a dict by the names of their fields, in the singular, too.

    `{"kind": "preference", "streams": ["identity"]}`; None and {} are any.
    raises BadInputError for a name or value that is none
    """
    if given is None or isinstance(given, Filters):
        return given or Filters()
    found: dict[str, object] = {}
    for name, value in given.items():
        if name in _WHOSE:
            raise BadInputError(f"there is no '{name}' to filter by", hint=_WHOSE[name])
        field = _SINGULAR.get(name, name)
        if field in _SINGULAR.values():
            found[field] = _texts(name, value)
        elif (field in _FLAGS and isinstance(value, bool)) or (
            field in _TIMES and isinstance(value, int)
        ):
            found[field] = value
        else:
            names = ", ".join((*_SINGULAR, *_FLAGS, *_TIMES))
            raise BadInputError(
                f"there is no filter '{name}' with the value {value!r}",
                hint=f"filters are: {names}; metadata is kept, and not filtered by",
            )
    return Filters(**found)  # type: ignore[arg-type]  # each was looked at above


def _texts(name: str, value: object) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value
    if isinstance(listed, Sequence) and all(isinstance(each, str) for each in listed):
        return tuple(listed)
    raise BadInputError(
        f"the filter '{name}' is {value!r}", hint="it takes a text or a list of texts"
    )


def metadata_of(given: Metadata | None) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    """Metadata as keys of a note's front matter, by name: texts, numbers, lists of them.

    raises BadInputError for a name that is a key of the vault's own, or none that YAML keeps
    """
    found: list[tuple[str, str | tuple[str, ...]]] = []
    for name, value in sorted((given or {}).items()):
        if name in (*notes.ITEM_KEYS, *notes.RESOURCE_KEYS, "session"):
            raise BadInputError(
                f"the metadata '{name}' is a key of the vault's own",
                hint="use another name, or what `remember` calls it (`kind=`, `category=`, ...)",
            )
        if not (name.replace("_", "").replace("-", "").isalnum() and name[0].isalpha()):
            raise BadInputError(
                f"the metadata '{name}' cannot be a key of a note",
                hint="letters, digits, '_' and '-', a letter first",
            )
        if isinstance(value, (list, tuple)):
            found.append((name, tuple(_scalar(name, each) for each in value)))
        elif value is not None:
            found.append((name, _scalar(name, value)))
    return tuple(found)


def _scalar(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return " ".join(str(value).split())
    raise BadInputError(
        f"the metadata '{name}' is {value!r}", hint="texts, numbers and lists of them are kept"
    )
