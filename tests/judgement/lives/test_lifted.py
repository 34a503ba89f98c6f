"""What was not allowed and is again: both are kept, the older one marked, and nothing ends."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import status_of, tell
from vaultmem import Memory
from vaultmem.judgement.pairs.lifted import tells_lifted, why_lifted
from vaultmem.judgement.pairs.out_of_date import END, FLAG, Known, outcomes

LIFTED = (
    (
        "Sam can't have anything with sesame, he came out in welts.",
        "Sam grew out of the sesame thing, the allergy clinic did a challenge and he's clear.",
    ),
    (
        "Sam is allergic to sesame.",
        "Sam has outgrown his sesame allergy.",
    ),
    (
        "Sam is allergic to sesame.",
        "Sam can eat sesame now, the clinic gave us the all-clear.",
    ),
    (
        "Our Polly is allergic to eggs.",
        "Polly's egg allergy is gone, they tested her on Monday.",
    ),
    (
        "Maja ist gegen Kuhmilch allergisch.",
        "Majas Milchallergie hat sich verwachsen, sie darf wieder alles trinken.",
    ),
    (
        "Maja ist gegen Kuhmilch allergisch.",
        "Maja verträgt Kuhmilch inzwischen wieder.",
    ),
    (
        "Mi hijo es alérgico al huevo.",
        "Mi hijo ya tolera el huevo, lo dijo la alergóloga.",
    ),
    (
        "Mi hijo es alérgico al huevo.",
        "A mi hijo se le quitó la alergia al huevo.",
    ),
    (
        "Mon fils est allergique aux arachides.",
        "Mon fils n'est plus allergique aux arachides.",
    ),
    (
        "Mon fils est allergique aux arachides.",
        "L'allergologue a dit qu'il pouvait remanger des arachides.",
    ),
    (
        "Marco è allergico alle noci.",
        "A Marco è passata l'allergia alle noci.",
    ),
    (
        "Sanne is allergisch voor noten.",
        "Sanne is over haar notenallergie heen gegroeid.",
    ),
    (
        "A Rita é alérgica a amendoim.",
        "A Rita já pode comer amendoim, deixou de ser alérgica.",
    ),
    (
        "Dad can't have grapefruit with his tablets.",
        "Dad's off the tablets so grapefruit is fine again.",
    ),
    (
        "I'm not allowed to drive after the seizure.",
        "I'm allowed to drive again, the DVLA sent the licence back.",
    ),
    (
        "No lifting over 5 kilos for Tess after her operation.",
        "Tess is signed off, she can lift what she likes.",
    ),
    (
        "None of Moss's milk for us till the vet clears it.",
        "The vet says Moss's milk is fine again.",
    ),
    (
        "Nan isn't supposed to have salt, doctor's orders.",
        "Nan's blood pressure is sorted so she's allowed salt again.",
    ),
    (
        "I can't run because of my Achilles.",
        "The physio has cleared me to run from Monday.",
    ),
    (
        "Kofi mustn't swim with his grommets.",
        "Grommets are out, Kofi can swim again.",
    ),
    (
        "Oma darf wegen der Tabletten keine Grapefruit essen.",
        "Oma darf jetzt wieder Grapefruit, die Tabletten sind abgesetzt.",
    ),
    (
        "Ich darf nach der OP nicht schwer heben.",
        "Die Ärztin hat grünes Licht gegeben, ich darf wieder heben.",
    ),
    (
        "Papá no puede conducir por el ataque.",
        "A papá le devolvieron el carné, ya puede conducir.",
    ),
    (
        "Ma fille ne supporte pas le lactose.",
        "Ma fille supporte bien le lactose maintenant, c'est fini les crampes.",
    ),
    (
        "La nonna non può mangiare zucchero.",
        "La nonna può di nuovo mangiare lo zucchero, gli esami sono perfetti.",
    ),
    (
        "Mijn vader mag geen alcohol vanwege de medicijnen.",
        "Mijn vader mag weer een borrel, hij is van de medicijnen af en alcohol is goed.",
    ),
    (
        "O Tiago não pode correr por causa do joelho.",
        "O Tiago já pode correr, o ortopedista deixou.",
    ),
    (
        "No visitors on ward 6 because of the norovirus.",
        "Ward 6 takes visitors again, the norovirus ban has been lifted.",
    ),
    (
        "We can't use the back door, the lock is broken.",
        "Locksmith came, we can use the back door again.",
    ),
    (
        "I'm off coffee because of the palpitations.",
        "Cardiologist says I can have coffee again in moderation.",
    ),
    (
        "Rex isn't allowed on the beach in season.",
        "Dogs are allowed on the beach again, season's over, Rex went mad.",
    ),
)
NOT_LIFTED = (
    (
        "Sam is allergic to sesame.",
        "Tom can have sesame now.",
    ),
    (
        "Sam can't have sesame.",
        "If Sam can eat sesame again one day we'll celebrate.",
    ),
    (
        "Sam can't have sesame.",
        "Once the clinic clears him he can have sesame again.",
    ),
    (
        "Sam can't have sesame.",
        "Sam still can't have sesame, they said.",
    ),
    (
        "I'm allergic to penicillin.",
        "I can use the fountain pen again.",
    ),
    (
        "No dairy for me, please.",
        "I can see the sea from here again.",
    ),
    (
        "I'm allergic to cats.",
        "We can sleep again, the baby is through the worst.",
    ),
    (
        "Sam is allergic to sesame.",
        "Sam can swim again after his ear thing.",
    ),
    (
        "My dad mustn't have grapefruit with his statin.",
        "Dad is back on his feet again.",
    ),
    (
        "Sam is allergic to nuts and eggs.",
        "Sam hopes he can eat nuts again by summer.",
    ),
    (
        "Ich vertrage keine Laktose.",
        "Ich darf wieder Auto fahren.",
    ),
    (
        "Ich vertrage keine Laktose.",
        "Vielleicht vertrage ich irgendwann wieder Laktose.",
    ),
    (
        "Mi hijo es alérgico al huevo.",
        "Mi hijo ya puede montar en bici.",
    ),
    (
        "Mon fils est allergique aux arachides.",
        "Mon fils peut maintenant faire du vélo.",
    ),
    (
        "Sanne mag geen noten.",
        "Sanne kan weer fietsen.",
    ),
    (
        "A Rita é alérgica a amendoim.",
        "A Rita já pode ir à escola sozinha.",
    ),
    (
        "Don't let the dog into the kitchen.",
        "The dog is fine again.",
    ),
    (
        "I can't eat gluten.",
        "The gluten-free bakery is open again now.",
    ),
    (
        "We're not allowed a dog in this flat.",
        "Our dog sitter can come again now.",
    ),
    (
        "I take lithium, so no ibuprofen.",
        "I can take paracetamol again now.",
    ),
    (
        "Leo's allergic to wasp stings.",
        "The wasps are back now, they're all over the plums.",
    ),
)


@pytest.mark.parametrize(("old", "new"), LIFTED)
def test_what_is_allowed_again_marks_what_forbade_it(old: str, new: str) -> None:
    """Twelve of the first 16 were given side by side, without a word."""
    [found] = outcomes(new, [Known(old, "", "health", True)])
    assert found.what == FLAG


@pytest.mark.parametrize(("old", "new"), NOT_LIFTED)
def test_what_is_allowed_of_another_thing_or_person_marks_nothing(old: str, new: str) -> None:
    assert why_lifted(old, new) == ""


def test_an_allergy_never_ends_by_it() -> None:
    """'Cleared for baked egg' is not cleared for egg: the person sees both."""
    old, new = "Polly is allergic to eggs.", "Polly can have egg in cakes now."
    assert all(each.what != END for each in outcomes(new, [Known(old)]))


def test_a_question_or_a_hope_lifts_nothing() -> None:
    assert not tells_lifted("Can Sam have sesame again?")
    assert not tells_lifted("If he can eat sesame again we'll celebrate.")
    assert tells_lifted("He can eat sesame again.")


def test_what_would_be_hearsay_is_kept_for_who_knows_of_the_ban(
    memory: Memory, clock: FixedClock
) -> None:
    """'The vet says ...' was a trifle, and the ban stood for good."""
    tell(
        memory,
        clock,
        "None of Moss's milk for us till the vet clears it.",
        "The vet says Moss's milk is fine again.",
    )
    assert status_of(memory, "None of Moss's milk") == "active"
    assert status_of(memory, "is fine again") == "active"
    first = memory.recall("may we drink Moss's milk").hits[0]
    assert "None of" in (first.note.statement or "")
    assert "is fine again" in first.doubt
