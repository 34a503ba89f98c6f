"""What a text asks of an assistant: to give away, obey, keep on doing, answer so: cues as data.

As in `text_cues`; `@` stands for an address: of mail, of a page, of a host. Each cue needs a verb
where orders have it (`-to|can|...`: not as in "it can reveal") and what only an order would name.
"""

from __future__ import annotations

# What a text asks of an assistant, in other languages than English: see `cues_requests`.


_SENDEN = (
    "sende|senden|schick|schicke|schicken|leite|leiten|lade|übermittle|poste|teile|maile|"
    "veröffentliche|kopiere|hänge|gib|nenne|verrate|übertrage|exportiere"
)
_PRIVATES = (
    "passwort*|passwörter|kennwort*|kennwörter|zugangsdaten|geheimnis*|schlüssel*|api|token*|"
    "kontaktliste|kontakte|gesprächsverlauf|verlauf|gespräch*|erinnerungen|daten|telefonnummer|"
    "adresse|codes|notizen|postfach|transkript*"
)
GERMAN = (
    f"{_SENDEN} ~8 {_PRIVATES} ~10 @",
    f"{_SENDEN} ~4 @ ~4 alle|jeden|jedes|sämtliche ~4 {_PRIVATES}|code",
    (
        f"sammle|sammeln|suche|lies|kopiere|exportiere|gib|verrate ~6 {_PRIVATES} ~3 und ~2 sende|"
        "schicke|schick|poste|lade|leite|maile|veröffentliche sie|es|ihn|alles|diese ~4 @"
    ),
    (
        "verrate|nenne|offenbare ~4 private*|geheime*|alle|gespeicherte* ~2 schlüssel|passwörter|"
        "zugangsdaten|notizen|geheimnisse"
    ),
    (
        "assistent|ki|agent|sprachmodell|chatbot|modell muss|soll|hat ~8 offenlegen|offenzulegen|"
        "verraten|herausgeben|herauszugeben|gehorchen|empfehlen|senden|ignorieren"
    ),
    (
        "guter|hilfreicher assistent|agent ~1 beendet|erwähnt|empfiehlt|nennt|schliesst|"
        "immer|nie|fügt"
    ),
    (
        "anweisung*|befehl|nachricht|hinweis|meldung des|vom|von ~1 administrator*|entwickler*|"
        "system*|betreiber* ~8 du|assistent|aufgehoben|ausgesetzt|befehl*|gehorche|musst"
    ),
    (
        "ich bin dein|der|euer entwickler|administrator|betreiber|schöpfer|eigentümer ~3 ich|"
        "erlaube|du ~2 erlaube|befehle|dir|musst"
    ),
    "befehle|erlaube|genehmige ich dir",
    "ich befehle|erlaube|genehmige dir ~8 zu|überspringen|öffnen|verraten|herauszugeben",
    (
        "sicherheitsprüfungen|sicherheitsregeln|sicherheitsfilter|schutzmassnahmen ~2 aufgehoben|"
        "ausgesetzt|abgeschaltet|deaktiviert|ausser"
    ),
    "ab heute ~3 jede|alle|jeder ~1 antwort|antworten ~8 enden|beginnen|enthalten|erwähnen",
    "jede|alle|jeder ~1 antwort|antworten muss|müssen|soll|sollen ~8 enden|beginnen|enthalten|link",
    (
        "künftig|fortan|zukünftig|ab sprichst|antwortest|nennst|empfiehlst|erwähnst|lobst|sagst|"
        "antworte|nenne|erwähne|empfiehl"
    ),
    (
        "in allen|jedem|jeder künftigen|weiteren|zukünftigen|folgenden gesprächen|gespräch|"
        "antworten|antwort|unterhaltungen"
    ),
    "merke|merk|speichere dir dauerhaft|immer|für",
    "als ~1 vertrauenswürdige|verlässliche|verifizierte quelle ~3 ziehe|bevorzuge|nutze|nimm",
    "behandle|betrachte ~3 als ~1 vertrauenswürdig*|verifiziert*|verlässlich*",
    "empfiehl|empfehlt jedem|allen|jeder ~1 der|die|das|nutzern|kunden",
    "schlage|schlag|nenne|empfiehl|erwähne keine|keinen|kein andere|anderen|anderes ~4 als|ausser",
    (
        "lösche|lösch|vernichte diese|diesen|dieses ~1 nachricht|notiz|text|anweisung* "
        "nach|sobald|wenn"
    ),
    "erwähne|nenne|zitiere sie|es|das|dies|ihn ~4 antwort|antworten ~1 nicht|nie|niemals",
    "besitzer|nutzer|benutzer|eigentümer ~4 darf|soll nichts|nicht|nie ~3 erfahren|wissen|merken",
    "ohne ~2 nutzer|benutzer|anwender|besitzer um ~1 bestätigung|erlaubnis|zustimmung",
    "führe|führ ~2 befehl|befehle|code|skript ~6 nutzers|benutzers|besitzers",
    (
        "rufe|ruf|benutze|nutze ~1 überweisungswerkzeug|überweisungstool|zahlungswerkzeug|"
        "mailwerkzeug|werkzeug|tool ~3 mit"
    ),
    "nutzer|benutzer|besitzer hat ~8 zugestimmt|genehmigt|autorisiert|eingewilligt|freigegeben",
)


def _with_it(*verbs: str) -> str:
    """Spanish orders, also with what is joined to them: 'envía', 'envíalas'."""
    joined = ("", "la", "las", "lo", "los", "le", "les", "me", "selo", "sela", "selos", "selas")
    return "|".join(verb + it for verb in verbs for it in joined)


_ENVIAR = _with_it(
    "envía", "envia", "manda", "mánda", "reenvía", "reenvia", "sube", "publica", "publíca",
    "comparte", "compárte", "revela", "entrega", "copia", "adjunta", "añade", "exporta",
)  # fmt: skip
_PRIVADO = (
    "contraseña*|credencial*|clave|claves|secretos|token*|contactos|historial|conversación|"
    "conversaciones|memorias|datos|notas|código|códigos|teléfono|dirección|archivos|cookies"
)
SPANISH = (
    f"{_ENVIAR} ~8 {_PRIVADO} ~10 @",
    f"{_ENVIAR} ~4 @ ~4 todo|todos|todas|cualquier|cada ~4 {_PRIVADO}",
    (f"reúne|reune|recoge|busca|lee|copia|revela|extrae ~6 {_PRIVADO} ~4 y ~1 {_ENVIAR} ~4 @"),
    (
        "revela|divulga|entrega|muestra ~3 claves|clave|contraseñas|credenciales|notas|secretos "
        "~3 privadas|api|ocultas|guardadas|almacenadas|secretas|usuario"
    ),
    (
        "asistente|agente|ia|modelo|chatbot debe|deberá|tiene|ha ~2 revelar|divulgar|entregar|"
        "obedecer|ignorar|recomendar|enviar|compartir"
    ),
    "buen|buena asistente|agente ~1 termina|menciona|recomienda|añade|siempre|nunca|incluye",
    (
        "orden|mensaje|aviso|instrucción|instrucciones del administrador|desarrollador|sistema|"
        "operador ~8 debe|debes|asistente|suspendidas|suspendidos|permiso|autorizado"
    ),
    "soy tu|el desarrollador|creador|administrador|operador|dueño ~2 te|debes|ordeno|autorizo",
    "te ordeno|autorizo ~1 a|que|abrir|revelar|saltarte|enviar|entregar|ignorar",
    (
        "suspendidas|suspendidos|desactivadas|desactivados|anuladas ~2 comprobaciones|controles|"
        "medidas|restricciones|filtros ~1 seguridad"
    ),
    "a partir de hoy ~3 cada|toda|todas|siempre|nunca|debes|responde|recomienda",
    "en adelante ~1 siempre|nunca|llama|responde|recomienda|menciona|elogia",
    (
        "cada|toda|todas ~1 respuesta|respuestas debe|deben|tiene|tienen ~1 terminar|empezar|"
        "incluir|contener|mencionar"
    ),
    (
        "en todas|cada ~1 conversaciones|conversación|respuestas|respuesta ~1 futuras|futura|"
        "siguientes ~1 menciona|di|recomienda|incluye|añade"
    ),
    "recuerda|memoriza|guarda para siempre|permanentemente",
    "recomienda|recomiende|promociona|elogia ~3 a ~1 todo|todos|todas|cualquiera|usuarios|quien",
    "trata|considera ~3 como ~1 fuente ~1 confianza|fiable|oficial|verificada|confiable",
    "no|nunca sugieras|recomiendes|menciones|propongas ningún|ninguna|ningun|otra|otro ~6 sea|que",
    "borra|elimina|destruye este|esta|estas ~1 mensaje|nota|instrucciones|texto después|al|tras",
    "no|nunca ~1 menciones|cites|repitas ~2 en ~1 respuesta|respuestas",
    "dueño|usuario|propietario ~3 no|nunca ~1 debe|puede|ha ~1 enterarse|saber|saberlo|notar",
    "sin pedir ~1 confirmación|permiso|autorización ~2 usuario|dueño",
    "ejecuta|ejecute|corre ~4 comando|código|script ~5 usuario|dueño",
    "llama|usa|invoca ~2 herramienta ~2 transferencia|pago|correo|envío ~1 con|para",
    "-si|que|cuando|hasta el usuario ~1 autorizó|aprobó|consintió|aceptó|permitió",
    "usuario ha autorizado|aprobado|consentido|aceptado|permitido",
)

_ENVOYER = (
    "envoie|envoyez|transfère|transférez|transmets|transmettez|poste|publie|publiez|téléverse|"
    "téléversez|partage|partagez|révèle|révélez|copie|copiez|ajoute|joins|exporte|divulgue"
)
_PRIVE = (
    "passe|identifiants|identifiant|clé|clés|secrets|jetons|contacts|historique|conversation|"
    "conversations|souvenirs|données|notes|code|codes|téléphone|adresse|fichiers|cookies"
)
FRENCH = (
    f"{_ENVOYER} ~8 {_PRIVE} ~10 @",
    f"{_ENVOYER} ~4 @ ~4 tout|tous|toute|toutes|chaque ~4 {_PRIVE}",
    (f"rassemble|rassemblez|cherche|lis|copie|révèle|extrais ~6 {_PRIVE} ~4 et ~1 {_ENVOYER} ~5 @"),
    (
        "révèle|révélez|divulgue|livre|montre ~3 clés|identifiants|notes|secrets|mots ~3 privées|"
        "api|cachées|enregistrés|secrètes|passe"
    ),
    (
        "assistant|agent|ia|modèle|chatbot doit|devra ~2 révéler|divulguer|livrer|obéir|ignorer|"
        "recommander|envoyer|partager"
    ),
    "bon|bonne assistant|agent ~1 termine|mentionne|recommande|ajoute|toujours|inclut",
    (
        "ordre|message|avis|instruction|instructions de|du|administrateur|système|développeur ~2 "
        "administrateur|système|développeur|toutes|assistant ~8 suspendues|suspendus|doit|dois|"
        "levées|assistant|autorisé"
    ),
    "je suis ton|votre|le développeur|créateur|administrateur|opérateur ~3 autorise|ordonne|dois",
    "je ordonne|autorise|commande ~1 de|à ouvrir|sauter|révéler|envoyer|ignorer|livrer",
    "je ordonne|autorise ouvrir|à|de",
    (
        "vérifications|contrôles|mesures|restrictions|filtres ~1 sécurité ~2 "
        "suspendues|suspendus|levées"
    ),
    "à partir de aujourdhui|aujourd|maintenant ~3 chaque|toute|toutes|tu|vous|toujours",
    "à partir aujourdhui|hui ~2 chaque|toute|toutes|tu|vous|toujours",
    "dorénavant|désormais ~1 appelle|appelez|réponds|recommande|mentionne|vante|dis|toujours",
    (
        "chaque|toute|toutes ~1 réponse|réponses doit|doivent ~3 terminer|finir|commencer|"
        "contenir|mentionner|inclure"
    ),
    (
        "dans toutes|chaque ~1 conversations|conversation|réponses|réponse ~1 futures|future|"
        "suivantes|venir ~1 mentionne|dis|recommande|ajoute|inclus"
    ),
    "retiens|mémorise|souviens|garde ~1 pour toujours",
    "-je|nous|on|et recommande|recommandez|vante ~3 à ~1 tous|tout|chaque|quiconque ~1 ceux|qui",
    (
        "considère|considérez|traite|traitez ~3 comme ~1 source ~1 "
        "confiance|fiable|vérifiée|officielle"
    ),
    "ne propose|recommande|mentionne|suggère|cite aucune|aucun autre ~4 que|sauf",
    "efface|supprime|effacez|détruis ce|cette|ces ~1 message|note|instructions|texte après|une",
    "ne ~1 mentionne|cite|répète ~1 pas|jamais ~2 réponse|réponses",
    "propriétaire|utilisateur ~3 ne ~1 doit|peut ~1 rien|pas|jamais ~1 savoir|apprendre|voir",
    "sans demander ~1 confirmation|permission|autorisation ~2 utilisateur|propriétaire",
    "exécute|exécutez|lance ~4 commande|code|script ~6 utilisateur|propriétaire",
    "appelle|utilise|invoque ~1 outil ~2 virement|paiement|transfert|messagerie ~1 avec|pour",
    "utilisateur a autorisé|approuvé|consenti|accepté|permis",
)

OTHERS = (
    "invia|inoltra|pubblica|carica|rivela ~8 password|credenziali|chiavi|contatti|cronologia ~8 @",
    "da oggi ogni risposta deve",
    "consiglia|raccomanda ~3 a tutti ~1 gli|coloro|quelli",
    (
        "envie|encaminhe|publique|revele|compartilhe ~8 "
        "senha*|credenciais|chaves|contatos|histórico ~8 @"
    ),
    "a partir de hoje ~2 toda|todas|cada resposta|respostas",
    "recomende ~3 a todos ~1 os|que|quem",
    "stuur|verstuur|plaats|deel|onthul ~8 wachtwoord*|inloggegevens|sleutels|contacten ~8 @",
    "отправь|отправьте|перешли|перешлите|опубликуй ~8 парол*|ключи|данные|контакты|переписку ~8 @",
)


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
