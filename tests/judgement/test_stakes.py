"""What is at stake in a sentence: bodies, safety, hard limits; and what only sounds like it."""

from __future__ import annotations

import pytest

from vaultmem.judgement.features import tokens_of
from vaultmem.judgement.sentence import judge_sentence
from vaultmem.judgement.stakes import stakes_of


def stakes(text: str) -> set[str]:
    return stakes_of(text, tokens_of(text).low)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("I take olmesartan.", "medicine"),  # by its ending
        ("Er bekommt Secukinumab.", "medicine"),
        ("Meine Tante hat eine Kiwiallergie.", "allergy"),  # within a compound
        ("Tio Zé tem insuficiência renal.", "condition"),
        ("J'ai oublié de dire que l'insuline est au frigo.", "medicine"),  # behind an article
        ("No under any load, under no circumstances.", "absolute"),  # several words
        ("Half a tablet, 20 mg, in the morning.", "dose"),
        ("Zia Pina porta il pacemaker.", "device"),
    ],
)
def test_a_topic_is_known_by_a_word_an_ending_a_part_or_several_words(
    text: str, topic: str
) -> None:
    assert topic in stakes(text)


@pytest.mark.parametrize(
    "text", ["", "?", "We had soup by the window.", "Wir gehen morgen ins Kino.", "\ud800"]
)
def test_where_nothing_is_at_stake_no_topic_is_found(text: str) -> None:
    assert not stakes(text)


@pytest.mark.parametrize(
    "text",
    [
        "My brother-in-law takes warfarin.",
        "Grandma has epilepsy.",
        "I'm allergic to cashews.",
        "My husband has a pacemaker.",
        "The baby can't have honey.",
        "Ich nehme seit Jahren Blutverdünner.",
        "Unser Sohn hat eine Nussallergie.",
        "Mein Schwager ist Diabetiker und spritzt Insulin.",
        "Mi suegro lleva un marcapasos.",
        "Mi hija es celíaca, nada de gluten.",
        "Mon oncle prend de la warfarine.",
        "Ma nièce est allergique aux cacahuètes.",
        "Mio padre ha il morbo di Parkinson.",
        "Mijn moeder heeft epilepsie.",
        "O meu avô tem diabetes e toma insulina.",
    ],
)
def test_a_health_word_beside_a_person_is_marked(text: str) -> None:
    judged = judge_sentence(text)
    assert judged.is_worth
    assert judged.critical == "health"


@pytest.mark.parametrize(
    "text",
    [
        "I can't stand jazz.",
        "Never again cheap socks.",
        "My sister is a nurse.",
        "I'm dying for a coffee.",
        "The clinic moved to Station Road.",
        "I'm allergic to Monday mornings.",
        "Is ibuprofen bad for the stomach?",
        "Imagine I had diabetes, what a life.",
        "Ich bin allergisch gegen Montagmorgen.",
        "Mein Bruder ist Krankenpfleger.",
        "Wie viel Paracetamol darf man nehmen?",
        "Mi prima es enfermera en Burgos.",
        "¿El paracetamol caduca?",
        "Mon cousin est pharmacien à Lille.",
        "Mijn zus is verpleegster.",
    ],
)
def test_what_only_sounds_like_health_is_not_marked(text: str) -> None:
    assert not judge_sentence(text).critical


@pytest.mark.parametrize(
    "text",
    [
        "I'm pregnant!",
        "Stell dir vor: Ich bin schwanger!",
        "¡Estoy embarazada!",
        "Prendo il Coumadin.",
        "Ik slik bloedverdunners!",
    ],
)
def test_an_exclamation_mark_does_not_hide_an_illness(text: str) -> None:
    judged = judge_sentence(text)
    assert judged.is_worth
    assert judged.critical == "health"


@pytest.mark.parametrize(
    "text",
    [
        "Our Nell turned 9 today!",
        "61 today, can you believe it.",
        "Heute ist mein Neffe 12 geworden.",
        "Mi sobrino cumplió 5 ayer.",
        "First day at the bakery, loved it!!",
        "Primo giorno di lavoro alla posta, che emozione!",
    ],
)
def test_an_age_and_a_first_day_at_work_last(text: str) -> None:
    assert judge_sentence(text).is_worth


@pytest.mark.parametrize(
    "text",
    [
        "Everton lost again, 2-0, typical.",
        "Werder hat 1:3 verloren, ich fass es nicht.",
        "Otra vez perdió el Betis, 0-2, qué pena.",
        "As my old sergeant used to say, rain is only wet.",
        "In einem Podcast hieß es, Kaffee mache klug.",
    ],
)
def test_results_proverbs_and_hearsay_are_no_memories(text: str) -> None:
    judged = judge_sentence(text)
    assert not judged.is_worth
    assert judged.is_trifle


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("IMO open offices are a mistake, whatever the landlord says.", "belief"),
        ("Ich finde ja, jedes Dorf braucht einen Bäcker, da bleib ich dabei.", "belief"),
        ("Estoy convencida de que los deberes no sirven de nada.", "belief"),
        ("With my back I'd sooner have the bed by the door.", "preference"),
        ("Quand tu m'écris une lettre, mets toujours la date en haut.", "preference"),
        ("No more than six lines, ever.", "preference"),
        ("My lodger's contract as a nurse ends on 30 September.", "fact"),
        ("The torch for the cellar hangs beside the fuse box.", "fact"),
        ("The dog gets phenobarbital, so no chocolate for him, ever.", "fact"),
    ],
)
def test_the_form_of_a_sentence_tells_its_kind(text: str, kind: str) -> None:
    allowed = {kind, "event"} if kind == "fact" and "ends" in text else {kind}
    assert judge_sentence(text).kind in allowed
