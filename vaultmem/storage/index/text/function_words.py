"""Words of seven languages that say nothing of what is asked: 'was ist mein'.

They are rare in a vault that is mostly English, and would weigh there like names. A question is
of a language when two of its words or more may be, and more are than English stop words; one is
enough where it begins the question as only that language does ('Qué número calza Leonel').
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.language import STOP_WORDS

# (words that tell the language, words that are English, too, or names)
_LANGUAGES = (
    (
        """
        der das dem des ein eine einen einem einer eines ist sind waren sein ich du er sie wir ihr
        mich mir dich dir uns euch ihm ihn ihnen mein meine meinen meinem meiner meines dein deine
        deinen deiner unser unsere unseren seine seinen seiner ihre ihren ihrer nicht kein keine
        keinen und oder aber wenn weil dass wie wo wann warum wieso wer wen wem wessen welche
        welcher welches welchen welchem wohin woher habe haben hatte hatten werden wird wurde
        wurden kann können konnte muss müssen für von vom zu zum zur mit bei beim nach aus auf über
        unter gegen ohne durch um bis auch noch schon nur sehr es im ins seit viel viele
        """,
        "die war was in an am hat will man so den her bin als da denn ab",
    ),
    (
        """
        el la los las un una unos unas de del que qué quién quiénes cuál cuáles cuándo cómo dónde
        cuánto cuánta cuántos cuántas por para con sin en y o es son está están fue era ser ha han
        había hay mi mis tu tus su sus nuestro nuestra yo él ella nosotros ellos ellas se le les lo
        al muy más pero como donde cuando porque tengo tiene
        """,
        "me a he no",
    ),
    (
        """
        le la les un une des du de et ou où que qui quoi quel quelle quels quelles quand comment
        pourquoi combien est sont été était être ai avons avez ont avait je tu il elle nous vous
        ils elles mon ma mes ta tes sa ses notre nos votre leur leurs ce cet cette ces se ne pas
        pour par avec sans dans sous chez en au aux y très mais
        """,
        "on a as son ton plus sur or",
    ),
    (
        """
        il lo gli uno una un dei degli delle del della dello al alla nel nella sul sulla che chi
        quale quali quando dove come quanto quanta quanti quante perché cosa cos'è dov'è è sono era
        ho hai ha abbiamo hanno mio mia miei mie tuo tua suo sua nostro nostra mi ti ci si non di
        da con su per tra fra anche più molto posso può devo deve
        """,
        "a in i me no so",
    ),
    (
        """
        de het een van voor met bij naar uit aan om en of maar als dan dat dit die deze wie wat
        waar wanneer welke welk hoe hoeveel waarom ik jij je hij zij ze wij we jullie mijn jouw
        zijn haar ons onze hun heb hebt heeft hebben ben bent zijn kan kunnen mag mogen moet
        moeten wordt niet geen ook nog er
        """,
        "is was had in of me over we",
    ),
    (
        """
        o os um uma uns umas do da dos das no na nos nas pelo pela que quem qual quais quando onde
        como quanto quanta quantos quantas por porque com sem em é são está estão foi era eu tu ele
        ela nós eles meu minha meus minhas teu tua seu sua nosso nossa me se não mais muito também
        tenho tem posso pode devo deve
        """,
        "a as no so do",
    ),
    (
        """
        и в во не на я он она мы вы они что кто где когда как какой какая какие какое почему
        сколько чей мой моя моё мои моей моего мне меня мной у с со к ко по за из от до о об для
        без это этот эта эти был была было были есть бы ли же а но или
        """,
        "",
    ),
)
# Words that begin a question of one language and of no other in the list of English ones.
_OPENING_WORDS = """
    wie wo wann warum wieso wer wen wem wessen welche welcher welches welchen welchem wohin woher
    womit wofür worauf wovon
    qué quién quiénes cuál cuáles cuándo cómo dónde cuánto cuánta cuántos cuántas
    quel quelle quels quelles qui quoi où quand comment pourquoi combien
    chi quale quali dove come quanto quanti perché cosa
    waar wanneer welke welk hoe hoeveel waarom
    quem qual quais onde quantos quantas quando
    где когда как какой какая какие какое почему сколько
"""
_OPENING = frozenset(_OPENING_WORDS.split())
_TELLING = tuple(frozenset(telling.split()) for telling, _ in _LANGUAGES)
_SHARED = tuple(frozenset(shared.split()) for _, shared in _LANGUAGES)
_LEAST = 2


def telling_words() -> frozenset[str]:
    """All words that tell a language, of every language."""
    return frozenset().union(*_TELLING, *_SHARED)


def function_words(said: Sequence[str]) -> frozenset[str]:
    """Those words of a folded question that say nothing in its language; English ones are not."""
    asked = frozenset(said)
    silent: frozenset[str] = frozenset()
    for telling, shared in zip(_TELLING, _SHARED, strict=True):
        found = asked & telling
        silent_too = asked & shared
        english = (asked & STOP_WORDS) - shared
        least = 1 if said and said[0] in _OPENING & telling else _LEAST
        if len(found) + len(silent_too) >= least and len(found) > len(english):
            silent |= found | silent_too
    return silent
