"""Files that travel with the program: templates, the sample vault and the pages of help."""

from __future__ import annotations

from pathlib import Path

from vaultmem.base.errors import BadInputError, VaultmemError

_PACKAGE = Path(__file__).parents[1]


def templates() -> Path:
    """Folder of the templates: `vault/` (what init copies) and `notes/` (shapes of new notes)."""
    return _folder("_templates", "templates")


def sample_vault() -> Path:
    """Folder of the sample vault. Copy it before use: it lies inside the program."""
    return _folder("_sample", "sample-vault")


def prompt(name: str) -> tuple[str, str]:
    """(version, text) of what a language model is told; `extract 1` is the first line of one."""
    text = (templates() / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    version, _, instructions = text.partition("\n")
    return version, instructions.strip()


def topics() -> tuple[tuple[str, str], ...]:
    """(topic, title) of every page of help, sorted by topic."""
    pages = sorted((_PACKAGE / "docs").glob("*.md"))
    return tuple((page.stem, _title(page)) for page in pages)


def page(topic: str) -> str:
    """Markdown of one page of help; raises BadInputError naming the topics there are."""
    known = [name for name, _ in topics()]
    if topic not in known:
        from difflib import get_close_matches

        near = get_close_matches(topic, known, n=1)
        raise BadInputError(
            f"no page of help is called '{topic}'",
            hint=f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known)}",
        )
    return (_PACKAGE / "docs" / f"{topic}.md").read_text(encoding="utf-8")


def _folder(installed: str, in_checkout: str) -> Path:
    """A folder of the wheel, or of the checkout that an editable install points to."""
    for folder in (_PACKAGE / installed, _PACKAGE.parent / in_checkout):
        if folder.is_dir():
            return folder
    raise VaultmemError(
        f"this installation holds no '{in_checkout}'", hint="install vaultmem again"
    )


def _title(file: Path) -> str:
    with open(file, encoding="utf-8") as stream:
        return stream.readline().lstrip("#").strip()
