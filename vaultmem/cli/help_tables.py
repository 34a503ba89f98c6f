"""Two pages of help that are read from the program: the keys of `--json`, the methods of `Memory`.

What a key or a method means is told once, beside it. On a page of its own it was told twice, and
`commands.md` had 1,200 words of keys without a word of what they mean.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from vaultmem.base import BadInputError, NamedTuple

_PACKAGE = Path(__file__).parents[1]

# The record that each command prints with `--json`; in brackets: a list of them.
RECORDS = {
    "remember": "Remembered",
    "recall": "Answer",
    "search": "Answer",
    "context": "Pack",
    "list": "[NoteRow]",
    "show": "Shown",
    "links": "Links",
    "feedback": "Judged",
    "session start": "SessionView",
    "session turn": "TurnReport",
    "session prompt": "Prompt",
    "session show": "SessionView",
    "session list": "[SessionRow]",
    "session replay": "SessionView",
    "session rewind": "SessionView",
    "session artifact": "[ArtifactRow]",
    "session fact": "SessionView",
    "session summarise": "Summarised",
    "session end": "SessionEnded",
    "session resume": "SessionView",
    "change": "Changed",
    "supersede": "Changed",
    "correct": "Changed",
    "expire": "Changed",
    "retract": "Changed",
    "edit": "Edited",
    "log": "[Operation]",
    "undo": "Undone",
    "restore": "Undone",
    "forget": "Forgotten",
    "forget --aged": "Aged",
    "forget --purge": "Purged",
    "history": "VersionHistory",
    "diff": "DiffReport",
    "timeline": "Timeline",
    "consolidate": "Consolidated",
    "consolidate --history": "LearningHistory",
    "rules": "RuleList",
    "rules --why": "LearnedRule",
    "rules --propose": "RuleProposals",
    "profile": "Profile",
    "reflect": "Reflected",
    "summarise": "SummariseReport",
    "report": "Report",
    "canvas": "Canvas",
    "status": "StatusReport",
    "review": "[Waiting]",
    "review approve": "Reviewed",
    "review reject": "Reviewed",
    "check": "CheckReport",
    "audit": "AuditReport",
    "audit --claims": "Claims",
    "sync": "SyncReport",
    "sync --remote": "Exchanged",
    "reindex": "SyncReport",
    "maintain": "[JobReport]",
    "maintain status": "[JobState]",
    "maintain install": "Schedule",
    "compact": "Compacted",
    "compact --budget": "StreamsCompacted",
    "pull": "Exchanged",
    "push": "Exchanged",
    "export": "Exported",
    "import": "ImportedProducts",
    "import (of a file of export)": "Imported",
    "clear": "Cleared",
    "init": "InitReport",
    "llm check": "ModelsChecked",
}
# Those that print no record, or text alone.
OTHERS = {
    "chat": "for each turn an object: reply, tokens, turn (as session turn)",
    "proxy": "a line when it listens: url, token_file, forwards_to, messages_to, model, vault; "
    "then one for each turn, as session turn; with --token: token, token_file",
    "mcp": "lines of the protocol, whatever --json says",
    "hook": "what the client reads, whatever --json says; nothing where nothing is known",
    "view": "a line when it can be asked: url, link (works once), vault",
    "watch": "for each save a line, as sync",
    "remote": "object: url, branch, suggestion, warnings; remote remove prints text",
    "install": "list: client, scope, is_done, files (file, is_change, remarks, difference), note; "
    "with --check: what, is_good, told",
    "uninstall": "as install",
    "vaults": "list: name, path, default; its subcommands print text",
    "config": "list: key, value, default, unit, source, why, allowed, elsewhere",
    "demo": "text",
    "help": "text",
    "completion": "text",
}
REMARKS = {
    "remember": "a list of them for several texts",
    "recall": "each hit has the keys of its note beside its own, in place of `note`",
    "search": "each hit has the keys of its note beside its own, in place of `note`",
    "list": "with --as-of or --known-at an object: moment, notes; with --no-sync an object: "
    "is_level, synced_at, notes",
    "session turn": "a list of them for several turns",
    "canvas": "null where nothing is known: no file is written",
    "session artifact": "with a name or --turn: a list of texts",
    "forget": "with --lift: lifted",
}


class Key(NamedTuple):
    """A key of a record: its name, its type as it is written, and what is said beside it."""

    name: str
    type: str
    meaning: str


class Record(NamedTuple):
    """A record that is printed: what it is, and its keys in their order."""

    text: str
    keys: tuple[Key, ...]


def help_on_json(words: str) -> Iterator[str]:
    """Lines of `vaultmem help json`: of all commands, or of one with what each key means.

    raises BadInputError for words that are no command
    """
    if not words:
        yield "With --json each command prints one value. `vaultmem help json COMMAND` says what"
        yield "each key means; [] is a list. Times are ISO 8601 in the zone of the vault."
        yield ""
        for command, name in RECORDS.items():
            record = records()[name.strip("[]")]
            keys = ", ".join(key.name for key in record.keys)
            yield f"{command}: [{keys}]" if name.startswith("[") else f"{command}: {keys}"
        yield ""
        yield from (f"{command}: {text}" for command, text in OTHERS.items())
        return
    wanted = [each for each in (*RECORDS, *OTHERS) if f"{each} ".startswith(f"{words} ")]
    if not wanted:
        raise BadInputError(
            f"no command is called '{words}'", hint="`vaultmem help json` lists them"
        )
    shown: set[str] = set()
    for command in wanted:
        if command in OTHERS:
            yield f"{command}: {OTHERS[command]}"
            continue
        name = RECORDS[command]
        kind = "a list of" if name.startswith("[") else "an object:"
        yield f"{command}: {kind} {name.strip('[]')}"
        if command in REMARKS:
            yield f"  {REMARKS[command]}"
        yield from _lines_of(name.strip("[]"), shown)
        yield ""


def _lines_of(name: str, shown: set[str]) -> Iterator[str]:
    """A record with its keys, then the records within it; each once."""
    if name in shown:
        return
    shown.add(name)
    record = records()[name]
    yield ""
    yield f"{name}: {record.text}"
    for key in record.keys:
        yield f"  {key.name:<20} {f'{key.type}; {key.meaning}' if key.meaning else key.type}"
    for key in record.keys:
        for inner in _inner(key.type):
            yield from _lines_of(inner, shown)


def _inner(type_: str) -> Iterator[str]:
    """The records that a type names."""
    return (word for word in re.findall(r"\w+", type_) if word in records())


@cache
def records() -> Mapping[str, Record]:
    """The records of answers by name, as their source says."""
    drawn = (_PACKAGE / "window" / name for name in ("report.py", "canvas.py"))
    files = [*sorted((_PACKAGE / "model").rglob("*.py")), *drawn]
    return {
        node.name: Record(_summary(node), tuple(_keys(node, source.splitlines())))
        for source in (file.read_text(encoding="utf-8") for file in files)
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.decorator_list
    }


def _keys(record: ast.ClassDef, lines: list[str]) -> Iterator[Key]:
    for node in record.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            beside = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")[2]
            several = r"tuple\[(.*), \.\.\.\]|Sequence\[(.*)\]"
            type_ = re.sub(several, r"[\1\2]", ast.unparse(node.annotation))
            yield Key(node.target.id, type_.replace("PurePosixPath", "path"), beside)


def _summary(node: ast.ClassDef | ast.FunctionDef) -> str:
    """The first paragraph of what is said of it, on one line."""
    return " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())


def help_on_methods() -> Iterator[str]:
    """Lines of `vaultmem help methods`: each method with its arguments, answer and meaning."""
    yield "`with Memory(vault) as memory:`, then (`help(memory.recall)` in Python says more):"
    yield ""
    for name, node in methods():
        answer = "None" if node.returns is None else ast.unparse(node.returns)
        yield f"memory.{name}({_arguments(node)}) -> {answer}"
        yield f"    {_summary(node)}"


def methods() -> Iterator[tuple[str, ast.FunctionDef]]:
    """The public methods of `Memory` and of its facets, by the way that they are called."""
    folder = _PACKAGE / "api"
    classes = {
        node.name: node
        for file in sorted(folder.glob("*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    for node in _public(classes["Memory"]):
        yield node.name, node
    for facet in _public(classes["Facets"], are_properties=True):
        for node in _public(classes[ast.unparse(facet.returns or ast.Name(""))]):
            yield f"{facet.name}.{node.name}", node
    for node in _public(classes["Session"]):
        yield f"session(id).{node.name}", node


def _public(class_: ast.ClassDef, *, are_properties: bool = False) -> Iterator[ast.FunctionDef]:
    for node in class_.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            marks = {ast.unparse(each) for each in node.decorator_list}
            if ("property" in marks) == are_properties:
                yield node


def _arguments(node: ast.FunctionDef) -> str:
    """As one calls it: `query, limit=None, *, project=''`, without `self` and types."""
    plain = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(each.arg) for each in node.args.args[1:]],
        vararg=node.args.vararg and ast.arg(node.args.vararg.arg),
        kwonlyargs=[ast.arg(each.arg) for each in node.args.kwonlyargs],
        kw_defaults=node.args.kw_defaults,
        kwarg=node.args.kwarg and ast.arg(node.args.kwarg.arg),
        defaults=node.args.defaults,
    )
    return ast.unparse(plain)
