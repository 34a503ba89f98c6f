"""Questions in other languages than English find their notes, in an index set up for English.

A small set of our own: for each language notes, and questions whose words are bent otherwise than
in the notes.
"""

from __future__ import annotations

import pytest

from tests.storage.index.building import item, open_index
from vaultmem.language.stems import Stems
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.search.question import analyse

NOTES = {
    "german": (
        "Die alten Häuser am Marktplatz werden im Herbst renoviert.",
        "Meine Schwester arbeitet seit drei Jahren als Lehrerin in Hamburg.",
        "Wir haben uns für die Datenbank PostgreSQL entschieden.",
        "Im Winter trinke ich am liebsten schwarzen Tee mit Zitrone.",
    ),
    "spanish": (
        "Mi hermana trabaja en un hospital de Sevilla desde hace dos años.",
        "Compramos las bicicletas nuevas para los niños.",
        "Decidimos mudarnos a una casa con jardín en primavera.",
        "Prefiero el café sin azúcar por las mañanas.",
    ),
    "french": (
        "Ma sœur travaille dans une librairie à Lyon.",
        "Nous avons acheté de nouveaux vélos pour les enfants.",
        "Les réunions de l'équipe ont lieu le mardi matin.",
        "Je préfère le thé noir sans sucre.",
    ),
    "russian": (
        "Моя сестра работает учительницей в Казани.",
        "Мы купили детям новые велосипеды.",
        "Собрания команды проходят по вторникам.",
        "Утром я пью чёрный чай без сахара.",
    ),
    "chinese": (
        "我姐姐在上海的一家医院工作。",
        "我们给孩子们买了新的自行车。",
        "团队会议每周二上午举行。",
        "我早上喜欢喝不加糖的红茶。",
    ),
    "japanese": (
        "姉は京都の図書館で働いています。",
        "子供たちに新しい自転車を買いました。",
        "チームの会議は毎週火曜日の朝にあります。",
        "朝は砂糖なしの紅茶を飲みます。",
    ),
}
QUESTIONS = [
    ("german", "Welches Haus am Markt wird renoviert?", 0),
    ("german", "Wo arbeiten meine Schwestern?", 1),
    ("german", "Für welche Datenbanken haben wir uns entschieden?", 2),
    ("german", "schwarzer tee", 3),
    ("german", "hauser", 0),  # without the dots
    ("spanish", "¿Dónde trabajan mis hermanas?", 0),
    ("spanish", "¿Qué bicicleta nueva compré para el niño?", 1),
    ("spanish", "jardines", 2),
    ("spanish", "cafe con azucar por la manana", 3),
    ("french", "Où travaillent mes sœurs ?", 0),
    ("french", "Quel vélo nouveau pour l'enfant ?", 1),
    ("french", "Quand a lieu la réunion des équipes ?", 2),
    ("french", "thés noirs", 3),
    ("russian", "Где работают мои сёстры?", 0),
    ("russian", "Какой велосипед для ребёнка и детей?", 1),
    ("russian", "собрание команд во вторник", 2),
    ("russian", "черного чая", 3),
    ("chinese", "姐姐在哪里工作？", 0),
    ("chinese", "孩子的自行车", 1),
    ("chinese", "会议是星期二吗？", 2),
    ("chinese", "红茶加糖", 3),
    ("japanese", "姉はどこで働いていますか？", 0),
    ("japanese", "子供の自転車", 1),
    ("japanese", "会議はいつですか？", 2),
    ("japanese", "紅茶に砂糖", 3),
]


NOTHING = [
    "Was ist meine Blutgruppe?",
    "Wo habe ich den Reisepass von der Oma?",
    "¿Cuál es mi grupo sanguíneo?",
    "¿Dónde está la llave de la oficina?",
    "Quel est mon groupe sanguin ?",
    "Où est la clé de la cave ?",
    "Какая у меня группа крови?",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = [text for texts in NOTES.values() for text in texts]
    return open_index(tmp_path_factory.mktemp("index") / "index.sqlite", *map(item, texts))


@pytest.mark.parametrize(("language", "question", "answer"), QUESTIONS)
def test_the_first_answer(index: Index, language: str, question: str, answer: int) -> None:
    found = index.search(question).found
    assert [one.passage.text for one in found[:1]] == [NOTES[language][answer]]


@pytest.mark.parametrize("question", NOTHING)
def test_what_no_note_says_is_not_answered_by_small_words(index: Index, question: str) -> None:
    """A word for a word may be near (a group is a team); the small ones are no part of a score."""
    found = index.search(question).found
    assert [part for one in found for part in one.parts if part.name == "word"] == []


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("mi casa", {"mi", "casa"}),  # one such word tells no language
        ("Did you visit Los Angeles or El Paso?", {"visit", "los", "angeles", "el", "paso"}),
        ("Was war in der Stadt?", {"stadt"}),
        ("What was the war in Vienna about?", {"war", "vienna"}),
        ("der die das", set()),
    ],
)
def test_small_words_of_another_language_are_told_by_the_question(
    question: str, terms: set[str]
) -> None:
    assert {one.word for one in analyse(question, Stems()).asked} == terms
