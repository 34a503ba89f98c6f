"""Whether a new statement names the next one of what somebody has one of at a time. Pure.

'My new boss is Kemal', 'Unser neuer Vermieter heißt Wolf', 'I have a new dentist, Dr. Lang': the
one before may be over. The model of change sees no end in such words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultmem.base import Needing, late
from vaultmem.language import fold

# One concept a line, in seven languages; of each somebody has one at a time.
_ONE_AT_A_TIME = """
    boss manager supervisor chef chefin vorgesetzte vorgesetzter jefe jefa patron patronne cheffe
        capo baas leidinggevende chefe
    dentist zahnarzt zahnärztin dentista dentiste tandarts
    doctor gp physician hausarzt hausärztin arzt ärztin médico médica doctor doctora médecin docteur
        dottore medico huisarts dokter
    landlord landlady vermieter vermieterin casero casera propriétaire bailleur padrone huisbaas
        senhorio senhoria
    teacher tutor lehrer lehrerin klavierlehrer klavierlehrerin profesor profesora maestro maestra
        professeur prof insegnante docente leraar lerares juf meester professor professora
    therapist physio physiotherapist therapeut therapeutin physiotherapeut terapeuta psicóloga
        psicólogo thérapeute kiné fisioterapista fysiotherapeut
    midwife hebamme matrona comadrona sage-femme ostetrica verloskundige parteira
    hairdresser barber friseur friseurin friseurin peluquero peluquera coiffeur coiffeuse
        parrucchiere parrucchiera kapper cabeleireiro cabeleireira
    trainer coach entrenador entrenadora entraîneur entraîneuse allenatore
    vet tierarzt tierärztin veterinario veterinaria vétérinaire dierenarts
    childminder nanny babysitter tagesmutter niñera nounou tata oppas ama
    flatmate roommate mitbewohner mitbewohnerin coloc colocataire huisgenoot
    job employer stelle arbeitgeber trabajo empleo boulot employeur lavoro werk baan emprego
    flat apartment house address wohnung adresse piso apartamento casa dirección appartement appart
        maison appartamento indirizzo woning adres morada
    phone-number number telefonnummer handynummer nummer número numéro numero telefoonnummer
    car auto wagen coche carro voiture bagnole macchina
    phone handy móvil teléfono portable téléphone cellulare telefoon telemóvel
    gym fitnessstudio gimnasio salle palestra sportschool ginásio
    school schule escuela colegio école scuola
    bank banco banque banca
    email mail mailadresse correo courriel
"""
_NEW = r"(?:new|neue[nrms]?|nuev[oa]|nouve(?:au|lle?)|nuov[oa]|nieuwe?|nov[oa])"
_ANY_NEW = Needing(rf"\b{_NEW}\b", 0, ("new", "neue", "nuev", "nouve", "nuov", "nieuw", "nov"))
_MY = (
    r"(?:my|our|mein\w*|unser\w*|mi|mis|nuestr[oa]|mon|ma|notre|(?:il |la )?(?:mio|mia|nostr[oa])"
    r"|mijn|onze|ons|(?:o |a )?(?:meu|minha|noss[oa]))"
)
_HAVE = (
    r"(?:(?:i|we)(?:'ve| have)?(?: finally| now| just)? (?:have|got|have got|found)|i've got"
    r"|we've got|ich habe?|wir haben|tengo|tenemos|j'ai|nous avons|on a|ho|abbiamo|ik heb"
    r"|we hebben|tenho|temos)"
    r"(?: (?:now|jetzt|ahora|maintenant|ora|nu|agora|finally|endlich))? "
    r"(?:an?|eine?[nrm]?|una?|une?|uno|een|uma?)"
)
_GAP = r"(?: [\w'’-]+){0,2}?"


def names_the_next(old: str, new: str) -> bool:
    """Whether the new statement tells of a new boss, flat or dentist of the speaker's, and the old
    one of one that was theirs."""
    said, before = _flat(new), _flat(old)
    for concept in _concepts():
        if not concept.is_in(said) or not concept.is_in(before):
            continue
        if concept.next_one.search(said) and concept.mine.search(before):
            return not concept.next_one.search(before) or said != before
    return False


def tells_of_a_new_one(text: str) -> bool:
    """Whether a text has a word for 'new' at all: a cheap look."""
    return _ANY_NEW.search(_flat(text)) is not None


class _Concept:
    """The patterns of one concept: the next one of it, and one that is the speaker's.

    All 42 took 73 ms to compile, and a pair of statements needs those of one concept at most.
    """

    def __init__(self, words: str) -> None:
        self._nouns = tuple(words.split())
        nouns = "|".join(map(re.escape, self._nouns))
        self.next_one = late(
            rf"\b(?:{_MY}|{_HAVE}) {_NEW}(?: [\w'’-]+){{0,1}}? (?:{nouns})\b"
            rf"|\b(?:{_MY}|{_HAVE}) (?:{nouns}) {_NEW}\b"
        )
        self.mine = late(rf"\b(?:{_MY}|{_HAVE}){_GAP} (?:{nouns})\b")

    def is_in(self, text: str) -> bool:
        """Whether one of its words is in a text at all: a cheap look."""
        return any(noun in text for noun in self._nouns)


@lru_cache(maxsize=1)
def _concepts() -> tuple[_Concept, ...]:
    return tuple(map(_Concept, _ONE_AT_A_TIME.replace("\n        ", " ").strip().split("\n")))


def _flat(text: str) -> str:
    return " ".join(fold(text).replace("’", "'").split())
