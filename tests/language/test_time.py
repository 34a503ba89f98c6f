"""Instants: what ISO text means, how milliseconds are written, days in zones, options."""

from __future__ import annotations

import datetime
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.base.errors import BadInputError, SettingsError
from vaultmem.language import time as vt
from vaultmem.language.written_dates import parse_when

ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "-03:30"])
MOMENTS = st.integers(min_value=-60_000_000_000_000, max_value=250_000_000_000_000)


@pytest.mark.parametrize(
    ("text", "zone", "utc", "granularity"),
    [
        ("2026-03-11", "UTC", "2026-03-11T00:00:00+00:00", "day"),
        ("2026-03-11", "Europe/Berlin", "2026-03-10T23:00:00+00:00", "day"),
        ("2026-03-11T09:14", "Europe/Berlin", "2026-03-11T08:14:00+00:00", "minute"),
        ("2026-03-11 09:14:30", "UTC", "2026-03-11T09:14:30+00:00", "second"),
        ("2026-03-11T09:14:00Z", "Europe/Berlin", "2026-03-11T09:14:00+00:00", "second"),
        ("2026-03-11T09:14:00.5-0330", "UTC", "2026-03-11T12:44:00.500+00:00", "second"),
        ("2026-03", "UTC", "2026-03-01T00:00:00+00:00", "month"),
        ("2026", "UTC", "2026-01-01T00:00:00+00:00", "year"),
        (" 2026-03-11 ", "UTC", "2026-03-11T00:00:00+00:00", "day"),
    ],
)
def test_iso_text_is_an_instant(text: str, zone: str, utc: str, granularity: str) -> None:
    found = vt.read_instant(text, zone)
    assert found is not None
    wanted = datetime.datetime.fromisoformat(utc)
    assert found.ms == round(wanted.timestamp() * 1000)
    assert found.granularity == granularity
    assert vt.parse_instant(text, zone) == found.ms


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[x]",
        "2026-13",
        "2026-02-30",
        "2026-3-1",
        "0000-01-01",
        "20260311",
        "2026-03-11T24:00",
        "2026-03-11T09:60",
        "2026-03-11T09:14+99:00",
        "2026-03-11T09:14:00ZZ",
        "٢٠٢٦-٠٣-١١",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    assert vt.read_instant(text) is None
    with pytest.raises(ValueError, match="not an ISO date"):
        vt.parse_instant(text)


def test_midnight_in_the_zone_is_written_as_a_date() -> None:
    midnight = vt.parse_instant("2026-03-11", "Europe/Berlin")
    assert vt.format_instant(midnight, "Europe/Berlin") == "2026-03-11"
    assert vt.format_instant(midnight) == "2026-03-10T23:00:00+00:00"
    later = vt.parse_instant("2026-03-11T09:14", "Europe/Berlin")
    assert vt.format_instant(later, "Europe/Berlin") == "2026-03-11T09:14:00+01:00"
    assert vt.format_date(later, "Europe/Berlin") == "2026-03-11"


@given(MOMENTS, ZONES)
def test_what_is_written_reads_as_the_same_instant(ms: int, zone: str) -> None:
    assert vt.parse_instant(vt.format_instant(ms, zone), zone) == ms


def test_a_year_that_cannot_be_written_is_an_error() -> None:
    with pytest.raises(ValueError, match="outside the years"):
        vt.format_instant(10**16)


@given(st.integers(min_value=vt.FIRST_DAY, max_value=vt.LAST_DAY))
def test_the_calendar_is_the_gregorian_one(day: int) -> None:
    date = datetime.date.fromordinal(day + datetime.date(1970, 1, 1).toordinal())
    assert vt.civil_from_days(day) == (date.year, date.month, date.day)
    assert vt.days_from_civil(date.year, date.month, date.day) == day
    assert vt.weekday(day) == date.weekday()


def test_an_unknown_zone_is_a_settings_error_with_a_hint() -> None:
    assert vt.check_zone("Europe/Berlin") == "Europe/Berlin"
    with pytest.raises(SettingsError) as caught:
        vt.check_zone("Mars/Olympus")
    assert "Europe/Berlin" in caught.value.hint
    with pytest.raises(SettingsError):
        vt.parse_instant("2026-03-11", "../../etc/passwd")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T12:00+02:00", "2026-03-01T10:00:00+00:00"),
        ("now", "2026-03-11T10:00:00+00:00"),
        ("yesterday", "2026-03-10"),
        ("last month", "2026-02-01"),
        ("3 May 2026", "2026-05-03"),
    ],
)
def test_an_option_is_a_date_or_one_phrase(text: str, written: str) -> None:
    now = vt.parse_instant("2026-03-11T10:00")
    assert vt.format_instant(parse_when(text, now)) == written


@pytest.mark.parametrize("text", ["", "soonish", "2026-02-30", "yesterday and tomorrow"])
def test_an_option_that_is_no_date_says_what_to_write(text: str) -> None:
    with pytest.raises(BadInputError) as caught:
        parse_when(text, 0)
    assert "yesterday" in caught.value.hint


def test_importing_it_does_not_import_datetime() -> None:
    script = (
        "import sys; before = set(sys.modules); import vaultmem.language.time; "
        "print(sorted({'datetime', 'zoneinfo', '_strptime'} & (set(sys.modules) - before)))"
    )
    shown = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(vt.__file__).parents[2],  # without site there is no other way to the package
    )
    assert shown.stdout.strip() == "[]"
