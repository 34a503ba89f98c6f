"""How statements are compared, files named, texts shown and cut into sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.language.text import (
    canonical,
    fold,
    is_plainly_visible,
    nfc,
    sentence_spans,
    sentences,
    shorten_paths,
    slugify,
    visible,
)


class TestCanonical:
    """Two statements are the same when nothing but case, spaces and a closing mark differ."""

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("I prefer tabs over spaces.", "i  prefer tabs\nover spaces"),
            ("Ship it!", "ship it."),
            ("Stra\u00dfe", "STRASSE"),
            ("\ufb01ne", "fine"),
            ("caf\u00e9", "cafe\u0301"),
            ("\uff34\uff25\uff21", "tea"),
            ("猫が好き。", "猫が好き"),
        ],
    )
    def test_the_same(self, one: str, other: str) -> None:
        assert canonical(one) == canonical(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [("I like tea", "I do not like tea"), ("3 May", "8 May"), ("Is it?", "It is"), ("a", "á")],
    )
    def test_not_the_same(self, one: str, other: str) -> None:
        assert canonical(one) != canonical(other)

    def test_marks_alone_stay(self) -> None:
        assert canonical("...") == "..."

    @given(st.text())
    def test_is_idempotent(self, text: str) -> None:
        assert canonical(canonical(text)) == canonical(text)
        assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("which 'x' in '/home/ada/a b/person.toml' line 6 forbids", "'person.toml' line 6 forbids"),
        ("cannot read '/home/o'neil/.config/x.md': gone", "cannot read 'x.md': gone"),
        (r"'C:\Users\Ada\config.toml' and 'D:/x/y.md'", "'config.toml' and 'y.md'"),
        (r"'\\server\share\x' and '/srv'", "'x' and 'srv'"),
        (
            "'https://a.example/v1/x' and a/b and 'a/b'",
            "'https://a.example/v1/x' and a/b and 'a/b'",
        ),
        ("it's 5 o'clock / 'no path'", "it's 5 o'clock / 'no path'"),
    ],
)
def test_a_text_without_the_places_of_this_device(text: str, shown: str) -> None:
    assert shorten_paths(text).endswith(shown)


class TestSlugify:
    """A slug is safe as a file name on every system, and tells a person what is in the file."""

    @pytest.mark.parametrize(
        ("text", "slug"),
        [
            ("I prefer tabs over spaces.", "i-prefer-tabs-over-spaces"),
            ("Ünïcode Straße, Æther!", "unicode-strasse-aether"),
            ("Привет, мир", "privet-mir"),
            ("Ελλάδα", "ellada"),
            ("日本語だけ", "note"),
            ("", "note"),
            ("...", "note"),
            ("CON", "con-note"),
            ("../../etc/passwd", "etc-passwd"),
            ("C++ & C#", "c-c"),
        ],
    )
    def test_examples(self, text: str, slug: str) -> None:
        assert slugify(text) == slug

    def test_cuts_between_words(self) -> None:
        assert slugify("one two three four", max_bytes=12) == "one-two"
        assert slugify("a" * 100) == "a" * 60

    @given(st.text(), st.integers(min_value=4, max_value=80))
    def test_is_within_bounds_and_idempotent(self, text: str, most: int) -> None:
        slug = slugify(text, most)
        assert 1 <= len(slug.encode()) <= most
        assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
        assert not slug.startswith("-")
        assert not slug.endswith("-")
        assert slugify(slug, most) == slug


class TestVisible:
    """Nothing that acts on a terminal gets through; what a person reads stays."""

    def test_spells_out_what_acts(self) -> None:
        assert visible("a\x1b[31mred\u202e\u200b\x07\udc80") == (
            "a\\x1b[31mred\\u202e\\u200b\\x07\\udc80"
        )
        assert visible("tag \U000e0041") == "tag \\U000e0041"
        assert visible("over\rwritten") == "over\\x0dwritten"

    def test_leaves_what_is_read(self) -> None:
        text = "line\nnext\r\n\ttab é 日本 👩\u200d👩\u200d👧 ❤\ufe0f"
        assert visible(text) == text

    def test_what_is_told_without_the_pattern_is_what_the_pattern_tells(self) -> None:
        """Every character there is, alone: none that acts passes for one that shows."""
        shows = [chr(code) for code in range(0x110000) if is_plainly_visible(chr(code))]
        assert len(shows) > 100_000
        together = "\n".join(shows)
        assert len(together) > 20_000  # so that the pattern looks at it
        assert visible(together) == together

    @given(st.text(st.characters()))
    def test_result_can_always_be_printed(self, text: str) -> None:
        shown = visible(text)
        shown.encode("utf-8")
        assert visible(shown) == shown


def test_nfc_joins_accents() -> None:
    assert nfc("e\u0301") == "\u00e9"


class TestSentences:
    """Every sentence is a verbatim span of the text, in order; none is cut in two."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("I use Python 3.11. It is good.", ["I use Python 3.11.", "It is good."]),
            (
                "See e.g. the docs. Dr. Smith came at 5 p.m. He left.",
                ["See e.g. the docs.", "Dr. Smith came at 5 p.m.", "He left."],
            ),
            ("Edit config.toml. Then run it!", ["Edit config.toml.", "Then run it!"]),
            ("J. R. R. Tolkien wrote it. I read.", ["J. R. R. Tolkien wrote it.", "I read."]),
            ("On 3. Mai kam er. Dann ging er.", ["On 3. Mai kam er.", "Dann ging er."]),
            ("In 2023. Then", ["In 2023.", "Then"]),
            ("1. First thing. 2. Second.", ["1. First thing.", "2. Second."]),
            ("- one\n- two\n\nthree", ["- one", "- two", "three"]),
            ("Hi\nThere", ["Hi", "There"]),
            (
                "This line was wrapped by an editor at some sixty columns so\nit goes on. End.",
                [
                    "This line was wrapped by an editor at some sixty columns so\nit goes on.",
                    "End.",
                ],
            ),
            ("Really?! Yes... and no. Next", ["Really?!", "Yes... and no.", "Next"]),
            ("日本語です。次の文！はい", ["日本語です。", "次の文！", "はい"]),
            ('He said "stop!" and left. Wow', ['He said "stop!" and left.', "Wow"]),
            ("No. 5 is alive. No. Never.", ["No. 5 is alive.", "No.", "Never."]),
            ("He sat. She sat.", ["He sat.", "She sat."]),
            ("a.b.c", ["a.b.c"]),
            ("a\r\n\r\nb", ["a", "b"]),
            ("", []),
            ("  \n ", []),
        ],
    )
    def test_examples(self, text: str, expected: list[str]) -> None:
        assert sentences(text) == expected

    @pytest.mark.parametrize(
        "text",
        [
            "I work at St. Mary's Hospital.",
            "See Dr. Weber and Prof. Klein at 5 p.m. Monday in room 3.",
            "Mr. Jones and Mrs. Jones live in St. Louis.",
            "I moved to the U.S. Army base.",
            "Acme Inc. Berlin pays me.",
            "I like pets, e.g. My Little Pony, i.e. Ponies vs. Dogs.",
            "Room No. 5 costs approx. 300 euros.",
            "Martin Luther King Jr. Day is off.",
            "It is v. 1.2 or v1.2.3 of foo.py at https://a.b/c.d?e and 3.5 at 10.30.",
            "Ich mag z. B. Äpfel, d. h. Obst, u. a. Birnen.",
            "Das ist i. d. R. Montag, z.B. Ostern.",
            "Der Laden Nr. 7 liegt in der Berliner Str. 12, bzw. Hauptstr. Nord.",
            "Am 3. Mai kommt Fr. Weber mit Hr. Klein in den 3. Stock.",
            "Der 2. Weltkrieg und das 19. Jahrhundert.",
            "Dipl.-Ing. Schmidt arbeitet bei Müller e. V. Berlin.",
            "Vivo con la Sra. García y el Sr. López, p. ej. Juan.",
            "Vivo en EE. UU. Canadá es lejos de la Avda. Los Álamos.",
            "M. Dupont et Mme. Dupont habitent av. Foch, p. ex. Paris.",
            "Il dott. Rossi e la sig.ra Bianchi con il sig. Verdi.",
            "Ik ken dhr. De Vries en mevr. Jansen, bijv. Piet.",
            "Я живу на ул. Ленина, т. е. Москва.",
        ],
    )
    def test_an_abbreviation_ends_no_sentence(self, text: str) -> None:
        assert sentences(text) == [text]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("I moved to the U.S.", "I like it."),
            ("I work at Acme Inc.", "The pay is good."),
            ("I live in Main St.", "My dog is old."),
            ("I take vitamin C.", "It helps."),
            ("I am 42.", "Maria is 40."),
            ("It took 5 ms.", "The rest was fast."),
            ("I live in San Jose, CA.", "The sun shines."),
            ("Ich mag Äpfel usw.", "Das ist gut."),
            ("Ich wohne in der Berliner Str.", "Mein Büro ist dort."),
            ("Ich bin im Verein e. V.", "Wir spielen."),
            ("Vivo en EE. UU.", "Mi casa es grande."),
        ],
    )
    def test_an_abbreviation_may_be_the_last_word(self, one: str, other: str) -> None:
        assert sentences(f"{one} {other}") == [one, other]

    @given(st.text(st.sampled_from("ab A.!?\n-1。 e\u00e9\u05d0")))
    def test_spans_are_ordered_and_lose_nothing(self, text: str) -> None:
        spans = sentence_spans(text)
        assert all(a < b for a, b in spans)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        assert "".join("".join(sentences(text)).split()) == "".join(text.split())
        assert sentences(text) == [text[a:b] for a, b in spans]
