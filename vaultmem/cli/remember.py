"""What remember does once its options are read; loads no click."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence

from vaultmem import extract, judgement, language, model
from vaultmem import remember as remembering
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, DiskError, SecretFoundError, replace
from vaultmem.cli.open_vault import NOTHING, clock, open_memory
from vaultmem.cli.output import as_plain, say, say_json, tell

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import Document, Remembered

STDIN = "-"
_INSTANTS = ("date", "valid_from", "valid_until")
# A word with one of these endings that names no file is more likely a slip than a memory.
_FILE_ENDINGS = (".md", ".txt", ".json", ".markdown")


def remember(
    words: Sequence[str],
    *,
    files: Sequence[str] = (),
    vault: str | None = None,
    about: Mapping[str, Any] = NOTHING,
    dry_run: bool = False,
    explain: bool = False,
    as_json: bool = False,
) -> int:
    """Keep a text given as words, in files, or on standard input ('-').

    about  fields of `Document` that were given; instants and projects as texts
    """
    from vaultmem.cli.report_lines import remembered_lines  # saves 3 modules

    is_made = "fact" in about and not words and not files  # the text, of the fact
    texts = (("", ""),) if is_made else tuple(_texts(words, files))
    with open_memory(vault) as memory:
        zone = memory.settings.timezone
        about = _with_projects(memory, about)
        known = model.Document(
            text="", **{**about, **{name: _moment(about.get(name), zone) for name in _INSTANTS}}
        )
        documents = [
            replace(
                known,
                text=text,
                origin=known.origin or origin,
                writer=known.writer or _writer(known.origin, origin),
                imported=bool(origin),
            )
            for text, origin in texts
        ]
        try:
            done = _keep(memory, documents, dry_run=dry_run)
        except SecretFoundError as found:
            documents = [replace(each, secrets=_answer(found)) for each in documents]
            done = _keep(memory, documents, dry_run=dry_run)
    for one in done:
        _warn_of_unseen(one.unseen)
    if explain:
        return _explain(done, documents, zone, as_json=as_json)
    if as_json:
        say_json(done[0] if len(done) == 1 else done, zone)
    else:
        for one in done:
            say(remembered_lines(one, zone))
    return 0


def _with_projects(memory: Memory, about: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields, with the projects that are meant: those named are of all that the text says."""
    chosen = about.get("projects", ())
    if not chosen and memory.settings.projects_commands == model.NO_PROJECT:
        return about
    from vaultmem.cli.recall import project_of  # saves 6 modules

    found = [project_of(memory, each) for each in chosen or (None,)]
    named = any(each != "auto" for each in chosen)
    projects = tuple(each for each in found if each)
    return {**about, "projects": projects, "is_for_projects": named}


def _explain(
    done: Sequence[Remembered], documents: Sequence[Document], zone: str, *, as_json: bool
) -> int:
    """What became of each text, with the reasons for each of its sentences."""
    from vaultmem.cli.explain_lines import explained_lines  # saves 7 modules
    from vaultmem.cli.report_lines import remembered_lines  # saves 3 modules

    # Of what was masked nothing is said; a document that is no word of mouth is read by rules.
    told = [
        () if one.removed or document.imported else judgement.explain(document.text)
        for one, document in zip(done, documents, strict=True)
    ]
    if as_json:
        plain = [
            as_plain(one, zone) | {"explained": as_plain(why, zone)}
            for one, why in zip(done, told, strict=True)
        ]
        say_json(plain[0] if len(plain) == 1 else plain, zone)
        return 0
    for one, why in zip(done, told, strict=True):
        say(remembered_lines(one, zone))
        say(explained_lines(why, one))
    return 0


def _warn_of_unseen(ways: Sequence[str]) -> None:
    if ways:
        tell(f"warning: the text holds what nobody sees: {', '.join(ways)}; it is kept as it is")
        tell("hint: if you did not put it there, `vaultmem undo`, and type the words anew")


def _keep(memory: Memory, documents: Sequence[Document], *, dry_run: bool) -> Sequence[Remembered]:
    """Remember the documents: one as one operation, many in bulk with progress."""
    if len(documents) > 1 and not dry_run:
        from vaultmem.cli.options import shown_progress  # saves 46 modules

        with shown_progress() as progress:
            return memory.remember_many(documents, progress=progress)
    if memory.settings.extractor != "llm":
        return [remembering.remember(memory.opened, each, dry_run=dry_run) for each in documents]
    from vaultmem.cli.options import shown_waiting  # saves 46 modules

    with shown_waiting("asking the model"):
        return [remembering.remember(memory.opened, each, dry_run=dry_run) for each in documents]


def _writer(source: str, origin: str) -> str:
    """Whose words they are when nobody says: typed ones are the person's, files and what another
    program pipes in need not be; '' leaves a URL to be taken for the web."""
    is_url = source.casefold().startswith(("http://", "https://"))
    return "import" if origin and not is_url else ""


def _answer(found: SecretFoundError) -> str:
    """What the person at the terminal wants done; raises the error where there is none to ask."""
    if found.policy != "ask" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise found
    tell(f"this looks like a secret: {', '.join(found.places)}")
    sys.stderr.write("keep the text [w]ithout it, keep it [a]s it is, or [s]top? [w/a/S] ")
    sys.stderr.flush()
    answer = sys.stdin.readline().strip().lower()[:1]
    if answer not in ("w", "a"):
        raise found
    return "redact" if answer == "w" else "allow"


def _texts(words: Sequence[str], files: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(text, where it comes from) of everything that was given."""
    if words and all(word == STDIN or os.path.isfile(word) for word in words):
        files, words = [*words, *files], ()
    if words:
        slip = _meant_as_file(words)
        if slip:
            is_folder = os.path.isdir(slip)
            raise BadInputError(
                f"'{slip}' is a folder; name its files" if is_folder else f"no file '{slip}'",
                hint="to remember these very words, pipe them: echo … | vaultmem remember -",
            )
        yield " ".join(words), ""
    for file in files:
        yield (_stdin(), "stdin") if file == STDIN else (_file(file), os.path.basename(file))
    if not words and not files:
        raise BadInputError(
            "nothing to remember", hint="give a text, a file, or - for standard input"
        )


def _meant_as_file(words: Sequence[str]) -> str:
    """The word that was meant as a file and is none; '' when the words are a text.

    A word alone that is a folder or ends like a file, or one beside words that are files.
    """
    # Tried as a newcomer: the name of a folder became a memory.
    looks = [w for w in words if " " not in w and w.lower().endswith(_FILE_ENDINGS)]
    if len(words) == 1:
        alone = words[0]
        return alone if looks or (os.path.isdir(alone) and os.sep in alone) else ""
    if any(os.path.isfile(word) for word in looks):
        return next((word for word in words if not os.path.isfile(word)), "")
    return ""


def _file(name: str) -> str:
    try:
        with open(name, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise DiskError(f"cannot read '{name}': {error.strerror}") from error
    _require_no_export(data, name)
    text = _decode_utf8(data, f"'{name}'")
    if name.lower().endswith(".json") and not extract.is_conversation(text):
        raise BadInputError(
            f"'{name}' holds no conversation",
            hint="a list of {role, content, time?} is read; to keep it as text, pipe it: "
            f"vaultmem remember - --raw < '{name}'",
        )
    return text


def _require_no_export(data: bytes, name: str) -> None:
    """Refuse what `import` reads: as a text, a transcript's prompts would be the person's words."""
    from vaultmem import transfer  # saves 4 modules

    product = transfer.product_of(data[: transfer.HEAD])
    if product:
        me = " --me NAME" if product in ("telegram", "whatsapp", "slack") else ""
        raise BadInputError(
            f"'{name}' is an export of {product}",
            hint=f"to take in its conversations: vaultmem import '{name}'{me}",
        )


def _stdin() -> str:
    return _decode_utf8(sys.stdin.buffer.read(), "standard input")


def _decode_utf8(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInputError(
            f"{what} line {line}: not UTF-8 text", hint="save it as UTF-8 and try again"
        ) from error


def _moment(text: str | None, zone: str) -> int | None:
    """UTC ms of a date that an option gives."""
    if text is None:
        return None

    return language.parse_when(text, clock().now(), zone)
