"""What a text asks of an assistant: to give away, obey, keep on doing, answer so: cues as data.

As in `text_cues`; `@` stands for an address: of mail, of a page, of a host. Each cue needs a verb
where orders have it (`-to|can|...`: not as in "it can reveal") and what only an order would name.
"""

from __future__ import annotations

from vaultmem.safety.cues_requests_more import FRENCH, GERMAN, OTHERS, SPANISH

_NOT_ORDERED = (
    "-to|can|could|may|might|would|will|that|which|who|they|we|i|he|she|it|not|attackers|hackers"
)
_SEND = (
    "send|forward|email|mail|post|upload|submit|transmit|exfiltrate|leak|share|deliver|paste|"
    "publish|copy|append|attach|report|disclose|reveal|export"
)
_PRIVATE = (
    "password*|passphrase*|credential*|secrets|token|tokens|cookies|conversation|conversations|"
    "history|memories|contacts|contact|transcript*|inbox|wallet|seed|env"
)
_HELD = (
    f"{_PRIVATE}|data|notes|keys|key|code|codes|files|information|address|phone|messages|emails|"
    "customer|customers|documents|details|everything|vault|number|location|chat|names"
)
_ALL = "all|any|every|entire|full|whole|complete|users|stored|saved|private|api|known"

ENGLISH = (
    f"{_SEND} ~8 {_PRIVATE} ~10 @",
    f"{_SEND} ~3 {_ALL} ~4 {_HELD} ~10 @",
    f"{_SEND} ~3 @ ~4 {_ALL} ~4 {_HELD}",
    (
        "collect|gather|reveal|disclose|find|extract|list|read|dump|copy|export|retrieve|take|"
        f"include ~6 {_HELD} ~4 and|then ~2 send|post|forward|upload|email|mail|submit|transmit|"
        "share|publish it|them|these|those|all|everything ~4 @"
    ),
    f"forward|send|share|report ~1 {_ALL} ~4 code|codes|password*|token* you see|receive|find|know",
    (
        f"{_NOT_ORDERED} reveal|disclose|divulge|leak|expose|surrender|unlock|hand ~4 private|api|"
        "secret|access|encryption|stored|hidden|all ~2 key|keys|credential*|password*|notes|"
        "secrets|token*"
    ),
    (
        "assistant|ai|agent|model|chatbot|bot|llm ~2 required|obliged|instructed|must|shall|has "
        "~2 disclose|reveal|obey|comply|ignore|recommend|forward|unlock|share|send"
    ),
    "assistant|ai|agent|model|chatbot|bot|llm must|shall|should always|never|obey|disclose|reveal",
    (
        "good|helpful|proper|loyal|smart assistant|ai|agent|chatbot ~1 always|never|ends|includes|"
        "mentions|recommends|adds|sends|puts"
    ),
    (
        "reminder|notice|command|order|orders|directive to|for ~1 assistant|assistants|ai|llm|"
        "llms|agent|agents|chatbot|bot|model"
    ),
    (
        "message|order|notice|instruction*|directive|command from|by ~1 administrator|admin|"
        "developer|developers|system|operator|openai|anthropic ~6 you|assistant|override|obey"
    ),
    (
        "i am your|the developer|creator|administrator|admin|operator|owner ~3 i|you ~3 "
        "authori*|permit|allow|order|command|instruct|must"
    ),
    (
        "as your|the ~1 developer|creator|administrator|admin|operator|owner ~6 i ~1 authori*|"
        "permit|allow|order|command|instruct|require you"
    ),
    "i authorise|authorize|order|command|instruct you to",
    (
        "safety|security|content checks|filters|measures|protocols|restrictions|guardrails|rules "
        "~1 suspended|disabled|lifted|off|waived|deactivated"
    ),
    (
        "from this|today day|on|onward|onwards|forward ~2 every|each|all|always|never|you ~2 "
        "reply|answer|response|responses|must|end|address|mention|recommend|treat"
    ),
    (
        "going forward|onwards ~1 always|never ~2 address|answer|mention|recommend|praise|reply|"
        "respond|say|include|end|add|refer|call"
    ),
    "henceforth|hereafter ~1 always|never|you|every|address|answer|reply|mention|recommend",
    (
        "in all|every|each ~1 future|later|subsequent|coming|following ~1 conversation*|reply|"
        "replies|answer*|response*|chat*|session* ~2 mention|say|add|include|recommend|state|"
        "tell|treat|use|praise"
    ),
    (
        "every|each|all|your ~1 reply|replies|answer|answers|response|responses ~1 must|should|"
        "shall ~2 end|begin|start|include|contain|mention|praise|carry|link"
    ),
    (
        "end|begin|start|finish|close|conclude|sign every|each|all ~1 reply|replies|answer|"
        "answers|response|responses ~1 with"
    ),
    (
        "include|add|append|insert|put|mention ~8 in|to|into every|each|all ~1 reply|replies|"
        "answer|answers|response|responses"
    ),
    "remember|memorise|memorize permanently|forever",
    (
        "remember|memorise|memorize|note that ~1 user|users|owner ~2 prefers|wants|likes|approved|"
        "trusts|authori*|agreed|consented"
    ),
    (
        "-i|id|we|wed|they|he|she|would|highly|definitely|can|to|not|strongly|dont|ill|really|"
        "also|and|always|you|still|even recommend|suggest|promote|praise|endorse|advertise ~4 to "
        "everyone|everybody|anyone|anybody|whoever|users|all|every who|that|planning|asking|and|"
        "in|at|as|user|users|customer"
    ),
    "treat|consider|regard ~3 as ~2 trusted|authoritative|verified|authori* ~1 source|sender|site",
    (
        "not|dont|never suggest|recommend|mention|propose|name any|other|another ~5 other|except|"
        "besides|competitor* ~1 than|the|their|of"
    ),
    (
        "delete|erase|destroy|forget this|these ~1 message|note|instruction*|text|email after|"
        "once|when ~1 reading|read|you|done|following"
    ),
    (
        "not|dont|never mention|reveal|reference|repeat|quote|cite it|this|them|these ~2 answer|"
        "answers|reply|replies|response|responses|output|summary"
    ),
    "between us ~3 owner|user|human|person ~4 not|never",
    "owner|user|human ~4 must|should|may|shall not|never ~1 learn|know|see|notice|hear|suspect",
    (
        "call|use|invoke|trigger the ~1 transfer|payment|email|mail|shell|wire|delete|messaging|"
        "browser|file ~1 tool|function|plugin with|to|and"
    ),
    (
        "run|execute|call|open|visit ~12 before ~1 answering|replying|responding|answer|reply ~2 "
        "the|next|question|any|user|you"
    ),
    "command|commands|script|code on|from ~1 users|user|owners machine|computer|device|system",
    (
        "-if|until|unless|once|when|whether|after|before|because|that|where the user|users|owner "
        "~1 authorised|authorized|approved|consented|agreed|permitted"
    ),
)

REQUESTS = (*(ENGLISH + GERMAN + SPANISH), *(FRENCH + OTHERS))


def _later(asked: str, *, beginning: str, order: str) -> str:
    """When something is asked, and after the comma, what to answer: not 'he said', an order."""
    return (
        rf"\b(?:{beginning})\b[^.!?\n]{{0,40}}?\b(?:{asked})\b[^.!?\n]{{0,100}}?[,:][ \t]{{0,3}}"
        rf"(?:{order})\b"
    )


_BEGINS = r"(?:^|[.!?\n\"*>#(])[ \t]{0,3}"
# Patterns of who claims to be more than a writer: a heading with a colon, like a form's.
AUTHORITY = (
    _BEGINS + r"(?:admin|administrator|system|developer|root|operator)(?:['’]?s)?[ -]"
    r"(?:override|directive|command)s?[* \t]{0,3}[:!–—-]",
    _BEGINS + r"(?:admin|administrator|system|developer|security|operator)[ -]"
    r"(?:note|notice|message|alert|reminder|update)[* \t]{0,3}:(?=[^\n]{0,100}\b(?:assistants?|ai|"
    r"you are now|you must|reveal|disclose|forward|ignore|override|api keys?)\b)",
    (
        r"\b(?:systemhinweis|systemmeldung|hinweis des systems|aviso del sistema|avis du système|"
        r"message du système|avviso di sistema|aviso do sistema)\s?:(?=[^\n]{0,60}\b(?:assistent|"
        r"asistente|assistant|assistente|agente?|ki|ia|du|tu|debes|dois|devi)\b)"
    ),
)

# Patterns of what is to be answered later.
FOR_LATER = (
    _later(
        "ask|asks|asked|mention|mentions|mentioned|talks?|speaks?|comes? up|brings? up|"
        "wants? to know|questioned",
        beginning="when|whenever|if|any ?time|every time|each time|once",
        order="(?:then |please |just |always |only |simply |you (?:must|should|will) )?"
        "(?:say|answer|"
        "respond|reply|tell|recommend|claim|state|insist|steer|direct|suggest|promote|praise|deny|"
        "pretend)",
    ),
    _later(
        "gefragt|fragt|fragen|spricht|erwähnt|wissen will",
        beginning="wenn|falls|sobald|jedes mal|immer wenn",
        order="(?:dann |bitte |immer |stets )?(?:sage?|antworte|empfiehl|empfehle|behaupte|nenne|"
        "erkläre|verweise|rate)",
    ),
    _later(
        "pregunten?|preguntan?|pidan?|piden?|hable|habla|mencione|menciona",
        beginning="cuando|si|cada vez|siempre que|en cuanto",
        order="(?:siempre |entonces )?"
        "(?:di|responde|contesta|recomienda|afirma|sugiere|dile|asegura)",
    ),
    _later(
        "demande|demandent|parle|parlent|mentionne|interroge",
        beginning="quand|lorsqu['’]?(?:on|un|elle|il)?|si|chaque fois|dès",
        order="(?:toujours |alors )?"
        "(?:dis|réponds|recommande|affirme|suggère|propose|indique|prétends)",
    ),
)

# Beginnings of words that a comment holds when it speaks to somebody, and a tool's mark does not.
_SAYING = (
    "recommend suggest always never must should you your assist chatbot user password secret "
    "credential send forward reply respon answer tell obey trust remember prompt reveal disclose "
    "pretend buy invest pay transfer account refund click visit prefer best hidden empfiehl "
    "empfehl immer niemals musst sollst antwort nutzer passw vertrau merke sende schick verrate "
    "konto zahl siempre nunca debes usuario contras clave env responde confía cuenta pag recomiend "
    "toujours jamais dois devez utilisateur réponds envoie compte mot confiance sempre mai devi "
    "utente rispondi consiglia conto você deve senha usuári altijd nooit gebruiker wachtwoord"
)
SAYING = tuple(_SAYING.split())
