"""A text to remember, and making it ready: body as stored, turns, id, title, date."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import replace
from vaultmem.model.documents import Document as Document
from vaultmem.model.documents import Prepared as Prepared
from vaultmem.model.ids import resource_id
from vaultmem.model.notes import KINDS, STREAMS
from vaultmem.model.trust import USER
from vaultmem.model.wording import shortened
from vaultmem.vault.provenance import require_own_words, trust_of_text, writer_of

if TYPE_CHECKING:
    from vaultmem.config.settings import Settings
    from vaultmem.model.drafts import Turn
    from vaultmem.model.reports import Removed
    from vaultmem.privacy.screening import Screening

TITLE_LENGTH = 60
POLICIES = ("ask", "block", "redact", "allow")


def prepare(document: Document, *, settings: Settings) -> Prepared:
    """Check the document and work out what is stored, without secrets and what else must not be.

    raises SecretFoundError  it holds a secret and the policy is to stop
    raises BadInputError  nothing in it, not text, too long, or an unknown kind or stream
    """
    from vaultmem.extract.turns import is_conversation, parse, render, turns_of

    _check_choice("kind", document.kind, KINDS)
    _check_choice("stream", document.stream, STREAMS)
    writer = writer_of(document)
    require_own_words(document, writer)
    _check_choice("policy for secrets", document.secrets, POLICIES)
    require_fact(document)
    if document.fact is not None and not document.text.strip():
        from vaultmem.extract.restating import sentence

        document = replace(document, text=sentence(*document.fact))
    body = document.text
    if body.strip() in ("", "[]", "{}"):
        raise BadInputError("there is nothing to remember: the text is empty")
    require_text(body, settings.limits_note_bytes)
    zone = settings.timezone
    talk = document.fact is None and is_conversation(body)
    if talk and body.lstrip()[:1] in ("[", "{"):
        body = render(parse(body, zone), zone)
    body = body if body.endswith("\n") else body + "\n"
    is_imported = document.imported or talk or writer != "person"
    document, removed = screen(replace(document, text=body), settings, is_imported=is_imported)
    body = document.text
    turns = parse(body, zone) if talk else turns_of(body, zone)
    said = next((turn.said_at for turn in turns if turn.said_at is not None), None)
    trust = trust_of_text(writer, turns, is_conversation=talk)
    return Prepared(
        document=document,
        body=body,
        turns=turns,
        is_conversation=talk,
        id=resource_id(body),
        title=document.title.strip() or title_of(body, turns if talk else ()),
        date=document.date if document.date is not None else said,
        writer=writer,
        trust=trust,
        removed=removed,
        unseen=_unseen(document) if trust == USER else (),
    )


def _unseen(document: Document) -> tuple[str, ...]:
    """How a text holds what nobody sees, each way once; comments are meant to be read by somebody.

    Own words are kept to the byte, also what no screen shows; whoever pasted them may not know.
    Emoji and scripts that need joiners are none of it (text_instructions.py).
    """
    text = "\n".join((document.text, document.title, *(document.fact or ())))
    if text.isascii():
        return ()
    from vaultmem.safety.instructions import hidden

    ways = (each.how for each in hidden(text))
    return tuple(dict.fromkeys(how for how in ways if not how.endswith("comment")))


def screen(
    document: Document, settings: Settings, *, is_imported: bool
) -> tuple[Document, tuple[Removed, ...]]:
    """The document as it may be written, and what was taken out of text, title, source, category.

    raises SecretFoundError  it holds a secret and the policy is to stop
    """
    from vaultmem.privacy.screening import Screening

    screening = Screening(settings, policy=document.secrets, is_imported=is_imported)
    clean = replace(
        document,
        text=screening.clean("text", document.text),
        title=screening.clean("title", document.title),
        origin=screening.clean("source", document.origin),
        category=screening.clean("category", document.category or "") or None,
        fact=_cleaned(screening, document.fact),
        metadata=tuple(
            (
                name,
                screening.clean(name, value)
                if isinstance(value, str)
                else tuple(screening.clean(name, each) for each in value),
            )
            for name, value in document.metadata
        ),
    )
    return clean, screening.finish()


def _cleaned(
    screening: Screening, fact: tuple[str, str, str] | None
) -> tuple[str, str, str] | None:
    if fact is None:
        return None
    subject, predicate, value = (screening.clean("fact", " ".join(part.split())) for part in fact)
    return subject, predicate, value


def require_fact(document: Document) -> None:
    """Refuse a fact without a slot or value, an empty interval, a confidence that is none.

    raises BadInputError
    """
    from vaultmem.model.slots import slot_key

    if document.fact is not None and not (
        slot_key(*document.fact[:2]) and document.fact[2].strip()
    ):
        raise BadInputError(
            "a fact is a subject, a predicate and a value",
            hint="for example: --fact project-x uses_database postgresql",
        )
    since, until = document.valid_from, document.valid_until
    if since is not None and until is not None and until <= since:
        raise BadInputError(
            "the items would end before they begin",
            hint="give a --valid-until that is later than --valid-from",
        )
    if document.confidence is not None and not 0 <= document.confidence <= 1:
        raise BadInputError(
            f"a confidence is from 0 to 1, not {document.confidence:g}",
            hint="1 is certain, 0 is worth nothing",
        )


def title_of(body: str, turns: tuple[Turn, ...]) -> str:
    """The first heading, else the first words; of a conversation, who talks."""
    if turns:
        speakers = list(dict.fromkeys(turn.speaker for turn in turns if turn.speaker))
        named = " and ".join(speakers[:3])
        return shortened(f"Conversation of {named}" if named else "Conversation", TITLE_LENGTH)
    body, named = _without_front_matter(body)
    if named:
        return shortened(named, TITLE_LENGTH)
    lines = (line.strip() for line in body.splitlines())
    first = next((line for line in lines if line.strip("#*->_ \t=`~|")), "note")
    return shortened(first.lstrip("#*->_ \t"), TITLE_LENGTH)


def _without_front_matter(body: str) -> tuple[str, str]:
    """The text below front matter, and the title that it gives; '' when it gives none."""
    from vaultmem.storage.notes.frontmatter import read

    if not body.startswith("---"):
        return body, ""
    found = read(body.encode(), PurePosixPath("text.md"))
    title = found.values.get("title")
    return found.body, title if isinstance(title, str) else ""


def _check_choice(what: str, value: str | None, choices: tuple[str, ...]) -> None:
    if value is not None and value not in choices:
        raise BadInputError(f"'{value}' is no {what}", hint="one of: " + ", ".join(choices))


def require_text(body: str, limit_bytes: int) -> None:
    """Refuse what is no text, or too long; raises BadInputError."""
    try:
        size = len(body.encode())
    except UnicodeEncodeError as error:
        raise BadInputError(
            f"character {error.start + 1} of the text is half of a surrogate pair, not text",
            hint="read the source again as UTF-8",
        ) from error
    if size > limit_bytes:
        raise BadInputError(
            f"the text has {size:,} bytes; a note may have {limit_bytes:,}",
            hint="split it, or raise limits.note_bytes in vaultmem.toml",
        )
