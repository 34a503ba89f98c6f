"""Items that say exactly what a program gave, and are written as they are: nothing is extracted.

What a framework stores must come back as it was, so it goes by no rule of `remember`: no sentence
is taken out of it, and two that say the same are two. It is an item all the same: recall finds it,
a person reads, edits and forgets it, and what talks to an assistant waits for review.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem import edit, privacy, safety, vault
from vaultmem.base import TYPE_CHECKING, BadInputError
from vaultmem.extract import prepare
from vaultmem.model import LIMITED, USER, Document, Item, Plan, shorten, trust_trailers
from vaultmem.storage import notes
from vaultmem.vault import NO_OID, Workbench

if TYPE_CHECKING:
    from vaultmem.vault import Parts

_STATEMENT = 300  # characters
_LEVELS = {"person": USER, "agent": LIMITED}


def screen(parts: Parts, texts: Mapping[str, str], *, must_be_same: bool) -> dict[str, str]:
    """Texts by what they are called, without what the settings keep out of a vault.

    must_be_same  a secret is refused, not taken out
    raises        SecretFoundError, ErasedTextError
    """
    is_kept = parts.settings.secrets_imported == "allow"
    policy = "block" if must_be_same and not is_kept else None
    screening = privacy.Screening(parts.settings, policy=policy, is_imported=True)
    clean = {name: screening.clean(name, text) for name, text in texts.items()}
    screening.finish()
    if (parts.settings.state.parent / "erased").exists():
        told = Document(text="\n\n".join(clean.values()) or ".", extract=False, secrets="allow")
        vault.require_none(parts.settings, [prepare(told, settings=parts.settings)])
    return clean


def exact_item(
    parts: Parts,
    path: PurePosixPath,
    *,
    id_: str,
    statement: str,
    body: str,
    writer: str,
    valid_from: int,
    valid_until: int | None = None,
    tags: tuple[str, ...] = (),
    keys: Mapping[str, str],
) -> bytes:
    """The note of an item; its body is `body`, made inert where it is not the person's.

    raises BadInputError for one that is too long to be read
    """
    trust = _LEVELS[writer]
    why = "" if trust == USER else safety.suspicion(body)
    data = notes.encode_item(
        Item(
            path=path,
            oid=NO_OID,
            title="",
            body=body if trust == USER else safety.defang(body),
            id=id_,
            statement=shorten(" ".join(statement.split()), _STATEMENT),
            valid_from=valid_from,
            valid_until=valid_until,
            status="candidate" if why else "active",
            review=why,
            source=(path.stem,),  # its own: there is no text that it was taken from
            importance=5,
            pinned=True,  # what a program put there stays until the program takes it away
            writer=writer,
            trust=trust,
            tags=tags,
            fields={name: safety.defang(value) for name, value in keys.items()},
        ),
        zone=parts.settings.timezone,
    )
    require_size(parts, len(data))
    return data


def require_size(parts: Parts, size: int) -> None:
    """Refuse what is longer than a note may be (bytes), so that it could not be read again."""
    if size > parts.settings.limits_note_bytes:
        raise BadInputError(
            f"it has {size:,} bytes; a note may have {parts.settings.limits_note_bytes:,}",
            hint="split it, or raise limits.note_bytes in vaultmem.toml",
        )


def write_notes(
    parts: Parts,
    changes: Mapping[PurePosixPath, bytes | None],
    *,
    op: str,
    subject: str,
    actor: str,
    levels: Mapping[str, str],
) -> None:
    """Write notes, or take them away where None, in one commit; what is so already is left alone.

    levels  trust by id of those that are new
    """

    def write() -> None:
        with edit.writer(parts):
            bench = Workbench(parts)
            for path, data in changes.items():
                if data is not None:
                    bench.put(path, data)
                elif bench.text(path) is not None:
                    bench.remove(path)
            found = bench.step()
            if found:
                plan = Plan(
                    op=op,
                    actor=actor,
                    subject=subject,
                    changes=found,
                    trailers=trust_trailers(levels),
                )
                vault.apply(parts, [plan])

    vault.retry_when_stale(write)
