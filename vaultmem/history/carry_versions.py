"""What items said before, as a document or a kept list writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from vaultmem.model.ids import blob_oid
from vaultmem.model.leaving import EarlierVersion

OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""Git's name of an object, by either kind of hash."""
_ITEM_ID = re.compile(r"i-[0-9a-z]{1,40}")
_SHA256 = 64  # characters of a name by it
_WORD = re.compile(r"[a-z][a-z-]{0,30}")
_VAULT_ID = re.compile(r"v-[0-9a-z]{1,40}")


def named(data: bytes, *, like: str) -> str:
    """Git's name of the bytes, of the kind that another name is."""
    return str(blob_oid(data, algorithm="sha256" if len(like) == _SHA256 else "sha1"))


def read_earlier(found: Mapping[str, Any]) -> tuple[EarlierVersion, ...]:
    """The versions of a list that an import kept (history/former_texts.py)."""
    return tuple(earlier_in(found.get("versions"), vault_at(found, "vault")))


def earlier_in(history: object, vault: str) -> Iterator[EarlierVersion]:
    """Versions that ended, as far as an entry says which; of this vault, or which it says."""
    for entry in history if isinstance(history, list) else []:
        if not isinstance(entry, dict) or "superseded_at" not in entry:
            continue
        id_, blob = text_at(entry, "id"), text_at(entry, "blob")
        if _ITEM_ID.fullmatch(id_) and OBJECT.fullmatch(blob):
            commit = text_at(entry, "commit")
            op, actor = text_at(entry, "op"), text_at(entry, "actor")
            yield EarlierVersion(
                id=id_,
                blob=blob,
                vault=vault or vault_at(entry, "vault"),
                commit=commit if OBJECT.fullmatch(commit) else "",
                recorded_at=instant_of(entry.get("recorded_at")),
                superseded_at=instant_of(entry.get("superseded_at")),
                op=op if _WORD.fullmatch(op) else "",
                actor=actor if _WORD.fullmatch(actor) else "",
            )


def text_at(found: Mapping[str, Any], key: str) -> str:
    """The text at a key; '' for anything else."""
    value = found.get(key, "")
    return value if isinstance(value, str) else ""


def vault_at(found: Mapping[str, Any], key: str) -> str:
    """The id of a vault at a key; '' for what is none."""
    id_ = text_at(found, key)
    return id_ if _VAULT_ID.fullmatch(id_) else ""


def instant_of(value: object) -> int | None:
    """An instant as a document writes it; None for anything else."""
    from vaultmem.language.time import read_instant

    read = read_instant(value) if isinstance(value, str) else None
    return None if read is None else read.ms
