"""Repositories of a person's work, made with git or by their files alone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

HERON = "github.com/acme/heron"
STORK = "gitlab.com/acme/stork"


def git(folder: Path, *arguments: str) -> str:
    """Run git as a person does."""
    who = (
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.org",
        "-c",
        "init.defaultBranch=main",
    )
    done = subprocess.run(
        ["git", "-C", str(folder), *who, "-c", "protocol.file.allow=always", *arguments],
        capture_output=True,
        check=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
        text=True,
    )
    return done.stdout.strip()


def bare_files(folder: Path, config: str = "") -> Path:
    """What makes a folder a repository for whoever only reads; takes no process."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text(config)
    return folder


def with_remote(folder: Path, url: str, *, name: str = "origin") -> Path:
    """A repository with one remote."""
    return bare_files(folder, f'[core]\n\tbare = false\n[remote "{name}"]\n\turl = {url}\n')
