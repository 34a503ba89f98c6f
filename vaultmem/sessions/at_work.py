"""What of a sentence said to a coding assistant outlasts the work it is about.

Most of what is said there asks for work of this minute ("fix the failing test") or tells how the
work stands ("I just pushed a fix"). A text of one's own seldom does, so the rules for texts took 28
of 61 such sentences for memories. Here a sentence needs a sign that it lasts. What has none stays
in the transcript, where recall finds it. English, German, French, Spanish, Italian, Dutch and
Portuguese. Pure.
"""

from __future__ import annotations

import re

from vaultmem.base import late
from vaultmem.judgement import HOME, JOB, judge_sentence, tokens_of, told_of_speaker

# What holds beyond today: a habit, a taste, a rule for all times.
_LASTS = late(
    r"\b(?:always|never|from now on|in (?:the )?future|in general|generally|by default|usually"
    r"|every time|each time|whenever|as a rule|remember that|for the record"
    r"|prefer\w*|i (?:\w+ )?(?:like|love|hate|dislike|avoid)|(?:i|we) (?:\w+ )?(?:use|deploy|host"
    r"|release)|our \w+ (?:uses|deploys|hosts|releases)"
    r"|immer|nie|niemals|ab jetzt|von nun an|künftig|in zukunft|grundsätzlich|standardmäßig"
    r"|üblicherweise|jedes mal|merk dir|bevorzuge\w*|(?:ich|wir) (?:\w+ )?(?:mag|mögen|hasse|liebe"
    r"|nutzen?|verwenden|benutzen?)|lieber"
    r"|toujours|jamais|désormais|dorénavant|à l'avenir|en général|par défaut|d'habitude"
    r"|chaque fois|préf[èé]r\w*|j'(?:aime|utilise|évite)|je (?:déteste|n'aime)|nous utilisons"
    r"|on utilise"
    r"|siempre|nunca|jamás|a partir de ahora|en adelante|en general|por defecto|normalmente"
    r"|cada vez|prefier\w*|preferimos|me gusta\w*|odio|usamos|utilizamos"
    r"|sempre|mai più|d'ora in poi|in futuro|di solito|ogni volta|prefer\w+|mi piace\w*|usiamo"
    r"|utilizziamo"
    r"|altijd|nooit|voortaan|vanaf nu|in de toekomst|standaard|meestal|elke keer|liever"
    r"|(?:ik|we|wij) (?:hou|houden|gebruik|gebruiken|haat)"
    r"|de agora em diante|no futuro|por padrão|normalmente|toda vez|prefir\w+|gosto|odeio|nunca)\b",
    re.IGNORECASE,
)
# What points at something on the screen, or at this minute: then even 'always' is about that.
_POINTS = late(
    r"\b(?:this|that|these|those|the other|it|here|now|again|still|just|right now|at the moment"
    r"|today|tomorrow|tonight|later|yet|first|second|last|better|wrong|options?|you"
    r"|diese[mnrs]?|dieses|jene[mnrs]?|der andere|den anderen|hier|jetzt|nochmal|noch einmal"
    r"|noch|gerade|heute|morgen|später|erste[nr]?|zweite[nr]?|letzte[nr]?|besser|variante\w*"
    r"|cette?|ces|celui\w*|celle\w*|ici|maintenant|encore|je viens de|tout de suite|ça"
    r"|aujourd'hui|demain|premi[eè]re?|deuxième|dernière?|mieux|option"
    r"|est[aeo]s?|es[ae]s?|aquí|ahora|otra vez|acabo de|todavía"
    r"|hoy|mañana|primer[ao]?|segund[ao]|últim[ao]|mejor|opci[oó]n"
    r"|quest[aeio]|quell[aeo]|qui|adesso|ora|ancora|appena"
    r"|oggi|domani|prim[ao]|second[ao]|ultim[ao]|meglio|opzione"
    r"|deze|dit|dat|hier|nu|opnieuw|nog|zojuist|net"
    r"|vandaag|morgen|eerste|tweede|laatste|beter|optie"
    r"|est[ae]s?|ess[ae]s?|isso|isto|aqui|agora|de novo|ainda|acabei de"
    r"|hoje|amanhã|primeir[ao]|melhor|opção)\b",
    re.IGNORECASE,
)
# What the work is made of.
_WORK = late(
    r"\b(?:(?:unit )?tests?|bugs?|errors?|exceptions?|warnings?|crash\w*|segfaults?"
    r"|traceback\w*|stack ?trace|builds?|ci|pipelines?|branch\w*|commit\w*|merg\w+|rebas\w+"
    r"|push\w*|pull request|prs?|diffs?"
    r"|functions?|methods?|class(?:es)?|modules?|variables?|imports?|types? hints?|schemas?"
    r"|migrations?|regex\w*|quer(?:y|ies)|endpoints?|decorators?|parsers?|cache|ports?|scripts?"
    r"|files?|lines?|repos?|readme|dockerfile|containers?|servers?|clients?|workers?|logging"
    r"|timeouts?|flags?|fail\w*|broke\w*|versions?|pages?|sites?|login|apps?|laptop|layouts?"
    r"|headers?|sidebars?|code|specs?|apis?|return\w*|compil\w+|lint\w*|refactor\w*|button|recursion"
    r"|fehler\w*|funktion\w*|klasse\w*|abfrage\w*|datei\w*|importe?|zeile\w*|absturz|stürzt"
    r"|zeitüberschreitung|version\w*|knopf\w*|schnittstelle\w*|skript\w*|rekursion|variablen?|\w*seite\w*|rechner"
    r"|erreurs?|fonctions?|classes?|méthodes?|requêtes?|fichiers?|lignes?|plante\w*|correctif\w*"
    r"|compilation|branche\w*|délai|bouton|analyseur|parseur|récursion"
    r"|errores|funci[oó]n\w*|clases?|consultas?|archivos?|ficheros?|l[ií]neas?|rama\w*|botón"
    r"|p[aá]gina\w*|pruebas?|compilaci[oó]n|falla\w*"
    r"|errori?|funzion[ei]|class[ei]|file|righ[ae]|ramo|pulsante|compilazione|fallisc\w+"
    r"|fout\w*|functies?|klassen?|bestand\w*|regels?|knop|mislukt\w*|faalt"
    r"|erros?|funç\w+|arquivos?|linhas?|ramos?|botão|falha\w*|testes?|testen)\b",
    re.IGNORECASE,
)
# `load`, load(), load_config, loadConfig, KeyError, utils.py
_CODE = late(r"`|\w\(\)|\w_\w|[a-z][A-Z]|\b[\w-]+\.[a-z]{1,4}\b")
# Whoever asks for something, or guesses, tells no more than what is wanted now.
_ASKS = late(
    r"\b(?:please|let's|let us|(?:i|we) (?:\w+ )?(?:need|want|think|guess|suspect|wonder|tried"
    r"|would like)|i'd like|can you|could you|go ahead|what if|make sure|"
    r"bitte|lass uns|(?:ich|wir) (?:brauche|brauchen|will|wollen|möchte|möchten|glaube|denke"
    r"|vermute)|kannst du|könntest du|stell sicher"
    r"|s'il te plaît|stp|svp|j'ai besoin|je (?:veux|voudrais|pense|crois)|on a besoin|peux-tu"
    r"|por favor|necesit\w+|quiero|queremos|creo que|puedes|asegúrate"
    r"|per favore|ho bisogno|abbiamo bisogno|voglio|vorrei|penso che|puoi|assicurati"
    r"|alsjeblieft|ik (?:wil|heb .* nodig|denk)|we moeten|kun je|zorg dat"
    r"|por favor|preciso|precisamos|quero|queremos|acho que|você pode)\b",
    re.IGNORECASE,
)
# One of those that lie before both: a choice for now.
_CHOICE = late(
    r"\b(?:first|second|last|other|option|variant\w*|version|erste[nr]?|zweite[nr]?|andere[nr]?"
    r"|premi[eè]re?|deuxième|autre|primer[ao]?|segund[ao]|otr[ao]|opci[oó]n|prim[ao]|second[ao]"
    r"|altr[ao]|eerste|tweede|andere|primeir[ao]|outr[ao]|opção)\b",
    re.IGNORECASE,
)
# 'I never saw this': of the past, no rule.
_NEVER_YET = late(r"\b(?:never|always) (?:\w+ed|saw|had|got|was|were|did|knew)\b", re.IGNORECASE)
# Of 76 sentences in seven languages, what lasts and has no word for it has .86 and more ("I'm a
# vegetarian"); what tells how the work stands has less where no word of the work is in it.
_SURE = 0.85
_FAMILY = ("kin", "pet")  # of what is said of them nothing is work


def tells_something(text: str) -> bool:
    """Whether words of a conversation that became no item are worth telling to another one.

    "The staging database is called blue" is; of 200 prompts, requests of before were given to 53.
    """
    words = text.removeprefix("user: ")
    return judge_sentence(words).keep >= _SURE and not any(
        pattern.search(words) for pattern in (_ASKS, _WORK, _CODE, _CHOICE, _POINTS)
    )


def outlasts_work(text: str) -> bool:
    """Whether a sentence said to a coding assistant is worth an item.

    What concerns health is. What has a word for what lasts is, unless it points at what lies before
    both. What surely speaks of the person is, unless it asks for something or is about code.
    """
    judged = judge_sentence(text)
    if judged.critical == "health":
        return True
    lasting = _LASTS.search(text)
    if lasting and not _NEVER_YET.search(text):
        rest = text[: lasting.start()] + text[lasting.end() :]
        if not _POINTS.search(rest):
            return True
    if any(pattern.search(text) for pattern in (_ASKS, _WORK, _CODE)):
        return False
    if judged.critical == "safety" or not {HOME, JOB}.isdisjoint(told_of_speaker(text)):
        return True
    if not judged.is_own or _CHOICE.search(text):
        return False
    signs = {sign for each in tokens_of(text).signs for sign in each}
    return judged.keep >= _SURE or not signs.isdisjoint(_FAMILY)
