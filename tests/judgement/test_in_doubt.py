"""What may be so, whose opinion it is, where a leak comes from, and whom 'he' means."""

from __future__ import annotations

import pytest

from vaultmem.extract.rule_extractor import name_person
from vaultmem.model.drafts import Draft, Source, Turn
from vaultmem.model.ports import plain_extractor

NOW = 1_795_421_000_000  # 2026-11-23


def drafts_of(*texts: str) -> tuple[Draft, ...]:
    extractor = plain_extractor("heuristic", zone="UTC", categories=())
    turns = tuple(Turn(text=text, role="user") for text in texts)
    source = Source(id="", turns=turns, is_told=True, is_spoken=True)
    return extractor.extract(source, now=NOW).drafts


@pytest.mark.parametrize(
    "text",
    [
        "The dog might be allergic to chicken.",
        "Perhaps the cat can't tolerate lactose.",
        "Der Hund ist vielleicht allergisch gegen Huhn.",
        "Quizás el perro sea alérgico al pollo.",
        "Le chien est peut-être allergique au poulet.",
        "Forse il cane è allergico al pollo.",
        "My son might be allergic to penicillin.",
    ],
)
def test_an_allergy_in_doubt_is_kept_in_doubt_and_told_first(text: str) -> None:
    (draft,) = drafts_of(text)
    assert (draft.statement, draft.critical) == (text, "health")
    assert draft.confidence == 0.6
    assert draft.predicate == "", "nobody is told that it is so"


@pytest.mark.parametrize(
    "text",
    [
        "It might rain tomorrow.",
        "Maybe I'll have tea.",
        "If the dog had an allergy I would know.",
        "Is the dog allergic to chicken?",
    ],
)
def test_other_doubts_are_still_nothing(text: str) -> None:
    assert not drafts_of(text)


@pytest.mark.parametrize(
    ("text", "holder"),
    [
        ("According to Nina the school is too strict.", "Nina"),
        ("My brother thinks electric cars are a scam.", "My brother"),
        ("Jens hält E-Autos für Unsinn.", "Jens"),
        ("Selon Karim, le vélo électrique c'est de la triche.", "Karim"),
        ("Para Marta el teletrabajo es un error.", "Marta"),
    ],
)
def test_what_somebody_else_thinks_is_theirs(text: str, holder: str) -> None:
    (draft,) = drafts_of(text)
    assert (draft.kind, draft.subject, draft.predicate) == ("belief", holder, "thinks")
    assert draft.stream is None


def test_what_a_mate_reckons_is_never_a_fact_of_ones_own() -> None:
    for text in ("Dave reckons the heat pump is a waste.", "Dave reckons solar doesn't pay."):
        assert {draft.kind for draft in drafts_of(text)} <= {"belief"}


@pytest.mark.parametrize(
    "text",
    [
        "The roof leak comes from the gutter, not from the chimney.",
        "Das Wasser im Keller kommt von der Dachrinne, nicht vom Kamin.",
        "La fuite vient de la gouttière, pas de la cheminée.",
    ],
)
def test_where_a_leak_comes_from_is_a_plain_fact(text: str) -> None:
    (draft,) = drafts_of(text)
    assert (draft.kind, draft.critical) == ("fact", "")


@pytest.mark.parametrize(
    "text",
    [
        "Last time Ben had walnuts his lips came up and we ended up in A&E.",
        "Letztes Mal hat Ben Walnüsse gegessen und wir landeten in der Notaufnahme.",
        "La última vez que Iván comió nueces acabamos en urgencias.",
        "La dernière fois que Léo a mangé des noix, on a fini aux urgences.",
    ],
)
def test_what_came_of_it_the_last_time_is_critical(text: str) -> None:
    (draft,) = drafts_of(text)
    assert draft.critical == "health"


def test_who_is_ill_is_named_where_the_words_before_name_one() -> None:
    drafts = drafts_of("My neighbour Petra moved back in on Friday.", "She has epilepsy.")
    assert drafts[-1].statement == "My neighbour Petra has epilepsy."
    assert drafts[-1].quote == "She has epilepsy."


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("My sister Eva came with Tom.", "He has epilepsy."),
        ("The flat is cold.", "He has epilepsy."),
        ("", "He has epilepsy."),
        ("Luis's dad Ernesto moved in.", "Peanuts are out."),
    ],
)
def test_a_name_is_put_in_only_where_it_is_plain(before: str, said: str) -> None:
    assert name_person(said, before) == said


def test_every_word_of_doubt_is_one_that_is_sought_first() -> None:
    from vaultmem.judgement.sentence import _IN_DOUBT

    said = (
        "may be|may well have|may not need|might|could be|could also have|maybe|perhaps|possibly"
        "|probably|suspects|suspect|think|not sure|vielleicht|möglicherweise|eventuell"
        "|wahrscheinlich|könnte|verdacht|quizá|quizás|tal vez|puede que|a lo mejor|posiblemente"
        "|podría|peut-être|il se peut|pourrait|probablement|soupçonne|forse|magari|potrebbe"
        "|probabilmente|misschien|wellicht|waarschijnlijk|zou kunnen|talvez|pode ser|provavelmente"
    )
    for word in said.split("|"):
        found = _IN_DOUBT.search(f"Ida, {word.capitalize()}.")
        assert found is not None, word
        assert found[0].casefold() == word
