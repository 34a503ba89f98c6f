"""Words of German, Spanish, French and Russian that say nothing of what is asked: 'was ist mein'.

They are rare in a vault that is mostly English, and would weigh there like names. A question is
of a language when two of its words or more may be, and more are than English stop words.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.analysis import STOP_WORDS

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
        и в во не на я он она мы вы они что кто где когда как какой какая какие какое почему
        сколько чей мой моя моё мои моей моего мне меня мной у с со к ко по за из от до о об для
        без это этот эта эти был была было были есть бы ли же а но или
        """,
        "",
    ),
)
_TELLING = tuple(frozenset(telling.split()) for telling, _ in _LANGUAGES)
_SHARED = tuple(frozenset(shared.split()) for _, shared in _LANGUAGES)
_LEAST = 2


def function_words(said: Sequence[str]) -> frozenset[str]:
    """Those words of a folded question that say nothing in its language; English ones are not."""
    asked = frozenset(said)
    silent: frozenset[str] = frozenset()
    for telling, shared in zip(_TELLING, _SHARED, strict=True):
        found = asked & telling
        silent_too = asked & shared
        english = (asked & STOP_WORDS) - shared
        if len(found) + len(silent_too) >= _LEAST and len(found) > len(english):
            silent |= found | silent_too
    return silent
