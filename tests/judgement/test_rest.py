"""What still holds of a compound statement when one part of it is over, in its own words."""

from __future__ import annotations

import pytest

from vaultmem.judgement.aspects import AGE, aspects
from vaultmem.judgement.pairs.out_of_date import END, Known, outcomes
from vaultmem.judgement.pairs.rest import is_rest_of, rest_after_end, rest_of

AGES = [
    (
        "I'm Priya, 34 years old, a vet at the Riverside practice in Leeds.",
        "I turned 35 on Tuesday.",
        "I'm Priya, a vet at the Riverside practice in Leeds.",
    ),
    (
        "My name's Olu, I'm 61 and I drove the number 9 bus for twenty years.",
        "I'm 62 now.",
        "My name's Olu, I drove the number 9 bus for twenty years.",
    ),
    ("I'm Dafydd, 52, a roofer from Bethesda.", "53 today!", "I'm Dafydd, a roofer from Bethesda."),
    ("I'm 61 and retired.", "I'm 62 now.", "I'm retired."),
    ("I'm a 38-year-old paramedic.", "I'm 39 now.", "I'm a paramedic."),
    ("I'm Bea, 58 and not ashamed of it.", "59 as of this morning.", "I'm Bea."),
    (
        "My daughter Ines is 9 and plays the cello.",
        "Ines turned ten.",
        "My daughter Ines plays the cello.",
    ),
    (
        "My brother Tom, who's 34 and a chef, lives in Leeds.",
        "Tom turned 35 today.",
        "My brother Tom, who's a chef, lives in Leeds.",
    ),
    ("My sister, 34, lives in Leeds.", "My sister turned 35.", "My sister lives in Leeds."),
    ("Our son Emil (7) hates peas.", "Emil turned 8 yesterday.", "Our son Emil hates peas."),
    (
        "Ich heiße Jonas, bin 43 und arbeite bei der Post in Kassel.",
        "Ab heute bin ich 44.",
        "Ich heiße Jonas und arbeite bei der Post in Kassel.",
    ),
    (
        "Ich bin 58 und arbeite als Küster in Passau.",
        "Seit Montag bin ich 59.",
        "Ich arbeite als Küster in Passau.",
    ),
    (
        "Moi c'est Lucie, 28 ans, infirmière à Lyon.",
        "J'ai eu 29 ans hier.",
        "Moi c'est Lucie, infirmière à Lyon.",
    ),
    (
        "J'ai 40 ans et un chien qui s'appelle Pixel.",
        "J'ai fêté mes 41 ans hier.",
        "J'ai un chien qui s'appelle Pixel.",
    ),
    (
        "Soy Marta, tengo 40 años y trabajo en la biblioteca de Lugo.",
        "Ayer cumplí 41.",
        "Soy Marta y trabajo en la biblioteca de Lugo.",
    ),
    (
        "Vivo en La Paz con mis gemelos de 11 años, Itzel y Leonel.",
        "Hoy los gemelos cumplieron 12 años.",
        "Vivo en La Paz con mis gemelos, Itzel y Leonel.",
    ),
    (
        "Mi chiamo Chiara, ho 42 anni e faccio la fornaia a Lucca.",
        "Ieri ho compiuto 43 anni.",
        "Mi chiamo Chiara e faccio la fornaia a Lucca.",
    ),
    (
        "Ik heet Femke, ben 31 en werk bij de brandweer.",
        "Gisteren ben ik 32 geworden.",
        "Ik heet Femke en werk bij de brandweer.",
    ),
    (
        "Chamo-me Inês, tenho 39 anos e trabalho nos correios.",
        "Fiz 40 ontem.",
        "Chamo-me Inês e trabalho nos correios.",
    ),
]

PLACES = [
    (
        "I live in Didsbury with my brother Tom, who's a chef at the Grand.",
        "We moved to Sale in March.",
        "My brother Tom, who's a chef at the Grand.",
    ),
    (
        "I live in Stroud and work at the paper mill.",
        "We moved to Hereford last week.",
        "I work at the paper mill.",
    ),
    ("I'm Ola, 29, I work at Brewdog.", "I've started at Timberyard.", "I'm Ola, 29."),
    (
        "Ich wohne in Kiel und arbeite bei der Werft.",
        "Wir sind nach Lübeck umgezogen.",
        "Ich arbeite bei der Werft.",
    ),
    (
        "J'habite à Dijon avec ma cousine Léa, qui est fleuriste.",
        "On a déménagé à Beaune.",
        "Ma cousine Léa, qui est fleuriste.",
    ),
]


@pytest.mark.parametrize(("old", "new", "rest"), AGES + PLACES)
def test_the_part_that_is_over_goes_and_the_rest_keeps_its_words(
    old: str, new: str, rest: str
) -> None:
    assert rest_of(old, new) == rest
    assert is_rest_of(rest, old)
    (outcome,) = outcomes(new, [Known(old)])
    assert (outcome.what, outcome.rest) == (END, rest)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My 9-year-old plays the cello.", "I turned ten."),
        ("My 9-year-old plays the cello.", "My eldest turned ten."),
        ("I'm 61 from Leeds and proud of it.", "I'm 62 now."),
        ("Meine Tochter, die 9 Jahre alt ist und Cello spielt.", "Meine Tochter wurde gestern 10."),
        ("Our twins are 4 and blorp at the nursery.", "The twins turned five."),
        ("Ma nièce Florence a cinq mois, une vraie boule.", "Florence a six mois."),
    ],
)
def test_what_could_not_be_said_by_itself_is_no_rest(old: str, new: str) -> None:
    assert rest_of(old, new) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I'm Ananya, 31 years old, engineer at Kirana.", "My sister turned 32 today."),
        ("My brother Tom, who's 34, lives in Leeds.", "I turned 35 today."),
        ("My sister Jo, 34 years old, lives in Hull.", "I'm 35 now."),
        ("My boss Karl, 52 years old, hates mail.", "I'm 53 now."),
        ("I'm Priya, 39, a vet in Leeds.", "I'm 40 minutes from the practice."),
        ("I'm Priya, 39 years old, a vet in Leeds.", "I'm 40 weeks along tomorrow."),
        ("My daughter Ines is 9 and plays the cello.", "Ines is 10 minutes late every day."),
        ("My daughter Ines is 9 and plays the cello.", "Leo turned ten on Friday."),
        ("My son Emil is 7 and hates spinach.", "My son Leo turned 8."),
        ("Mi hija Alba tiene 7 años.", "Mi hija Inés cumplió 8 ayer."),
        ("I'm Olu, 61 years old, a bus driver.", "My bus number is 62 now."),
        ("Mein Sohn Emil ist 7 und hasst Spinat.", "Emil ist 8 Minuten gerannt."),
        ("Mon fils Théo a 5 ans et va à l'école.", "J'ai eu 6 ans de retard."),
        ("J'ai 50 ans et un chien.", "Théo a eu 51 ans hier."),
        ("Soy Marta, tengo 40 años y trabajo en Lugo.", "Tengo 41 libros prestados."),
        ("I live in Didsbury with my brother Tom, who's a chef.", "Tom moved to Sale."),
    ],
)
def test_the_wrong_person_and_the_wrong_number_end_nothing(old: str, new: str) -> None:
    assert all(each.what != END for each in outcomes(new, [Known(old)]))


def test_an_age_with_little_else_is_over_as_a_whole() -> None:
    old = Known("Ma nièce Florence a cinq mois, une vraie boule.")
    (outcome,) = outcomes("Florence rampe partout, sept mois et pas de frein.", [old])
    assert (outcome.what, outcome.rest) == (END, "")


def test_an_allergy_outlives_the_age_that_was_told_with_it() -> None:
    known = Known("Our son Emil (7) is allergic to hazelnuts.", critical="health")
    (outcome,) = outcomes("Emil turned 8 yesterday.", [known])
    assert (outcome.what, outcome.rest) == (END, "Our son Emil is allergic to hazelnuts.")


@pytest.mark.parametrize(
    ("said", "owner", "called"),
    [
        ("My sister Jo, 34 years old, lives in Leeds.", "sister", "jo"),
        ("Maman, Odette, 88 ans, est toujours là.", "mother", "odette"),
        ("Mi abuelo Paco, de 88 años, cultiva tomates.", "grandfather", "paco"),
        ("My name's Olu, 61 years old.", "", ""),
        ("I am Karl, 58, a plumber.", "", ""),
        ("Ab heute bin ich 30.", "", ""),
        ("Théo a eu 6 ans hier.", "theo", ""),
        ("32 now", "", ""),
    ],
)
def test_an_age_is_of_the_person_before_it(said: str, owner: str, called: str) -> None:
    assert (AGE, owner, called) in {(each.name, each.owner, each.called) for each in aspects(said)}


@pytest.mark.parametrize(
    ("known", "statement", "rest"),
    [
        (
            "Olga has epilepsy and rides at Hill Farm.",
            "Olga doesn't ride any more.",
            "has epilepsy",
        ),
        ("Olga plays the harp and has epilepsy.", "Olga has given up the harp.", "has epilepsy"),
        (
            "Our dog Fritz is deaf and goes to Pawsome.",
            "Fritz no longer goes to Pawsome.",
            "is deaf",
        ),
        (
            "Lukas hat Asthma und geht montags zum Turnen.",
            "Lukas geht nicht mehr turnen.",
            "Asthma",
        ),
        ("Zoé fait du cheval et elle est diabétique.", "Zoé a arrêté le cheval.", "est diabétique"),
        ("Pablo tiene asma y va a judo.", "Pablo ya no va a judo.", "tiene asma"),
    ],
)
def test_what_is_told_beside_a_thing_that_ends_is_left(
    known: str, statement: str, rest: str
) -> None:
    """The illness went with the lesson."""
    left = rest_after_end(known, statement)
    assert left is not None
    assert rest in left
    assert left.split()[0] == known.split()[0]


@pytest.mark.parametrize(
    ("known", "statement"),
    [
        ("I play chess on Mondays and Thursdays.", "I've given up chess."),
        ("I have a parrot and a cat.", "The parrot died."),
        ("We have a lodger, he's from Lviv.", "The lodger has left."),
        ("I walk along the canal, it takes me an hour.", "I don't walk along the canal any more."),
        ("The shed comes down in May and we build a new one.", "We're keeping the shed after all."),
        (
            "Yo trabajo en una gestoría de la calle Mayor, de ocho a tres.",
            "He dejado la gestoría.",
        ),
    ],
)
def test_where_all_of_it_is_over_nothing_is_left(known: str, statement: str) -> None:
    assert rest_after_end(known, statement) == ""


@pytest.mark.parametrize(
    ("known", "statement"),
    [
        (
            "I've two sons, Ruben who plays bass, and Sam, he's in Year 3 and hates 'Samuel'.",
            "Ruben has given up bass, it's drums now.",
        ),
        (
            "My sister Jo runs a café and her husband Ed drives a van and hates dogs.",
            "Jo has sold the café.",
        ),
        ("I sing in a choir, Tom does too and drives me home.", "I've left the choir."),
        ("I have a job at the mill, my boss likes me and pays well.", "I've left the mill."),
        (
            "Ich habe zwei Söhne, Jonas spielt Bass und Tim ist acht und mag keine Nüsse.",
            "Jonas hat mit dem Bass aufgehört.",
        ),
        ("We've got three hens, Dot lays every day and Hen pecks the others.", "Dot died."),
        (
            "I've two brothers, Owen who's a vet and lives in Powys, and Huw, who sells boats.",
            "Owen has moved to Cardiff.",
        ),
    ],
)
def test_nobody_is_told_what_somebody_else_does(known: str, statement: str) -> None:
    """It left "I've got two hates being called Samuel", and 'My sister Jo hates dogs'."""
    assert rest_after_end(known, statement) is None


@pytest.mark.parametrize(
    ("known", "statement", "rest"),
    [
        (
            "My dad has bad knees and sees the physio on Mondays.",
            "The physio has retired.",
            "My dad has bad knees.",
        ),
        (
            "My daughter plays the flute, has a teacher called Rosa and goes to St Mary's.",
            "Rosa has moved away.",
            "My daughter plays the flute and goes to St Mary's.",
        ),
    ],
)
def test_what_the_same_person_does_is_told_on(known: str, statement: str, rest: str) -> None:
    left = rest_after_end(known, statement)
    assert left is not None
    assert left.strip(".") == rest.strip(".")


@pytest.mark.parametrize(
    ("known", "rest"),
    [
        (
            "I'm Dana, mum of Theo, who's 7 years old, and June, our baby.",
            "I'm Dana, mum of Theo, and June, our baby.",
        ),
        (
            "My son Theo, who's 7 and plays the cello, hates peas.",
            "My son Theo, who plays the cello, hates peas.",
        ),
        (
            "My son Theo, who's 7 years old and allergic to nuts, goes to St Mary's.",
            "My son Theo, who's allergic to nuts, goes to St Mary's.",
        ),
    ],
)
def test_an_age_behind_who_takes_nobody_with_it(known: str, rest: str) -> None:
    """It left 'mum of Theo, who's June'."""
    assert rest_of(known, "Theo turned 8 today!") == rest


def test_what_could_not_be_said_by_itself_is_not_ended() -> None:
    known = "My aunt Bea is diabetic and lives with us."
    assert rest_after_end(known, "Aunt Bea has moved out.") is None
