"""Short answers: 'Mollie.' after 'Which payment provider do you use?'. Pure.

The answer is the person's, the question is not: it says what the answer is about, and is kept
beside it as what was asked, never as a statement. Of the moment are offers ('Shall I go on?'),
small talk, what the assistant is to do now, and what happened just before; their answers are none.
"""

from __future__ import annotations

import re

from vaultmem.base import late
from vaultmem.language import fold, sentence_spans
from vaultmem.safety import suspicion

LONGEST_QUESTION = 200  # characters
_MOST_WORDS = 7  # of an answer that leans on its question
_WORD = late(r"[^\W_]+(?:['’-][^\W_]+)*")
_ASIDE = late(
    r"^(?:(?:ok|okay|great|good|sure|thanks|thank you|noted|got it|alright|perfect|and|so|then|gut"
    r"|alles klar|verstanden|notiert|danke|und|also|vale|bien|perfecto|anotado|entendido|gracias"
    r"|y|entonces|d'accord|bien|noté|c'est noté|parfait|merci|et|alors|va bene|grazie|e|oké|goed"
    r"|en|obrigad[oa]|certo)[,.!:]* +)+",
    re.IGNORECASE,
)
# Questions whose answer is nothing of the person's world: offers, how it goes, what is to be done
# in this talk, and what was.
_OF_THE_TALK = late(
    r"\b(?:shall i|should i|can i|may i|could i|want me to|like me to|for me to|need me to"
    r"|do you mean|did (?:they|he|she|it|we)|did you(?! (?:grow|study|meet|move|learn|buy|start"
    r"|live|marry|work|get))|were you(?! born)|was (?:it|that|he|she|there)|how (?:was|were|did"
    r"|is it going|are you(?! travelling)|about)|what(?:'s| is) (?:up|wrong|new"
    r"|the matter)|is (?:it|that|this) (?:ok|okay|right|correct|enough|better|all|what)"
    r"|(?:any|some)thing else|something (?:else|wrong)"
    r"|does (?:that|this|it) (?:help|work|sound|make|look)"
    r"|did (?:that|it) help"
    r"|sounds? (?:good|ok)|make sense|(?:are|all) (?:you )?(?:ready|set|sure|okay|ok|done)\b"
    r"|shall we|should we (?:start|go on|continue|look|try|do)|what (?:shall|should|can|do you"
    r" want) (?:i|we|me)|how can i|what can i|help you|do you (?:see|know|remember|understand|mind)"
    r"|have you (?:tried|seen|heard|checked|read)|which one|of (?:the|these|those) (?:two|three"
    r"|four|five)|what happened|what did|soll(?:en)? (?:ich|wir)|kann ich|darf ich|könnte ich"
    r"|dass ich|noch (?:etwas|was)|sonst noch|wie geht|wie war|was ist (?:los|passiert)|hilft"
    r"|hat das|bist du (?:bereit|sicher|fertig)|war (?:es|das|er|sie)|hast du (?:schon|gesehen"
    r"|gehört|probiert|versucht)|weißt du|kennst du|meinst du|passt das|stimmt das|alles klar"
    r"|welche[sr]? (?:von|der beiden)|was möchtest du (?:wissen|tun)|quieres que|desea que|puedo"
    r"|debo|algo más|cómo (?:estás|está|te va|fue|va)|qué (?:tal|pasó|pasa)|en qué puedo|te ayud"
    r"|te sirve|te parece|sabes|has (?:visto|probado|leído)|fue|era|cuál de (?:los|las)|entiendes"
    r"|veux-tu que|voulez-vous que|tu veux que|vous voulez que|puis-je|dois-je|je peux|autre chose"
    r"|ça va|comment (?:vas|allez|ça)|comment c'était|qu'est-ce qui|que s'est|c'était|était-ce"
    r"|as-tu (?:vu|lu|essayé)|avez-vous (?:vu|lu|essayé)|sais-tu|savez-vous|ça t'aide|lequel"
    r"|laquelle|tu veux dire|posso|devo|qualcos'altro|come (?:stai|sta|va|è andat)|vuoi che"
    r"|kan ik|zal ik|moet ik|nog iets|hoe (?:gaat|was)|wil je dat|quer que|mais alguma|como (?:vai"
    r"|está|foi))\b",
    re.IGNORECASE,
)
# An offer, or about what the assistant writes.
_OFFER = late(
    r"^(?:would you like|do you want|möchtest du|möchten sie|willst du|wollen sie|quieres|quiere"
    r"|te gustaría|veux-tu|voulez-vous|tu veux|vous voulez|voudrais-tu|aimerais-tu|vuoi|vorresti"
    r"|wil je|wilt u|queres|gostarias)\b|^(?:te|se|os|me) (?:lo|la|los|las) \w+o\b"
    r"|^je (?:te|vous|le|la)"
    r"|\b(?:(?:like|want) to (?:know|see|hear|do|talk|discuss|try|change|start|add)|(?:wissen|tun"
    r"|ändern|besprechen)$|quieres (?:saber|hacer|ver|hablar|cambiar)|(?:savoir|faire|changer)$"
    r"|version|variante?|draft|entwurf|fassung|versión|brouillon|bozza|tone|der ton|el tono|le ton"
    r"|soll (?:es|das|der (?:text|brief))|darf es|should (?:it|this|that) (?:be|sound))\b"
    r"|^(?:who|wer|quién|qui|chi|wie|quem) \w+$",
    re.IGNORECASE,
)
_NOW = late(
    r"\b(?:tonight|today|right now|this (?:time|morning|evening|afternoon|poem|text|email|mail"
    r"|file|code|script|function|story|recipe)|just|heute|gerade|diesmal|heute abend|hoy"
    r"|esta (?:noche|vez|mañana|tarde)|aujourd'hui|ce soir|cette fois|oggi|stasera"
    r"|vandaag|vanavond|hoje)\b",
    re.IGNORECASE,
)
# The person is spoken to, or with: the question is about their world.
_OF_THEM = late(
    r"\b(?:you|your|yours|you're|you've|we|our|us|du|dein\w*|dich|dir|ihr|ihre\w*|ihnen|euch|euer\w*"
    r"|eure\w*|sie|wir|unser\w*|tú|tu|tus|te|ti|usted\w*|vos|su|sus|vuestr\w*|nuestr\w*|vous|votre"
    r"|vos|ton|ta|tes|toi|nous|notre|nos|tuo|tua|tuoi|tue|vostr\w*|lei|je|jouw|jullie|uw|u|você"
    r"|teu|tua|seu|sua)\b|\w+(?:-tu|-vous)\b|\b(?:tienes|tiene|tenéis|tienen|eres|son|sois|vives"
    r"|usas|usan|usáis|van|vais|prefieres|prefieren|comes|bebes|trabajas|hai|sei|vivi|usi|usate"
    r"|preferisci|tens|tem|usa|prefere)\b",
    re.IGNORECASE,
)
_ASKS_FOR = late(
    r"^(?:which|what|who|whom|whose|where|when|how (?:many|much|old|long|often|big|tall|far)|any"
    r"|welche\w*|was|wer|wen|wem|wo|wohin|woher|wann|wie (?:viele?|alt|oft|lange|groß|heißt|hoch)"
    r"|an welche\w*|in welche\w*|qué|cuál\w*|quién\w*|dónde|cuándo|cuánt\w*|cómo se llama|quel\w*"
    r"|qui|où|quand|combien|comment s'appelle\w*|comment se nomme|à quel\w*|de quel\w*|quale|quali"
    r"|chi|dove|quando|quanti|quanto|come si chiama|welk\w*|wie|wat|waar|wanneer|hoeveel|qual|quais"
    r"|quem|onde|quantos|como se chama|the|der|die|das|el|la|los|las|le|les|il|lo|de|het|o|a)\b",
    re.IGNORECASE,
)
_EITHER = late(r"\b(?:or|oder|o|ou|of)\b", re.IGNORECASE)
_ASSENT_WORDS = """
    yes yeah yep yup sure right correct exactly ok okay please no nope nah not really thanks thank
    you that's it fine good great perfect never mind nvm cool alright of course
    ja jawohl genau gern gerne bitte nein nee nö nicht danke gut passt stimmt klar nichts egal okay
    doch sicher natürlich
    sí si claro exacto vale bueno no gracias nada por favor bien perfecto correcto cierto
    oui ouais exactement voilà bien sûr non merci rien d'accord parfait parfaitement ça va
    sì certo esatto grazie niente prego va bene nee graag dank je goed prima sim não obrigado
    obrigada certo isso nada
"""
_ASSENT = frozenset(_ASSENT_WORDS.split())
_COUNT_WORDS = """
    none nothing never always both neither either all some keine keiner keins nichts nie immer beide
    alle ninguno ninguna nunca siempre ambos todos todas aucun aucune jamais toujours les deux tous
    nessuno nessuna mai sempre entrambi geen nooit altijd allebei nenhum nenhuma ambos
"""
_COUNTS = frozenset(_COUNT_WORDS.split())
_YES_WORDS = """
    yes yeah yep yup right correct exactly ja jawohl genau sí si claro exacto oui ouais voilà sì
    esatto sim
"""
_YES = frozenset(_YES_WORDS.split())
_UNKNOWN = late(
    r"\b(?:don'?t know|dunno|no idea|not sure|no clue|haven'?t a clue|beats me|who knows|maybe"
    r"|perhaps|whatever|either|doesn'?t matter|up to you|you choose|depends|later"
    r"|kein(?:e ahnung|en? plan)|weiß (?:ich )?ni(?:cht|x|ch)|egal|vielleicht|kommt drauf an"
    r"|entscheide du|später|no (?:lo )?sé|ni idea|quién sabe|vete a saber|tal vez|quizás?"
    r"|da igual|depende|luego|je ne sais pas|(?:j'?en )?sais pas|chais pas|aucune idée|va savoir"
    r"|peut-être|peu importe|ça dépend|plus tard|non (?:lo )?so|boh|forse|dipende"
    r"|weet (?:ik )?niet|geen idee|misschien|maakt niet uit|não sei|sei lá|talvez|tanto faz)\b",
    re.IGNORECASE,
)
# What a yes makes a statement of, to be judged as one: 'Are you vegetarian?' 'Yes.'
_AS_STATED = (
    (late(r"^are you (?:a |an )?(?=\w)", re.IGNORECASE), "I am "),
    (late(r"^(?:do you have|have you got) (?=\w)", re.IGNORECASE), "I have "),
    (late(r"^do you (?=\w)", re.IGNORECASE), "I "),
    (late(r"^bist du (?=\w)", re.IGNORECASE), "Ich bin "),
    (late(r"^sind sie (?=\w)", re.IGNORECASE), "Ich bin "),
    (late(r"^(?:hast du|haben sie) (?=\w)", re.IGNORECASE), "Ich habe "),
    (late(r"^¿?(?:eres|es usted) (?=\w)", re.IGNORECASE), "Soy "),
    (late(r"^¿?(?:tienes|tiene usted) (?=\w)", re.IGNORECASE), "Tengo "),
    (late(r"^(?:es-tu|êtes-vous|tu es|vous êtes) (?=\w)", re.IGNORECASE), "Je suis "),
    (late(r"^(?:as-tu|avez-vous|tu as|vous avez) (?=\w)", re.IGNORECASE), "J'ai "),
    (late(r"^sei (?=\w)", re.IGNORECASE), "Sono "),
    (late(r"^hai (?=\w)", re.IGNORECASE), "Ho "),
    (late(r"^ben je (?=\w)", re.IGNORECASE), "Ik ben "),
    (late(r"^heb je (?=\w)", re.IGNORECASE), "Ik heb "),
    (late(r"^tens (?=\w)", re.IGNORECASE), "Tenho "),
)


def question_in(text: str) -> str:
    """The question about the person's world that an assistant's turn ends with; '' for none."""
    if not text.rstrip().endswith(("?", "？")):
        return ""
    spans = [(a, b) for a, b in sentence_spans(text) if text[a:b].strip()]
    start, end = spans[-1] if spans else (0, 0)
    asked = _ASIDE.sub("", " ".join(text[start:end].split())).lstrip("-–*> ")
    if not asked or len(asked) > LONGEST_QUESTION or suspicion(asked):
        return ""
    said = fold(asked).replace("’", "'").lstrip("¿ ")
    said = said.rstrip("?？ ")
    if _OF_THE_TALK.search(said) or _OFFER.search(said) or _NOW.search(said):
        return ""
    return asked if _is_of_them(said) else ""


def is_answer(text: str, asked: str) -> bool:
    """Whether a sentence answers what was asked, and says nothing without it.

    asked  of `question_in`
    """
    said = [word.lower() for word in _WORD.findall(text.replace("’", "'"))]
    if not asked or not said or len(said) > _MOST_WORDS or "?" in text:
        return False
    if _UNKNOWN.search(fold(text).replace("’", "'")) or suspicion(text):
        return False
    if _ASSENT.issuperset(said):
        return not _YES.isdisjoint(said) and bool(stated_by_yes(asked))
    return True


def says_nothing_alone(text: str) -> bool:
    """Whether a sentence is a yes, a no or a 'none': it answers, or it is nothing.

    The model of sentences knows no such words alone: 'None.' had .77 for being critical.
    """
    said = {word.lower() for word in _WORD.findall(text.replace("’", "'"))}
    return bool(said) and said <= _ASSENT | _COUNTS


def stated_by_yes(asked: str) -> str:
    """What a yes says of the person, to be judged as a statement; '' where it lasts not."""
    said = asked.strip().rstrip("?？ ")
    for pattern, own in _AS_STATED:
        if pattern.match(said):
            from vaultmem.judgement.sentence import judge_sentence  # saves 25 modules

            told = pattern.sub(own, said)
            return told if judge_sentence(f"{told}.").is_worth else ""
    return ""


def is_grave_answer(text: str, asked: str) -> str:
    """Of what the answer is critical, judged with its question: 'Any allergies?' 'Peanuts.'"""
    from vaultmem.judgement.sentence import judge_sentence  # saves 25 modules

    said = {word.lower() for word in _WORD.findall(text)}
    if not said.isdisjoint(_COUNTS | {"no", "nein", "nee", "nada", "non", "não"}):
        return ""
    together = stated_by_yes(asked) if _ASSENT.issuperset(said) else ""
    return judge_sentence(together or f"{asked.rstrip('?？ ¿')}: {text}").critical


def _is_of_them(said: str) -> bool:
    bare = said.rstrip("?？ ")
    if _ASKS_FOR.search(bare):
        return True
    return _OF_THEM.search(bare) is not None or _EITHER.search(bare) is not None
