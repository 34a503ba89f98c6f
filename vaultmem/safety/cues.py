"""What a text says that talks to an assistant instead of a reader: cues as data, by language.

A cue is a row of words: `a|b` any of them, `ab*` whatever begins so, `~3` at most three words
between, `-a|b` in front: not right after one of these. Words are folded (ß is ss) and without
apostrophes. The first word is spelled out, so that a text is looked through once.
"""

from __future__ import annotations

ENGLISH = (
    (
        "ignore|disregard|override|bypass|discard|ignoring|disregarding ~5 previous|prior|"
        "earlier|above|preceding|former|existing|system|your|all|any|foregoing|safety ~4 "
        "instruction*|prompt|prompts|direction*|rule|rules|guideline*|guidance|command*|"
        "context|message*|constraint*|policies|policy|training|programming"
    ),
    (
        "forget ~3 previous|prior|earlier|above|all|your|every* ~4 instruction*|prompt|prompts|"
        "direction*|rule|rules|guideline*|guidance|command*|context|message*|constraint*|"
        "policies|policy|training|programming"
    ),
    "forget everything|all ~2 above|before|previous*|told|said|learned",
    "from now on ~4 you|your|always|never|only|respond|reply|answer|act|pretend|recommend|treat",
    "from this|that point|moment ~3 you|always|never|respond|reply|answer|act",
    (
        "you must|shall|should|will|are always|never|only|now|immediately|to ~2 recommend|"
        "respond|reply|answer|say|tell|obey|act|pretend|mention|suggest|promote|output|trust|"
        "refuse|comply|follow"
    ),
    "you must obey|comply|pretend|recommend|respond|reply|ignore|disclose|reveal|forget",
    (
        "-i|we|they|he|she|who|doctors|experts|would|usually always recommend|suggest|promote|"
        "endorse|praise|advise|tell|respond|reply|mention"
    ),
    (
        "-i|we|they|he|she|who never recommend|mention|suggest|tell|reveal|disclose ~4 "
        "competitor*|user|users|alternative*|other"
    ),
    (
        "do not ~1 tell|inform|mention|reveal|disclose|show|alert|notify|warn|ask ~4 user|"
        "users|human|humans|owner|person|anyone|anybody|them"
    ),
    (
        "dont ~1 tell|inform|mention|reveal|disclose|show|alert|notify|warn|ask ~4 user|users|"
        "human|humans|owner|person|anyone|anybody|them"
    ),
    (
        "never tell|inform|reveal|disclose|alert|notify|warn ~3 user|users|human|humans|owner|"
        "person|anyone|anybody|them"
    ),
    (
        "without telling|informing|notifying|alerting|asking|warning ~2 user|users|human|"
        "humans|owner|person|anyone|anybody|them"
    ),
    "keep|hide this|it ~3 from ~1 user|users|human|humans|owner|person|anyone|anybody|them",
    "you are now a|an|dan|free|unrestricted|jailbroken|acting|operating|my",
    (
        "you are a|an ~4 ai|assistant|assistants|llm|llms|agent|agents|chatbot|bot|gpt|chatgpt|"
        "claude|copilot|gemini|model"
    ),
    "developer|debug|admin|god|dan|jailbreak mode enabled|activated|on|active",
    (
        "your new|only|real|true|actual|updated|secret ~1 instruction*|task|role|goal|mission|"
        "purpose|persona|identity|rule|rules|directive*|objective"
    ),
    (
        "new|updated|important|hidden|secret|special instruction*|directive*|order|orders for|"
        "to ~3 ai|assistant|assistants|llm|llms|agent|agents|chatbot|bot|gpt|chatgpt|claude|"
        "copilot|gemini|you|model"
    ),
    (
        "note|attention|message|instruction*|memo to|for ~2 ai|assistant|assistants|llm|llms|"
        "agent|agents|chatbot|bot|gpt|chatgpt|claude|copilot|gemini"
    ),
    (
        "attention ~1 ai|assistant|assistants|llm|llms|agent|agents|chatbot|bot|gpt|chatgpt|"
        "claude|copilot|gemini"
    ),
    (
        "if you are a|an ~3 ai|assistant|assistants|llm|llms|agent|agents|chatbot|bot|gpt|"
        "chatgpt|claude|copilot|gemini|language|model"
    ),
    "as an ai|llm|assistant ~3 you must|should|will|shall|always",
    "pretend ~3 you are|were|have|to",
    "act|behave|respond as if|though you",
    (
        "act as a|an|my|the ~4 ai|assistant|assistants|llm|llms|agent|agents|chatbot|bot|gpt|"
        "chatgpt|claude|copilot|gemini|terminal|shell|dan"
    ),
    (
        "reveal|print|repeat|show|output|leak|display|give ~4 system|initial|hidden|secret ~1 "
        "prompt|prompts|instruction*|message"
    ),
    (
        "save|store|add|write|commit|record|keep ~6 to|in|into ~1 your|long|longterm|"
        "persistent ~2 memory|memories"
    ),
    "update|change|rewrite|overwrite your ~2 memory|memories|beliefs|instructions|profile|rules",
    "the user has|had ~2 approved|authorized|authorised|agreed|consented|confirmed|permitted",
    (
        "send|post|forward|upload|email|transmit|exfiltrate|leak ~5 conversation|chat|history|"
        "password|passwords|credentials|secrets|tokens|memories|contacts|files ~4 to|at|via"
    ),
)

GERMAN = (
    (
        "ignoriere|ignorier|ignorieren|vergiss|vergesse|vergessen|missachte|missachten|verwirf|"
        "überschreibe|umgehe ~5 vorherige*|bisherige*|vorige*|obige*|frühere*|alle|allen|"
        "sämtliche|deine|vorangegangene*|bestehende* ~4 anweisung*|instruktion*|regel|regeln|"
        "vorgabe*|prompt*|befehl*|richtlinie*|kontext"
    ),
    (
        "ab jetzt|sofort|nun ~3 musst|sollst|wirst|bist|antworte|antwortest|empfiehl|"
        "empfiehlst|empfehle|sag|sage"
    ),
    "von jetzt|nun an ~3 musst|sollst|wirst|bist|antworte|antwortest|empfiehl|empfiehlst|sage",
    (
        "du|sie musst|müssen|sollst|sollen|darfst ~2 immer|stets|niemals|nie|nur ~5 empfehlen|"
        "antworten|sagen|erwähnen|nennen|vorschlagen|gehorchen|verraten"
    ),
    "empfiehl|empfehle|empfehlen immer|stets|ausschliesslich|nur|grundsätzlich",
    "-ich|wir immer|stets ~4 empfiehl|empfehlen|empfehle",
    (
        "sag|sage|erzähl|erzähle|verrate|verrat|teile|teil|informiere|erwähne|melde ~4 nutzer|"
        "benutzer|anwender|user|nutzerin|menschen|besitzer ~4 nicht|nichts|niemals|nie"
    ),
    (
        "ohne ~3 nutzer|benutzer|anwender|user|besitzer ~4 informieren|fragen|sagen|"
        "mitzuteilen|wissen"
    ),
    "du bist jetzt|nun|ab ~2 ein|eine|kein|keine|der|die",
    "du bist ein|eine ~3 assistent|assistentin|ki|agent|sprachmodell|chatbot",
    "deine neue|neuen|wahre|eigentliche|geheime ~1 aufgabe|anweisung*|rolle|identität|regel*",
    "verhalte dich ~1 als|wie",
    "tu|tue so als",
    "wenn du ein|eine ~3 ki|assistent|sprachmodell|agent|llm|modell",
    "hinweis|nachricht|anweisung* an|für ~2 ki|assistenten|assistent|sprachmodell*|agenten|llm",
    "zeige|zeig|verrate|gib|nenne ~4 systemprompt|systemanweisung*|systemnachricht",
    "speichere|speicher|merke|merk|schreibe ~6 gedächtnis|langzeitgedächtnis",
    (
        "sende|sende|schicke|schick|leite|übermittle ~6 passwort*|passwörter|gespräch*|verlauf|"
        "zugangsdaten|erinnerungen ~4 an|nach"
    ),
)

SPANISH = (
    (
        "ignora|ignore|ignorad|ignorar|olvida|olvide|olvidad|descarta|omite|desobedece ~4 "
        "instruccion*|reglas|indicaciones|órdenes|ordenes|directrices|mensajes|contexto|"
        "prompt* ~2 anterior|anteriores|previa|previas|previos|existentes|arriba|sistema"
    ),
    (
        "ignora|ignore|olvida|olvide|descarta ~1 todas|todos|tus|las|sus ~3 instruccion*|"
        "reglas|indicaciones|órdenes|directrices"
    ),
    (
        "a partir de ahora ~3 debes|debe|tienes|responde|recomienda|recomiendas|eres|actúa|"
        "actua|siempre|nunca"
    ),
    "de ahora en adelante ~3 debes|debe|tienes|responde|recomienda|eres|actúa|siempre|nunca",
    "desde ahora ~3 debes|tienes|responde|recomienda|eres|actúa",
    "debes|debe|deberás|tienes ~2 siempre|nunca ~2 recomendar|responder|decir|mencionar|sugerir",
    "-yo|nosotros siempre recomienda|recomiende|sugiere|menciona",
    "recomienda|recomiende|sugiere siempre",
    (
        "no|nunca ~3 digas|diga|informes|informe|menciones|reveles|revele|cuentes|avises ~3 "
        "usuario|usuaria|usuarios|humano|dueño"
    ),
    "sin ~1 informar|avisar|decir|decirle|preguntar|notificar ~3 usuario|usuaria|humano|dueño",
    "ahora eres un|una|mi",
    "eres un|una ~3 asistente|agente|ia|modelo|chatbot",
    (
        "tu|tus nueva|nuevas|nuevo|verdadera|verdadero ~1 tarea|instruccion*|rol|identidad|"
        "misión|reglas"
    ),
    "actúa|actua|compórtate como si|un|una",
    "finge ~2 que|ser",
    "si eres un|una ~3 ia|asistente|modelo|agente",
    "muestra|revela|imprime|repite ~4 prompt|instrucciones ~2 sistema|sistema",
    "guarda|almacena|añade ~6 memoria",
    (
        "envía|envia|manda|reenvía ~6 contraseña*|conversación|historial|credenciales|memorias "
        "~4 a|al"
    ),
)

FRENCH = (
    (
        "ignore|ignorez|ignorer|oublie|oubliez|oublier ~4 instruction*|consignes|règles|"
        "directives|messages|contexte ~2 précédent*|antérieur*|ci"
    ),
    "ignore|ignorez|oublie|oubliez toutes|tous|tes|vos ~3 instruction*|consignes|règles",
    "désormais ~3 tu|vous|réponds|recommande",
    "à partir de maintenant ~3 tu|vous|réponds|recommande",
    "tu|vous dois|devez ~2 toujours|jamais ~2 recommander|répondre|dire|mentionner",
    "-je|nous recommande|recommandez toujours",
    "ne ~3 dis|dites|informe|informez|révèle|révélez|mentionne ~4 utilisateur|utilisatrice",
    "sans ~2 informer|prévenir|dire|demander ~4 utilisateur|utilisatrice",
    "tu|vous es|êtes maintenant|désormais un|une",
    "tu|vous es|êtes un|une ~3 assistant|ia|agent|modèle|chatbot",
    "si tu|vous es|êtes un|une ~3 ia|assistant|modèle|agent",
)

ITALIAN = (
    (
        "ignora|ignorate|ignorare|dimentica|dimenticate ~4 istruzioni|regole|indicazioni|"
        "direttive ~2 precedenti|precedente|sopra"
    ),
    "ignora|dimentica tutte|tutti|le|tue ~3 istruzioni|regole",
    "da ora in poi ~3 devi|rispondi|consiglia|sei|sempre",
    "d|da ora innanzi|poi ~3 devi|rispondi|consiglia|sei",
    "devi sempre|mai ~2 consigliare|rispondere|dire|menzionare",
    "non ~3 dire|dirlo|informare|rivelare|menzionare ~4 utente|utenti",
    "senza ~2 informare|avvisare|dire|chiedere ~4 utente",
    "ora sei un|una|il",
    "sei un|una ~3 assistente|ia|agente|modello|chatbot",
)

PORTUGUESE = (
    (
        "ignore|ignora|ignorar|esqueça|esquece|desconsidere ~4 instruções|regras|orientações|"
        "diretrizes ~2 anterior|anteriores|acima|prévias"
    ),
    "ignore|esqueça todas|todos|as|suas ~3 instruções|regras",
    "a partir de agora ~3 você|deve|responda|recomende|sempre",
    "de agora em diante ~3 você|deve|responda|recomende|sempre",
    "você deve|precisa sempre|nunca ~2 recomendar|responder|dizer|mencionar",
    "-eu|nós sempre recomende|sugira",
    "não ~3 diga|conte|informe|revele|mencione ~4 usuário|utilizador",
    "sem ~2 informar|avisar|dizer|perguntar ~4 usuário|utilizador",
    "agora você é ~1 um|uma",
    "você é um|uma ~3 assistente|ia|agente|modelo|chatbot",
)

DUTCH = (
    (
        "negeer|vergeet ~5 vorige|eerdere|bovenstaande|alle|je ~4 instructie*|regels|opdracht*|"
        "prompt*"
    ),
    "vanaf nu ~3 moet|ben|antwoord|beveel",
    "vertel ~3 gebruiker ~3 niet|niets|nooit",
    "zonder ~3 gebruiker ~3 informeren|vragen|vertellen|weten",
    "je bent nu een|de",
    "je bent een ~3 assistent|ai|agent|taalmodel|chatbot",
)

RUSSIAN = (
    (
        "игнорируй|игнорируйте|забудь|забудьте|отбрось ~4 предыдущие|прежние|все|вышеуказанные|"
        "свои ~3 инструкции|указания|правила|команды|сообщения"
    ),
    "отныне ~1 ты|вы",
    "с этого момента ~3 ты|вы|всегда|отвечай",
    "всегда рекомендуй|рекомендуйте|советуй",
    "не говори|говорите|сообщай|сообщайте|рассказывай ~3 пользователю|пользователям",
    "ты|вы теперь ~2 ассистент|модель|агент|бот",
)

CUES = (
    *(ENGLISH + GERMAN + SPANISH),
    *(FRENCH + ITALIAN + PORTUGUESE + DUTCH + RUSSIAN),
)

# Languages without spaces between words: what is looked for as it stands.
PHRASES = (
    *(
        "忽略之前的",
        "忽略以上",
        "忽略所有",
        "忽略先前",
        "无视之前",
        "无视以上",
        "忘记之前的",
        "忽略前面",
    ),
    *(
        "不要告诉用户",
        "别告诉用户",
        "不要让用户知道",
        "从现在开始，你",
        "从现在起你",
        "你现在是一个",
    ),
    *(
        "你必须始终",
        "总是推荐",
        "始终推荐",
        "你是一个人工智能",
        "忽略之前",
        "無視之前",
        "忽略先前的",
    ),
    *(
        "以前の指示を無視",
        "これまでの指示を無視",
        "上記の指示を無視",
        "前の指示を無視",
        "指示を忘れて",
    ),
    *("ユーザーに言わない", "ユーザーには言わない", "ユーザーに知らせない", "ユーザーに教えない"),
    *("今からあなたは", "これからあなたは", "必ず推奨して", "常に推奨して"),
    *(
        "이전 지시를 무시",
        "이전의 모든 지시",
        "사용자에게 말하지",
        "지금부터 당신은",
        "지금부터 너는",
    ),
)
