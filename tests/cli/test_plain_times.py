"""Times as a person reads them: to the minute, never with milliseconds and an offset."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vaultmem.__main__ import main


def test_an_end_within_the_day_is_told_to_the_minute(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def say(*words: str) -> str:
        main(["--vault", str(root), *words])
        printed = capsys.readouterr()
        return printed.out + printed.err

    said = say("remember", "--fact", "project-x", "uses_cache", "Redis")
    said += say("expire", "project-x", "uses_cache", "--until", "2020-01-01")
    said += say("change", "project-x", "uses_cache", "Valkey", "--effective", "2099-03-01T09:14Z")
    said += say("change", "project-x", "uses_cache", "Valkey", "--effective", "2020-01-01T10:11Z")
    said += say("diff", "2000-01-01") + say("history", "project-x")
    assert "2099-03-01 09:14" in said
    assert re.findall(r"\d{4}-\d\d-\d\dT\S*", said) == []


def test_an_audit_since_a_date_does_not_call_it_the_anchor(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--vault", str(root), "audit", "--since", "2020-01-01"])
    assert capsys.readouterr().out.startswith("compared since 2020-01-01 00:00")


def test_a_path_with_backslashes_names_the_note(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--vault", str(root), "show", "streams\\tasks.md"]) == 0
    assert "streams/tasks.md" in capsys.readouterr().out
