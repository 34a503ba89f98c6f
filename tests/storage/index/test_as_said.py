"""A question about people who speak in the vault, as each side of a talk would put it."""

from __future__ import annotations

import numpy as np
import pytest

from vaultmem.storage.index.search.meaning import (
    Forms,
    Meaning,
    Vectors,
    forms_of,
    key_of,
    speakers_by_name,
)

SPEAKERS = speakers_by_name(["Ana", "Bo Lind", "Rose", "Will", "user"])


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        ("What did Ana paint?", "What did I paint?", "What did you paint?"),
        ("Where is Ana's boat?", "Where is my boat?", "Where is your boat?"),
        ("where is ana’s boat", "where is my boat", "where is your boat"),
        ("Who taught Bo Lind to sail?", "Who taught I to sail?", "Who taught you to sail?"),
        ("Has Bo a boat?", "Has I a boat?", "Has you a boat?"),
        ("Did Ana buy a rose?", "Did I buy a rose?", "Did you buy a rose?"),
        ("Was hat Ana gemalt?", "Was hat ich gemalt?", "Was hat du gemalt?"),
        ("¿Qué pintó Ana ayer?", "¿Qué pintó yo ayer?", "¿Qué pintó tú ayer?"),
    ],
)
def test_who_is_named_speaks_or_is_spoken_to(question: str, own: str, other: str) -> None:
    found = forms_of(question, SPEAKERS)
    assert found is not None
    assert (found.own, found.other) == (own, other)


def test_who_is_named_are_all_speakers_of_that_name() -> None:
    speakers = speakers_by_name(["Ana", "Ana Ruiz", "Bo"])
    found = forms_of("When did Ana and Bo meet?", speakers)
    assert found == Forms(
        frozenset(["Ana", "Ana Ruiz", "Bo"]), "When did I and I meet?", "When did you and you meet?"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What did Ana tell me?",  # the asker would be two people
        "Will it rain?",
        "Which rose is red?",
        "What did Marta paint?",
        "",
    ],
)
def test_other_questions_have_no_other_form(question: str) -> None:
    assert forms_of(question, SPEAKERS) is None


def test_each_turn_is_held_against_the_form_of_its_speaker() -> None:
    own, other, plain = np.eye(3, dtype=np.float32).tolist()
    texts = {"ana": own, "bo": other, "cy, elsewhere": other, "a note": plain}
    made = {key_of(text): vector for text, vector in texts.items()}
    vectors = Vectors(np.empty(0, [("key", "V16"), ("scale", "<f4"), ("codes", "i1", (0,))]))
    meaning = Meaning(
        [(1, 1, "ana"), (2, 1, "bo"), (9, 9, "cy, elsewhere"), (20, 20, "a note")],
        vectors.with_only(made, made),
        {1: "Ana", 2: "Bo", 9: "Cy"},
    )
    like = meaning.likeness([plain, own, other], named=["Ana"], answers_from=0.5, gain=1.0)
    cosines = {place: round(cosine, 2) for place, (cosine, _) in like.of([1, 2, 9, 20]).items()}
    # Ana's turn and Bo's lend each other weight; nobody says "you" to Ana in Cy's talk.
    assert min(cosines[1], cosines[2]) > 1
    assert (cosines[9], cosines[20]) == (0.0, 1.0)
    alone = meaning.likeness([plain], answers_from=0.5, gain=1.0).of([1, 2, 9, 20])
    assert [round(cosine, 2) for cosine, _ in alone.values()] == [0.0, 0.0, 0.0, 1.0]
