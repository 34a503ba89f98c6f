"""When something that a person tells begins, ends and is due, in seven languages.

The word of the person is read by the rules alone here: what is judged worth keeping is not asked.
"""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.extract.cue_patterns import tokens_of
from vaultmem.extract.evidence import CHAT, Reading, Sentence, Situation
from vaultmem.extract.no_evidence import Choice
from vaultmem.extract.when_it_holds import When, told_dates, when
from vaultmem.language.dates import find_dates
from vaultmem.language.dates.spoken import LONGEST
from vaultmem.language.time import HOUR_MS, format_instant, parse_instant

UNKNOWN = "?"  # it began before it was said, nobody knows when

# The day on which it is said, as what kind, the words -> due, from, until (half open). Nothing in
# the place of `from`: from that day on.
TABLE = """
# English
2026-04-15 fact | The jumble sale is on Saturday the 23rd in the hall | 2026-05-23 |  |
2026-11-27 fact | I take two water tablets every morning since the scare in March |  | 2026-03-01 |
2026-11-27 fact | He sleeps upstairs since my operation on 3 February |  | 2026-02-03 |
2026-11-28 fact | The jam stall moves to the Sunday market from January |  | 2027-01-01 |
2026-11-28 fact | I've swapped my Monday shift with Bela |  |  |
2026-11-28 fact | The Tuesday class is full |  |  |
2026-11-28 fact | Mon fils est allergique aux arachides |  |  |
2026-11-28 fact | Mon médecin s'appelle Dr Faure |  |  |
2026-11-28 fact | Sun cream brings me out in a rash |  |  |
2026-11-28 event | Sat nav in the van is broken |  |  |
2026-11-28 task | Mon 9am dentist | 2026-11-30T09:00 |  |
2026-11-28 event | Sun: lunch at Gran's | 2026-11-29 | 2026-11-29 |
2026-11-27 fact | Ich nehme morgens Ramipril seit dem Schreck im März |  | 2026-03-01 |
2026-11-27 fact | Je dors mal depuis la chute de mars |  | 2026-03-01 |
2026-11-27 fact | Camino con bastón desde la caída de marzo |  | 2026-03-01 |
2026-11-27 fact | Ik slik bloedverdunners sinds de schrik in maart |  | 2026-03-01 |
2026-11-27 fact | Ando de bengala desde a queda de março |  | 2026-03-01 |
2026-11-27 event | Since the wedding is in May, the loft has to wait | 2027-05-01 | 2027-05-01 |
2026-11-27 fact | The choir sings on 12 December since the hall is free | 2026-12-12 |  |
2026-11-27 fact | The glazier can't make the 4th, it's the 11th now | 2026-12-11 |  |
2026-11-27 fact | El fontanero no puede el 4, es el 11 de diciembre | 2026-12-11 |  |
2026-11-27 fact | Le plombier ne peut pas le 4 décembre, ce sera le 11 décembre | 2026-12-11 |  |
2026-11-27 fact | Torno dal dentista il 3 marzo |  |  | 2027-03-03
2026-04-20 event | The boiler man comes on 8 May at 2.15pm | 2026-05-08T14:15 | 2026-05-08T14:15 |
2026-11-10 fact | My hearing test is on the 15th at 2:15pm | 2026-11-15T14:15 |  |
2026-08-03 fact | Sports day's October 29, not October 22 | 2026-10-29 |  |
2026-05-20 fact | The osteopath moved me from 3 June to 9 June at 8:15 | 2026-06-09T08:15 |  |
2026-05-18 fact | The viewing is moved to Wednesday | 2026-05-20 |  |
2026-05-18 fact | The tuner rang, make it the 16th instead | 2026-06-16 |  |
2026-05-20 fact | The garage called, put it on Tuesday | 2026-05-26 |  |
2026-05-02 fact | Choir practice is now on the 14th instead of the 12th | 2026-05-14 |  |
2026-05-02 task | The rent form must be sent by 31 July | 2026-07-31 |  |
2026-04-15 fact | La fiesta del barrio es el sábado 23 por la tarde | 2026-05-23 |  |
2026-04-15 fact | Der Flohmarkt ist am Samstag, den 23., im Hof | 2026-05-23 |  |
2026-04-15 fact | Le vide-grenier est le samedi 23 à la mairie | 2026-05-23 |  |
2026-04-15 fact | La riunione è sabato 23 alle 10:30 | 2026-05-23T10:30 |  |
2026-05-02 fact | Es wird der 16. statt der 9 | 2026-05-16 |  |
2026-05-02 fact | Die Führung ist auf den 16. verschoben | 2026-05-16 |  |
2026-03-02 decision | We've decided to take the sleeper to Rome in July | 2026-07-01 |  |
2026-03-02 decision | Hemos decidido pasar por Huelva en julio | 2026-07-01 |  |
2026-03-02 decision | On a décidé d'ouvrir la buvette en juillet | 2026-07-01 |  |
2026-03-28 fact | Desde el 1 de abril coordino el comedor |  | 2026-04-01 |
2026-04-15 fact | On Saturday 9 people came by |  | 2026-04-11 |
2026-04-15 fact | El lunes 12 personas vinieron a la sala |  | 2026-04-13 |
2026-03-02 fact | Han cambiado la ITV al 16 de abril | 2026-04-16 |  |
2026-03-02 fact | L'oculiste a changé pour le 16 avril | 2026-04-16 |  |
2026-05-12 fact | From 1 July the depot moves to Hove, no ramp needed |  | 2026-07-01 |
2026-05-12 fact | In May, we fenced the paddock |  | 2026-05-01 |
2026-03-28 fact | Vivo en Jaca desde el 1 de enero |  | 2026-01-01 |
2026-02-02 task | I have to hand in the essay before May 12 | 2026-05-12 |  |
2026-11-20 fact | My nephew starts at the bakery on 4 January |  | 2027-01-04 |
2026-11-20 fact | She studies in Leuven from February to June next year |  | 2027-02-01 | 2027-07-01
2026-02-01 fact | Our sabbatical is from 18 May to 17 July |  | 2026-05-18 | 2026-07-18
2026-10-01 fact | They renovate the pool Nov. 21 to 29 |  | 2026-11-21 | 2026-11-30
2026-02-01 fact | Half term is 18-22 May this year |  | 2026-05-18 | 2026-05-23
2026-05-02 fact | The lane is closed until 17 July |  |  | 2026-07-18
2026-02-02 fact | The choir sings in hall 4 until 30 April |  |  | 2026-05-01
2026-02-02 fact | Wir sind 3. bis 9. März in Tirol |  | 2026-03-03 | 2026-03-10
2026-05-02 fact | My library card expires on 19 June | 2026-06-19 |  | 2026-06-20
2026-05-02 fact | The warranty runs out in November | 2026-11-01 |  | 2026-12-01
2026-04-20 fact | Pete is on holiday and back on 4 May |  |  | 2026-05-04
2026-04-20 fact | I am on the late shift this month |  |  | 2026-05-01
2026-04-20 fact | I used to row, but I stopped in 2020 |  | ? | 2020-01-01
2026-04-20 event | I quit the band in 2020 |  | 2020-01-01 |
2026-02-14 event | The nurse hollered, they're seeing me on April 28 | 2026-04-28 | 2026-04-28 |
2026-05-20 fact | Granny's birthday is 3 May | 2027-05-03 |  |
2026-05-20 fact | Our wedding anniversary was last celebrated on 3 May | 2027-05-03 |  |
2026-05-19 fact | Jo has had the cough since Saturday |  | 2026-05-16 |
2026-05-19 event | On Saturday we moved to the coast |  | 2026-05-16 |
2026-06-19 event | I sprained my ankle on the 3rd of May |  | 2026-05-03 |
2026-05-20 fact | Kit gets his stitches removed on 26 June | 2026-06-26 |  |
2026-11-20 fact | Graduation is in June next year | 2027-06-01 |  |
2026-04-17 fact | We fly to Oslo in August | 2026-08-01 |  |
2026-10-06 fact | The plumber is fixing the tap a week from Thursday | 2026-10-15 |  |
2026-02-02 fact | The permit is valid until the end of June |  |  | 2026-07-01
2026-05-20 event | Recital tomorrow at 6 pm | 2026-05-21T18:00 | 2026-05-21T18:00 |
2026-08-20 fact | the quiz is sunday 4 october | 2026-10-04 |  |
# German
2026-06-04 fact | Der Zahnarzt ist am 23. Juni um 10:40 Uhr | 2026-06-23T10:40 |  |
2026-06-04 fact | Der Elternabend ist am 5.7. um 19 Uhr | 2026-07-05T19:00 |  |
2026-05-07 task | Die Miete muss bis zum 31. Juli bezahlt werden | 2026-07-31 |  |
2026-04-19 fact | Oma ist bis zum 17. Juli auf Kur |  |  | 2026-07-18
2026-01-19 fact | Wir sind vom 3. bis 9. März in Tirol |  | 2026-03-03 | 2026-03-10
2026-06-05 fact | Im September sind wir auf Juist, vom 5. bis zum 19. |  | 2026-09-05 | 2026-09-20
2026-06-02 fact | Seit Samstag wohnen wir in Kiel |  | 2026-05-30 |
2026-06-02 event | Am Samstag sind wir umgezogen |  | 2026-05-30 |
2026-05-12 fact | Meine Ausbildung fängt am 22. Oktober an |  | 2026-10-22 |
2026-05-12 fact | Mein Ausweis läuft am 3. November ab | 2026-11-03 |  | 2026-11-04
2026-06-03 task | Das Auto muss im September zur Inspektion | 2026-09-01 |  |
2026-11-03 fact | Ab dem 4. Januar arbeite ich halbtags |  | 2027-01-04 |
2026-05-18 fact | Der Termin wurde auf Mittwoch verschoben | 2026-05-20 |  |
2026-05-02 fact | Der Kurs ist jetzt am 14. statt am 12. | 2026-05-14 |  |
2026-05-20 fact | Papas Geburtstag ist der 3. Mai | 2027-05-03 |  |
2026-04-20 fact | Diesen Monat bin ich im Homeoffice |  |  | 2026-05-01
2026-04-20 fact | Das Paket kommt übermorgen | 2026-04-22 |  |
# Spanish
2026-03-09 event | Cena el viernes 24 de abril a las 12:30 | 2026-04-24T12:30 | 2026-04-24T12:30 |
2026-03-18 fact | Me pasaron la cita al 15 de abril a las 9:45 | 2026-04-15T09:45 |  |
2026-02-20 task | Hay que pagar la luz antes del 31 de marzo | 2026-03-31 |  |
2026-01-20 fact | Mi primo trabaja en Lima hasta el 30 de junio |  |  | 2026-07-01
2026-01-20 fact | Estamos en la playa del 3 al 9 de marzo |  | 2026-03-03 | 2026-03-10
2026-06-05 fact | En julio estamos en Menorca, del 2 al 9 |  | 2026-07-02 | 2026-07-10
2026-03-03 fact | Desde el sábado vivo en León |  | 2026-02-28 |
2026-03-03 event | El sábado compré un coche |  | 2026-02-28 |
2026-03-16 fact | Empiezo el curso en enero del año que viene |  | 2027-01-01 |
2026-03-16 fact | Mi pasaporte caduca el 3 de noviembre | 2026-11-03 |  | 2026-11-04
2026-05-16 fact | El cumpleaños de Rosa es el 3 de mayo | 2027-05-03 |  |
2026-02-16 fact | La vacuna del gato le toca en abril | 2026-04-01 |  |
# French
2026-10-19 fact | J'ai rendez-vous chez l'ophtalmo le 18 novembre à 14 h 30 | 2026-11-18T14:30 |  |
2026-10-19 fact | Le rendez-vous est décalé au 9 décembre à 9 h 45 | 2026-12-09T09:45 |  |
2026-10-05 event | Je vois le notaire le 13 octobre à 15 h | 2026-10-13T15:00 | 2026-10-13T15:00 |
2026-10-05 event | Le ramoneur passe le 8 octobre à 9 h 30 | 2026-10-08T09:30 | 2026-10-08T09:30 |
2026-10-05 task | La facture est à payer avant le 13 novembre | 2026-11-13 |  |
2026-05-05 fact | Mon frère est au Chili jusqu'au 17 juillet |  |  | 2026-07-18
2026-01-05 fact | Nous sommes en Bretagne du 3 au 9 mars |  | 2026-03-03 | 2026-03-10
2026-09-17 fact | Ma nièce sera à Gand de février à juin l'an prochain |  | 2027-02-01 | 2027-07-01
2026-10-14 fact | Le stagiaire commence le 4 janvier |  | 2027-01-04 |
2026-05-19 fact | Depuis samedi j'habite à Pau |  | 2026-05-16 |
2026-05-19 event | Samedi on a déménagé |  | 2026-05-16 |
2026-10-12 fact | La fête de l'école, c'est le samedi 12 décembre | 2026-12-12 |  |
2026-05-20 fact | L'anniversaire de Luc est le 3 mai | 2027-05-03 |  |
# Italian
2026-06-04 fact | Ho la visita dal dermatologo il 23 giugno alle 10:40 | 2026-06-23T10:40 |  |
2026-05-07 task | Devo pagare la multa entro il 31 luglio | 2026-07-31 |  |
2026-05-07 fact | Mia sorella è a Malta fino al 17 luglio |  |  | 2026-07-18
2026-01-07 fact | Siamo in montagna dal 3 al 9 marzo |  | 2026-03-03 | 2026-03-10
2026-05-07 fact | La carta d'identità scade il 3 novembre | 2026-11-03 |  | 2026-11-04
# Dutch
2026-06-04 fact | De tandarts is op 23 juni om 10:40 uur | 2026-06-23T10:40 |  |
2026-05-07 task | De aangifte moet voor 31 juli binnen zijn | 2026-07-31 |  |
2026-05-07 fact | Mijn zus is tot 17 juli in Suriname |  |  | 2026-07-18
2026-06-02 fact | Sinds zaterdag woon ik in Gent |  | 2026-05-30 |
2026-01-07 fact | Wij zijn van 3 tot 9 maart op Texel |  | 2026-03-03 | 2026-03-10
# Portuguese
2026-06-04 fact | A consulta é no dia 23 de junho às 15h | 2026-06-23T15:00 |  |
2026-05-07 task | Tenho que pagar o imposto até 31 de julho | 2026-07-31 |  |
2026-05-07 fact | O meu irmão está em Angola até 17 de julho |  |  | 2026-07-18
2026-05-07 fact | Começo o mestrado em janeiro do próximo ano |  | 2027-01-01 |
2026-05-20 fact | O aniversário da Inês é em 3 de maio | 2027-05-03 |  |
# A weekday of another week, and the end of a month
2026-10-14 fact | Le couvreur vient mardi en huit à 8 h 15 | 2026-10-27T08:15 |  |
2026-10-14 fact | Elternabend ist Montag in einer Woche um 19 Uhr | 2026-10-26T19:00 |  |
2026-10-14 fact | El lunes de la semana que viene tengo taller | 2026-10-19 |  |
2026-10-14 fact | Martedì della settimana prossima ho la visita | 2026-10-20 |  |
2026-10-14 fact | Mon bail se termine fin janvier | 2027-01-31 |  | 2027-02-01
2026-10-14 fact | La beca se acaba a finales de mayo | 2027-05-31 |  | 2027-06-01
"""
TOLD = [
    tuple(part.strip() for part in line.split("|"))
    for line in TABLE.splitlines()
    if line and not line.startswith("#")
]


# Nothing of a date is in these, whatever they look like.
NOTHING = [
    "March 3 miles and you are there",
    "May 12 people come, and we are full",
    "I may come along",
    "The sun sat low",
    "The shop is open 24/7",
    "It costs 3.50 or so",
    "Usually we swim on Friday",
    "Every May we clean the roof",
    "Jeden Freitag ist Probe",
    "Los viernes toca piano",
    "Guten Morgen zusammen",
    "Trabajo por la mañana",
    "Le samedi je fais du yoga",
    "Di sabato vado al mercato",
    "Op maandag werk ik thuis",
    "A segunda filha chama-se Ana",
    "Toma 5 mg a las 8:30",
    "J'habite au 15 rue des Lilas",
    "Ich wohne im 3. Stock",
    "The PIN has 4 to 6 digits",
    "Der 16. Geburtstag von Ulla war laut",
    "A present for June",
    "Chapter 3.2. is missing",
    "We won 3/4 of the games",
]


def _when(text: str, day: str, kind: str) -> When:
    said_at = parse_instant(f"{day}T00:00Z")
    reading = Reading(
        sentence=Sentence(text=text, masked=text, start=0),
        tokens=tokens_of(text),
        situation=Situation(
            letter=CHAT, reference=said_at + 10 * HOUR_MS, said_at=said_at, is_spoken=True
        ),
        lower=text.lower(),
    )
    return when(
        reading, Choice(kind=kind, name=f"{kind}:told", start=0, end=0), told_dates(reading)
    )


def _shown(ms: int | None) -> str:
    return "" if ms is None else format_instant(ms).removesuffix(":00+00:00")


@pytest.mark.parametrize(("said", "text", "due", "since", "until"), TOLD)
def test_what_is_told_is_due_begins_and_ends_when_it_says(
    said: str, text: str, due: str, since: str, until: str
) -> None:
    day, kind = said.split()
    found = _when(f"{text}.", day, kind)
    assert found == _when(text, day, kind)
    told = _shown(found.due), _shown(found.valid_from), _shown(found.valid_until)
    assert told == (due, "" if since == UNKNOWN else since or day, until)


@pytest.mark.parametrize("text", NOTHING)
def test_no_date_of_what_is_told_is_invented(text: str) -> None:
    day = "2026-05-20"
    assert _when(text, day, "fact") == When(valid_from=parse_instant(f"{day}T00:00Z"))


@given(st.text(max_size=300), st.integers(min_value=-(2**44), max_value=2**44))
def test_any_text_that_is_told_is_read_without_an_error(text: str, reference: int) -> None:
    for mention in find_dates(text, reference, ahead=True):
        assert text[mention.start : mention.end] == mention.text
        assert mention.from_ms < mention.until_ms


VOCABULARY = (
    "on am le el il op no the from vom du del dal bis to au al tot until jusqu'au hasta até by 15 "
    "3. 15th May mai mayo mei März 12:30 14 h 30 Uhr Friday Freitag viernes vendredi next nächsten "
    "next year l'an prochain mañana morgen 5.7. 23/6 29 Feb 30 moved is ist war , . end of seit"
)


@given(st.lists(st.sampled_from(sorted(set(VOCABULARY.split()))), max_size=25))
def test_any_mixture_of_words_of_time_is_read_without_an_error(words: list[str]) -> None:
    text = " ".join(words)
    ends = [
        (mention.start, mention.end)
        for mention in find_dates(text, parse_instant("2026-03-11"), ahead=True)
    ]
    assert all(one[1] <= other[0] for one, other in pairwise(ends))


@pytest.mark.parametrize(
    "unit", ["3 May ", "bis zum ", "a.", "el 15 ", "1.", "moved to ", "'s on "]
)
def test_reading_what_is_told_takes_no_longer_than_its_length_lets_it(unit: str) -> None:
    text = unit * (LONGEST // len(unit))
    began = time.process_time()  # of this process alone: the machine may be busy
    find_dates(text, parse_instant("2026-03-11"), ahead=True)
    assert time.process_time() - began < 2.0
