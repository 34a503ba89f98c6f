"""Settings files of a test: a home, an environment, a vault."""

from __future__ import annotations

import os
from pathlib import Path

from vaultmem.config.settings import Settings, load_settings, person_file

Environ = dict[str, str]


def make_vault(root: Path, text: str = 'format = 1\nid = "v-0000000001"\n') -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "vaultmem.toml").write_text(text, encoding="utf-8", newline="")
    return root


def person(environ: Environ, text: str) -> Path:
    file = Path(person_file(environ))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")
    return file


def settings_of(root: Path, environ: Environ, text: str) -> Settings:
    return load_settings(make_vault(root, text), environ=environ)


def messages(settings: Settings) -> list[str]:
    return [warning.message for warning in settings.warnings]


def rest(*files: Path) -> None:
    """Let the files look as if they had not been touched for an hour."""
    for file in files:
        before = file.stat().st_mtime - 3600
        os.utime(file, (before, before))
