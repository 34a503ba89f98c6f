"""What language models are told, by name; a person may write another text for any of it."""

from __future__ import annotations

import os
from pathlib import Path

from vaultmem.base.errors import SettingsError
from vaultmem.config.state import person_file


def instructions(name: str) -> str:
    """What the model is told: the person's own file beside their settings, or that of the program.

    A file of theirs is `prompts/NAME.md`; its first line is its name and version, as in ours.
    raises SettingsError for one that cannot be read
    """
    from vaultmem.base.assets import prompt

    own = Path(person_file(os.environ)).parent / "prompts" / f"{name}.md"
    try:
        _, _, text = own.read_text(encoding="utf-8").partition("\n")
    except FileNotFoundError:
        _, text = prompt(name)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read '{own}': {error}") from error
    return text.strip()
