"""Plans that are done or undone, roles that change hands, parents by any name, pills by number."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import status_of, tell
from vaultmem import Memory
from vaultmem.judgement.pairs.successors import names_next_holder
from vaultmem.judgement.pairs.undone import why_undone

OVER = ("superseded", "expired")

DONE = (
    ("I still need to tax the moped.", "The moped's taxed."),
    ("I have to send the loom form to Wanda.", "The loom form went in the post this morning."),
    ("Ich muss noch die Dachrinne streichen.", "Die Dachrinne ist gestrichen."),
    ("Wir müssen den Anhänger anmelden.", "Der Anhänger ist angemeldet."),
    ("Tengo que firmar la hipoteca antes del lunes.", "La hipoteca ya está firmada."),
    ("Il faut que je rende le manuscrit à Odile.", "Le manuscrit est rendu."),
    ("Devo prenotare il traghetto per Elba.", "Il traghetto è prenotato."),
    ("Ik moet de dakgoot nog repareren.", "De dakgoot is gerepareerd."),
    ("Preciso assinar o contrato da quinta.", "O contrato está assinado."),
)
NOT_DONE = (
    ("I still need to tax the moped.", "The moped broke down on Monday."),
    ("I still need to tax the moped.", "I haven't taxed the moped yet."),
    ("I need to book the chimney sweep.", "The chimney sweep charged us double."),
    ("Ich muss noch die Dachrinne streichen.", "Die Dachrinne ist noch nicht gestrichen."),
    ("The moped is blue.", "The moped's taxed."),
    ("Tengo que firmar la hipoteca.", "Voy a firmar la hipoteca el lunes."),
)
STAYS = (
    ("Our lodger Teo is moving out in April.", "Teo's staying put after all."),
    ("We're leaving Whitby in the autumn.", "We're staying in Whitby after all."),
    ("Frau Brandt zieht im Herbst nach Kassel.", "Frau Brandt bleibt doch in ihrem Haus."),
    ("Mi primo Lalo se muda a Cuenca en junio.", "Lalo al final se queda en su casa."),
    ("Amélie part vivre à Nancy en juin.", "Amélie reste finalement à Metz."),
    ("Mio zio Aldo si trasferisce a Bari.", "Alla fine zio Aldo resta nella sua casa."),
    ("Mijn broer Sjors verhuist naar Breda.", "Sjors blijft toch in zijn huis."),
    ("A minha tia Zélia vai morar para Faro.", "A tia Zélia afinal fica na casa dela."),
)
NOT_STAYS = (
    ("Our lodger Teo is moving out in April.", "Teo is staying in a hotel this week."),
    ("Our lodger Teo is moving out in April.", "Bianca is staying put after all."),
    ("Our lodger Teo moved here in April.", "Teo's staying put after all."),
)
HOLDERS = (
    ("The club's chair is Oona.", "Rashid is the chair now.", False),  # whose chair is not said
    ("Our chair is Oona Byrne.", "Rashid is our chair now.", True),
    ("Our CFO is Lindiwe.", "We have a new CFO, Anders.", True),
    ("My piano teacher is Mr Ferro.", "My new piano teacher is Ms Aldous.", True),
    ("My piano teacher is Mr Ferro.", "My new drum teacher is Ms Aldous.", False),
    ("Our CFO is Lindiwe.", "Lindiwe is our new CFO.", False),
    ("My friend is Tom.", "My new friend is Ana.", False),
    ("My neighbour is Mrs Ode.", "My new neighbour is Kit.", False),
    ("Unser Pfarrer ist Herr Lenz.", "Unser neuer Pfarrer heißt Wirth.", True),
    ("Unser Schiedsrichter ist Nadim.", "Unser Schiedsrichter ist jetzt Kolja.", True),
    ("Mi abogada es Pilar.", "Mi nueva abogada es Rocío.", True),
    ("Notre syndic est M. Blot.", "Notre nouveau syndic est Mme Rey.", True),
    ("Il nostro parroco è don Luigi.", "Il nostro nuovo parroco è don Piero.", True),
    ("Onze wethouder is Bakker.", "Onze nieuwe wethouder is Visser.", True),
    ("A nossa diretora é a Joana.", "A nossa nova diretora é Teresa.", True),
)


@pytest.mark.parametrize(("old", "new"), DONE + STAYS)
def test_a_plan_ends_that_is_done_or_given_up(
    memory: Memory, clock: FixedClock, old: str, new: str
) -> None:
    tell(memory, clock, old, new)
    assert status_of(memory, old.rstrip(".")) in OVER


@pytest.mark.parametrize(("old", "new"), NOT_DONE + NOT_STAYS)
def test_other_words_about_the_same_thing_undo_nothing(old: str, new: str) -> None:
    assert not why_undone(old, new)


@pytest.mark.parametrize(("old", "new", "is_next"), HOLDERS)
def test_a_new_holder_of_a_role_of_one_ends_the_old_one(
    old: str, new: str, *, is_next: bool
) -> None:
    assert names_next_holder(old, new) == is_next


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Our CFO is Lindiwe.", "We have a new CFO, Anders."),
        ("Meine Kardiologin ist Frau Dr. Schütz.", "Meine neue Kardiologin ist Frau Dr. Öz."),
        ("Ma sage-femme s'appelle Lison.", "Ma nouvelle sage-femme s'appelle Maud."),
        # parents by another name
        ("My mother is in Ward 3 at the Royal.", "They moved Mum to Ward 8 on Sunday."),
        ("Ma mère habite à Brest.", "Maman s'est installée à Quimper."),
        ("Mein Vater wohnt in Gera.", "Papa ist nach Suhl gezogen."),
        # pills and puffs
        ("I take Clenil, two puffs morning and night.", "The Clenil is up to four puffs now."),
        ("Je prends du Seresta, deux comprimés.", "Le Seresta, on a baissé à un comprimé."),
        ("Ich nehme Novalgin, 20 Tropfen abends.", "Novalgin ist jetzt auf 30 Tropfen erhöht."),
        # what is so again is the reason, and not the dose
        (
            "I take 20 mg of enalapril.",
            "Enalapril is 10 mg now, because the cough came back again.",
        ),
        # what is over stands before the words for it, and sayings of seven languages
        ("Je chante à la chorale le lundi.", "La chorale, c'est fini, ma voix ne suit pas."),
        ("Mittwochs geh ich zum Aquafit.", "Aquafit fällt flach, das Bad wird saniert."),
        ("Imran's gone vegan.", "So much for vegan, I caught Imran with a kebab."),
        ("Los jueves voy a esgrima.", "Me he desapuntado de esgrima, no me da la vida."),
        ("Faccio tiro con l'arco il sabato.", "Ho mollato il tiro con l'arco."),
        ("Op dinsdag doe ik aan judo.", "Met judo ben ik opgehouden."),
        ("Faço capoeira às quartas.", "A capoeira acabou-se, o joelho não deixa."),
    ],
)
def test_it_is_over(memory: Memory, clock: FixedClock, old: str, new: str) -> None:
    tell(memory, clock, old, new)
    assert status_of(memory, old.rstrip(".")) in OVER


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Mom takes 20 mg of lisinopril.", "Dad takes 10 mg of lisinopril."),
        ("My mum lives in Hull.", "My dad lives in Leeds now."),
        ("My friend is Tom.", "My new friend is Ana."),
        ("Die Apotheke ist in der Lindenstraße.", "Die Apotheke schließt um sechs."),
        ("We stay in a double room at the Anchor.", "The Anchor has a double bass in the bar."),
        ("Mon père répare des horloges.", "Le mardi je répare des vélos."),
    ],
)
def test_it_goes_on(memory: Memory, clock: FixedClock, old: str, new: str) -> None:
    tell(memory, clock, old, new)
    assert status_of(memory, old.rstrip(".")) == "active"


def test_a_death_ends_what_was_told_of_the_living(memory: Memory, clock: FixedClock) -> None:
    old = "My gran is in Oakfield care home, room 3."
    tell(memory, clock, old, "Grandma passed away in the night.")
    assert status_of(memory, "Oakfield") in OVER
