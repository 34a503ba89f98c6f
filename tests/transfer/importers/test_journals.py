"""Journals that the person kept elsewhere: their own words, of their day."""

from __future__ import annotations

from collections.abc import Callable

from tests.transfer.importers.conftest import Kept, Write

DAY = """- I moved to [[Graz]]. #home
  id:: 65f00000-0000-4000-8000-000000000000
\t- TODO buy an oven
"""


def test_a_day_of_logseq_is_the_persons_of_that_day(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    file = write("graph/journals/2025_03_01.md", DAY)
    write("graph/journals/2025_03_02.md", "- I keep bees.\n")
    write("graph/pages/Lena.md", "type:: person\n- Lena is my sister.\n")
    write("graph/logseq/config.edn", "{}")
    kept = take_in(file.parents[1])
    assert [each.name for each in kept.report.records] == [
        "Journal of 2025-03-01",
        "Journal of 2025-03-02",
        "Lena",
    ]
    assert kept.report.records[0].date == 1_740_787_200_000
    assert not any("id::" in text or "65f" in text for text in kept.said())
    own = kept.statements("person")
    assert any(each.startswith("I moved to Graz.") for each in own)
    assert "I keep bees." in own


def test_a_plain_list_is_no_page_of_logseq(write: Write) -> None:
    from vaultmem.transfer import product_of

    assert product_of(b"- buy milk\n- TODO call Lena\n") == ""
    assert product_of(DAY.encode()) == "logseq"


def test_an_entry_of_day_one_is_the_persons_of_its_time(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    journal = {
        "metadata": {"version": "1.0"},
        "entries": [
            {
                "uuid": "A",
                "text": "I moved to Graz\\.\n![](dayone-moment://ABC)",
                "creationDate": "2025-03-01T09:00:00Z",
                "tags": ["home"],
            },
            {"uuid": "B", "creationDate": "2025-03-02T09:00:00Z"},
        ],
    }
    kept = take_in(write("Journal.json", journal))
    assert kept.said() == ["I moved to Graz."]
    assert kept.statements("person") == {"I moved to Graz."}
    assert [each.what for each in kept.report.records] == ["added", "skipped"]
    assert kept.report.records[0].date == 1_740_819_600_000
