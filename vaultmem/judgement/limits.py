"""Forms of hard limits, by which a sentence is critical whatever its words weigh.

The models know illnesses, medicines and allergies by their words (`stakes`); a limit is known by
its form: nobody goes in alone, it must work without a network, no calls before nine, call my
sister if anything happens, the doctor has forbidden it. Seven languages. Of the 3,555 sentences of
the corpus that are not critical, these mark 2 more (35, was 33). Pure.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.judgement.features import Tokens

_NOT_STATED = frozenset(("maybe", "say", "thank"))  # but "please" stands before calls, too
_LONGEST = 40  # words: beyond it the parts of a form need not belong together
_QUOTED = Needing(r"[\"“”„«»]", 0, '"“”„«»')

_NOBODY = (
    r"\b(?:nobody|no[ -]?one|never|niemand|keiner|nie(?:mals)?|nadie|nunca|jamás|jamais|personne"
    r"|nessuno|mai|nooit|ninguém|não)\b"
)
_UNSAFE = (
    r"\b(?:without (?:a |an |the |their |your |my )?(?:harness|helmet|hard hat|goggles|guard|mask"
    r"|respirator|lifeline|life ?jacket|spotter|second (?:man|person)|supervision|gas meter"
    r"|ear protection|gloves)"
    r"|ohne (?:gurt|helm|maske|atemschutz|schutzbrille|brille|aufsicht|sicherung|schutz\w*"
    r"|schwimmweste|zweiten mann)"
    r"|sin (?:arnés|casco|guantes|gafas|mascarilla|protección|supervisión|chaleco)"
    r"|sans (?:harnais|casque|gants|lunettes|masque|protection|surveillance|gilet)"
    r"|senza (?:imbrac\w+|casco|guanti|occhiali|maschera|protezion\w+|sorveglianza)"
    r"|zonder (?:harnas|helm|toezicht|bril|masker|handschoenen|zwemvest)"
    r"|sem (?:arnês|capacete|luvas|óculos|máscara|proteção|supervisão|colete))\b"
)
_ALONE = (
    r"\b(?:alone|by (?:himself|herself|themselves|yourself|myself)|allein(?:e)?|sol[oa]s?"
    r"|seule?s?|da sol[oi]|alleen|sozinh[oa]s?|unsupervised|unattended|unbeaufsichtigt)\b"
)
_DANGER = (
    r"(?:\bweld\w*|\btanks?\b|\bsilos?\b|\broof\w*|\bscaffold\w*|\bladders?\b|\bshafts?\b|\bsaws?\b"
    r"|\b(?:chain|circular|table|band)saw\w*|\bpress\b|\blathes?\b|\bvats?\b|\bpits?\b|\bmines?\b"
    r"|\bsewer\w*|\bbath\w*|\bpool\b|\bstove\b|\bdives?\b|\bkiln\w*|\bfurnace\w*|\bhigh[- ]voltage"
    r"|\bswim\w*|\bwater\b|schweiß\w*|\btank\w*|\bgrube\w*|\bschacht\w*|\bdach\b|gerüst\w*"
    r"|\bleiter\b"
    r"|säge\w*|presse\b|badewanne|\bherd\b|hochspannung|soldar|soldad\w+|tejado|andamio\w*|escalera"
    r"|pozo|zanja|cuba|prensa|sierra|piscina|bañera|soud\w+|\btoit\w*|échafaud\w*|échelle|cuve\w*"
    r"|puits|fosse|piscine|baignoire|\bscie\b|sald\w+|tetto|ponteggi\w*|\bscala\b|cisterna|pozzo"
    r"|vasca|\bsega\b|lass\w+|\bdak\b|steiger\w*|ladder|\bput\b|zaag\w*|telhado|andaime\w*|escada"
    r"|poço|serra\b|piscina|banheira)"
)
_WORK = Needing(
    rf"{_NOBODY}.{{0,60}}{_UNSAFE}|{_UNSAFE}.{{0,40}}{_NOBODY}"
    rf"|(?=.*{_DANGER})(?:{_NOBODY}.{{0,50}}{_ALONE}|{_ALONE}.{{0,50}}{_NOBODY})",
    re.IGNORECASE,
    (
        "alone",
        "by h",
        "by t",
        "by y",
        "by m",
        "allein",
        "solo",
        "sola",
        "da soli",
        "seul",
        "alleen",
        "sozinh",
        "unsuper",
        "unattend",
        "unbeauf",
        "without",
        "ohne",
        "sin ",
        "sans",
        "senza",
        "zonder",
        "sem ",
    ),
    # 'cousin ' has a 'sin '; the pattern takes 5 ms to compile.
    (
        *("nobody", "no one", "no-one", "noone", "never", "niemand", "keiner", "nie", "nadie"),
        *("nunca", "jamás", "jamais", "personne", "nessuno", "mai", "nooit", "ninguém", "não"),
    ),
)
_EMERGENCY = Needing(
    r"\b(?:in (?:an|case of(?: an)?) emergency|emergency contact|next of kin|if (?:anything"
    r"|something)"
    r" (?:ever )?happens to me|im notfall|notfallkontakt|(?:falls|wenn) mir (?:et)?was (?:passiert"
    r"|zustößt)|en caso de (?:emergencia|urgencia)|contacto de emergencia|si me (?:pasa"
    r"|ocurre) algo"
    r"|en cas d'urgence|personne à prévenir|s'il m'arrive quelque chose|in caso di (?:emergenza"
    r"|urgenza)|se mi succede qualcosa|in geval van nood|bij nood|als mij iets overkomt"
    r"|em caso de emergência|contacto de emergência|se me acontecer)\b"
    r"(?=.*(?:\d{5}|\d{3,4}[ -]\d{3}|\b(?:call|ring|phone|contact|is|anrufen|ruf\w*|ist|llam\w+|es"
    r"|avis\w+|appel\w+|prévenir|prévenez|c'est|chiam\w+|avvis\w+|bel|bellen|lig\w+|avis\w+)\b))",
    re.IGNORECASE,
    (
        "emerg",
        "next of kin",
        "happens to me",
        "notfall",
        "passiert",
        "zustößt",
        "urgenc",
        "urgenz",
        "algo",
        "prévenir",
        "arrive quelque",
        "qualcosa",
        "nood",
        "overkomt",
        "acontecer",
    ),
)
_HOUR = (
    r"(?:the )?(?:\d|half|eight|nine|ten|eleven|noon|seven|six|five|four|three|two|midday|acht|neun"
    r"|zehn|elf|zwölf|mittag\w*|sieben|las|la|los|huit|neuf|dix|onze|midi|sept|le|negen|tien|twaalf"
    r"|as|às)"
)
_HOURS = Needing(
    r"\b(?:(?:don't|do not|never|not to|please no|no) (?:ever )?(?:call|ring|phone|text|message"
    r"|calls"
    r"|visitors|deliveries|meetings|messages)\b.{0,30}\b(?:before|after|until|till) "
    + _HOUR
    + r"|(?:keine (?:anrufe|besuche|termine|lieferungen|nachrichten)"
    r"|nicht (?:anrufen|klingeln|stören))"
    r"\b.{0,30}\b(?:vor|nach|bis) "
    + _HOUR
    + r"|(?:vor|nach) "
    + _HOUR
    + r".{0,15}\b(?:keine (?:anrufe|besuche|termine|lieferungen)"
    r"|nicht (?:anrufen|klingeln|stören))"
    r"|no me (?:llam|escrib|molest)\w+.{0,20}(?:antes|después) de"
    r"|(?:ne m'appel\w+ (?:pas|jamais)|pas d'appels?|ne m'appelez pas).{0,20}(?:avant|après)"
    r"|(?:non (?:mi )?chiam\w+|niente (?:chiamate|telefonate)).{0,20}(?:prima|dopo)"
    r"|(?:niet bellen|geen (?:telefoontjes|belletjes|afspraken)).{0,20}\b(?:voor|na) "
    r"|não me (?:lig|telefon)\w+.{0,20}(?:antes|depois) d)",
    re.IGNORECASE,
    (
        "call",
        "ring",
        "phone",
        "text",
        "message",
        "visitor",
        "deliver",
        "meeting",
        "anruf",
        "besuche",
        "termine",
        "lieferung",
        "nachricht",
        "klingeln",
        "stören",
        "llam",
        "escrib",
        "molest",
        "appel",
        "chiam",
        "telefon",
        "bellen",
        "belletj",
        "afspraken",
        "não me lig",
    ),
    (  # 'bring' and 'spring' have a 'ring'
        *("before ", "after ", "until ", "till ", "vor ", "nach ", "bis ", "antes", "después"),
        *("avant", "après", "prima", "dopo", "voor ", "na ", "depois"),
    ),
)
_OFFLINE = Needing(
    r"(?=.*\b(?:must|has to|have to|needs? to|had better|muss|müssen|tiene(?:n)? que|debe(?:n)?"
    r"|doit"
    r"|doivent|deve|devono|dev|moet(?:en)?|tem (?:de|que)|precisa)\b)"
    r".*(?:\boffline\b|\bwithout (?:the |any |an? )?(?:internet|network|connection|signal|cloud)\b"
    r"|\bno (?:internet|network|signal)\b|\bhors[- ]ligne\b|\bsans (?:le |la )?(?:réseau|connexion"
    r"|internet)|\bohne (?:internet|netz|verbindung|cloud)\b|\bsin (?:conexión|internet|red"
    r"|cobertura)\b|\bsenza (?:rete|internet|connessione)|\bzonder (?:internet|netwerk|verbinding)"
    r"|\bsem (?:internet|rede|ligação)\b)",
    re.IGNORECASE,
    (
        "offline",
        "internet",
        "network",
        "connection",
        "signal",
        "cloud",
        "hors",
        "réseau",
        "connexion",
        "netz",
        "verbindung",
        "conexión",
        " red",
        "cobertura",
        " rete",
        "connession",
        "netwerk",
        "verbinding",
        " rede",
        "ligação",
    ),
)
_MUST_NOT = (
    r"\b(?:must(?:n't| not| never)|may (?:not|never)|can(?:'t|not| never)|never|darf|dürfen|nie"
    r"|no (?:puede|debe)n?|nunca|ne (?:doi(?:t|vent)|peu(?:t|vent))|jamais|non (?:dev|può|poss)\w*"
    r"|mag|mogen|não (?:pode|deve)m?)\b"
)
_DATA = Needing(
    r"(?=.*\b(?:data|records?|firmware|software|app|aplicación|programa|files?|daten|akten|datos"
    r"|données|dossiers?|dati|gegevens|dados|logs?|photos?|code|sensor\w*|server\w*|serveur)\b)"
    rf"{_MUST_NOT}.{{0,50}}\b(?:leave|phone home|go to the cloud|be uploaded|cloud|verlassen|salir"
    r"|subir|guardar|sortir|quitter|uscire|lasciare|verlaten|sair|send anything)\b",
    re.IGNORECASE,
    (
        "leave",
        "phone home",
        "cloud",
        "upload",
        "verlassen",
        "salir",
        "subir",
        "guardar",
        "sortir",
        "quitter",
        "uscire",
        "lasciare",
        "verlaten",
        "sair",
        "send any",
    ),
)
_DOCTOR = (
    r"\b(?:doctors?|doc|dr\.?|gp|consultant|cardiologist|surgeon|physio\w*|midwife|vet|\w*arzt"
    r"|\w*ärztin|hebamme|médic[oa]s?|doctora?|cardiólog[oa]|veterinari[oa]|docteure?|médecin|toubib"
    r"|sage-femme|vétérinaire|dottor\w*|medico|cardiologo|dokter|arts|huisarts|médic[oa])\b"
)
_FORBIDS = (
    r"\b(?:forbid\w*|forbade|forbidden|banned|off limits|not allowed|told (?:me|him|her|us) not to"
    r"|says? (?:i|he|she|we) (?:mustn't|must not|can't|shouldn't)|verboten|verbietet|prohib\w+"
    r"|interdit\w*|défend(?:u)?|vietat\w*|verboden|verbiedt|proib\w+)\b"
)
_ORDERS = Needing(
    rf"{_DOCTOR}.{{0,60}}{_FORBIDS}|{_FORBIDS}.{{0,60}}{_DOCTOR}|\bdoctor'?s'? orders\b"
    r"|\bärztliche (?:anweisung|anordnung)\b|\borden del médico\b|\bordre du médecin\b",
    re.IGNORECASE,
    (
        "forbid",
        "forbade",
        "banned",
        "off limits",
        "allowed",
        "not to",
        "says",
        "say i",
        "say h",
        "say s",
        "say w",
        "verbot",
        "verbiet",
        "prohib",
        "interdi",
        "défend",
        "vietat",
        "verbo",
        "verbied",
        "proib",
        "orders",
        "ärztliche",
        "orden del",
        "ordre du",
    ),
)
_NOT_MORE = Needing(
    r"\b(?:(?:not|never|nothing|no)\b.{0,25}\b(?:more than|over|above)|nicht(?:s)? (?:mehr als"
    r"|über|schwerer als)|no (?:más|mas) de|pas plus de|non più di|niet meer dan|não mais de)"
    r" (?:\w+ (?:and )?){0,3}(?:litres?|liters?|kilos?|kg|grams?|mg|pounds|units|liter|gramm"
    r"|litros?"
    r"|gramos|grammes|litri|grammi|gram)\b",
    re.IGNORECASE,
    (
        "more than",
        "over ",
        "above",
        "mehr als",
        "über",
        "schwerer",
        "más de",
        "mas de",
        "plus de",
        "più di",
        "meer dan",
        "mais de",
    ),
    ("litre", "liter", "kilo", "kg", "gram", "mg", "pounds", "units", "litro", "litri"),
)
_BODY_FAILS = Needing(
    r"\b(?:i|he|she|we) (?:always |just |usually |sometimes )?(?:hyperventilat\w*|black(?:s)? out"
    r"|pass(?:es)? out|faints?)\b"
    r"|\b(?:panik(?:attacke\w*)?|platzangst|höhenangst|flugangst) (?:vor|in|im|auf|bei)\b"
    r"|\b(?:pánico a|panique (?:dans|en)|terrore (?:di|dei|degli)|pânico de)\b"
    r"|\b(?:ataques? de (?:pánico|ansiedad)|crisis de (?:ansiedad|pánico)|crises? d(?:e panique"
    r"|'angoisse)|attacchi di panico|paniekaanval\w*|panic attacks?)\b"
    r"|\bmakes? (?:me|him|her|us|\w+) (?:vomit|throw up|wheeze|faint|pass out|swell)",
    re.IGNORECASE,
    (
        "hyperventil",
        "k out",
        "s out",
        "faint",
        "panik",
        "angst",
        "pánico",
        "panique",
        "terrore",
        "pânico",
        "ansiedad",
        "angoisse",
        "panico",
        "paniek",
        "panic",
        "vomit",
        "throw up",
        "wheeze",
        "swell",
    ),
)
# 'If I eat nuts I swell up': what one must not eat, touch or breathe, and what comes of it.
_REACTS = Needing(
    r"\b(?:if|when(?:ever)?|every time|each time) (?:i|he|she|we|\w+) (?:so much as )?"
    r"(?:eat|have|drink|take|touch|smell|breathe|get near|go near)s?\b.{2,50}"
    r"\b(?:swell\w*|puff\w* up|hives|rash|itch\w*|wheez\w*|choke|vomit\w*|throw(?:s)? up"
    r"|can't breathe|throat|blisters?|ambulance|pass(?:es)? out|agony|doubled up|(?:am|'m|is|'s"
    r"|feel|feels|get|gets) (?:so |very |really |awfully )?(?:ill|sick|poorly)"
    r"|(?:end|land|wind)s? (?:up )?(?:in|at) (?:the )?(?:hospital|a&e|casualty|er))\b"
    r"|\blast time \w+ (?:\w+ )?(?:ate|had|drank|took|touched|licked|tried|got near)\b.{2,60}"
    r"\b(?:swell\w*|swole|swollen|swelled|puffed up|c[oa]me up|hives|rash|wheez\w*|vomit\w*"
    r"|threw up"
    r"|couldn't breathe|throat|blisters?|ambulance|hospital|a&e|casualty|er)\b"
    r"|\b(?:letztes mal|das letzte mal|beim letzten mal)\b.{2,40}\b(?:gegessen|getrunken|genommen"
    r"|angefasst|probiert|aß|trank|nahm|abgeleckt)\b.{0,60}(?:geschwollen|schwoll\w*|ausschlag"
    r"|atemnot"
    r"|keine luft|notaufnahme|krankenhaus|quaddeln|erbrochen|gespuckt)"
    r"|\búltima vez que\b.{2,30}\b(?:comi[óo]|comí|bebi[óo]|bebí|tom[óoé]|toc[óo]|prob[óo]|probé"
    r"|toqué)\b"
    r".{2,60}(?:hinch\w*|ronchas|urgencias|hospital|sarpullido|ahog\w*|vomit\w*|respirar)"
    r"|\bdernière fois qu\W?.{2,30}\b(?:mangé|bu|pris|touché|goûté|léché|avalé)\b.{2,60}(?:gonfl\w*"
    r"|enfl\w*|urgences|hôpital|plaques|respirer|étouff\w*|vomi\w*|cloques)"
    r"|\b(?:wenn|sobald) (?:ich|er|sie|wir|\w+) .{2,40}\b(?:ess|esse|isst|trink\w*|nehm\w*|nimmt"
    r"|berühr\w*|anfass\w*|riech\w*|einatm\w*)\b.{2,50}(?:schwell\w*|schwillt|zuschwell\w*|schlecht"
    r"|übel|krämpfe|bauchweh"
    r"|pusteln|quaddeln|ausschlag|juck\w*|keine luft|atemnot|kotz\w*|notaufnahme|krankenhaus"
    r"|blasen)"
    r"|\b(?:si|cuando|cada vez que) (?:yo |él |ella )?(?:como|come|comemos|bebo|bebe|tomo|toma|toco"
    r"|toca|huelo|huele|respiro|pruebo|prueba)\b.{2,50}\b(?:hinch\w*|malísim[oa]|mal[oa]|ronchas"
    r"|urgencias|hospital"
    r"|sarpullido|garganta|ahog\w*|no puedo respirar|vomit\w*|pica\w*|ampollas)"
    r"|\b(?:si|quand|dès que|chaque fois que) (?:je|j'|il|elle|on|\w+) ?(?:en )?(?:mange|bois|boit"
    r"|prends|prend|touche|respire|sens|avale|goûte)\b.{2,50}\b(?:gonfl\w*|enfl\w*|malade"
    r"|crampes|urgences|gorge"
    r"|plaques|boutons|hôpital|respirer|étouff\w*|vomi\w*|gratt\w*|cloques)"
    r"|\b(?:se|quando|appena) .{0,10}\b(?:mangio|mangia|bevo|beve|prendo|tocco|respiro)\b.{2,50}"
    r"\b(?:gonfi\w*|pronto soccorso|gola|orticaria|ospedale|vomit\w*|prurito|bolle)"
    r"|\b(?:als|wanneer|zodra) (?:ik|hij|zij|ze) .{2,40}\b(?:eet|drink|neem|aanraak|inadem)\b"
    r".{2,50}(?:opzwel\w*|zwel\w*|zwelt|uitslag|jeuk|ziekenhuis|keel|bultjes|geen lucht)"
    r"|\b(?:se|quando|sempre que) .{0,10}\b(?:como|come|bebo|bebe|tomo|toma|toco)\b.{2,50}"
    r"\b(?:inch\w*|urgência|garganta|hospital|vomit\w*|coceira|bolhas|falta de ar)",
    re.IGNORECASE,
    (
        *("if ", "when", "every time", "each time", "wenn", "sobald", "si ", "cuando", "cada vez"),
        *("quand", "dès que", "chaque fois", "se ", "appena", "als ", "wanneer", "zodra"),
        *("sempre que", "last time", "letzte", "última vez", "dernière fois"),
    ),
    (
        *("swell", "puff", "hives", "rash", "itch", "wheez", "choke", "vomi", "throw", "breathe"),
        *("throat", "blister", "ambulance", "pass", "agony", "doubled up", " ill", " sick"),
        *(" poorly", "hospital", "a&e", "casualty", " er", "schwell", "schwillt", "schlecht"),
        *("übel", "krämpfe", "bauchweh", "pusteln", "quaddeln", "ausschlag", "juck", "keine luft"),
        *("atemnot", "kotz", "notaufnahme", "krankenhaus", "blasen", "hinch", "mal", "ronchas"),
        *("urgenc", "sarpullido", "garganta", "ahog", "respirar", "pica", "ampollas", "gonf"),
        *("enfl", "crampes", "gorge", "plaques", "boutons", "hôpital", "respirer", "étouff"),
        *("gratt", "cloques", "pronto socc", "gola", "orticaria", "ospedale", "prurito", "bolle"),
        *("zwel", "uitslag", "jeuk", "ziekenhuis", "keel", "bultjes", "geen lucht", "inch"),
        *("urgênc", "coceira", "bolhas", "falta de ar"),
    ),
)
_ALMOST = late(
    r"\b(?:nearly|almost|practically|wan(?:t to|na)|fast|beinahe|casi|presque|quasi|bijna|quase)\b",
    re.IGNORECASE,
)
_WOULD = late(
    r"\b(?:would|i'd|he'd|she'd|might|could|würde\w*|wäre\w*|hätte\w*|könnte\w*|\w+ría\w*|\w+rais"
    r"|\w+rait|sarei|sarebbe|zou|zouden|\w+ria)\b",
    re.IGNORECASE,
)
_WITH_CHILD = Needing(
    r"\b(?:bin|ist|sind) (?:jetzt |schon |nun )?in der \d{1,2}\. (?:woche|ssw"
    r"|schwangerschaftswoche)\b"
    r"|\b\d{1,2} weeks (?:along|gone|pregnant)\b|\b(?:mein |unser |das )?baby (?:kommt|soll) im\b"
    r"|\b(?:estoy|está) de (?:\w+|\d+) (?:meses|semanas)\b|\b\d{1,2} weken (?:zwanger|ver)\b"
    r"|\b(?:sono|è) al(?:la)? \w+ (?:mese|settimana)\b|\bestou de \w+ (?:meses|semanas)\b",
    re.IGNORECASE,
    ("woche", "ssw", "weeks", "baby", "meses", "semanas", "weken", "mese", "settimana"),
)
_FEED = late(
    r"\b(?:can't|cannot|must(?:n't| not| never)|should(?:n't| never| not)|not allowed|darf|dürfen"
    r"|verträgt kein\w*|no (?:puede|debe)n?|ne (?:doi(?:t|vent)|peu(?:t|vent))|non (?:può|deve"
    r"|possono)"
    r"|mag (?:geen|niet)|mogen (?:geen|niet)|não pode)\b.{0,30}"
    r"\b(?:have|eat|get|be fed|fressen|essen|bekommen|kriegen|comer|tomar|manger|mangiare|eten"
    r"|hebben|kein\w*|geen)\b",
    re.IGNORECASE,
)
_FAITH = Needing(
    r"\b(?:halal\w*|kosher|koscher\w*|casher|kasher|ramad[aá]n\w*|hindus?|jains?|muslims?"
    r"|muslim\w*|musulm\w+|moslem\w*|mosl\w+|jewish|jüdisch\w*|juiv?e?s?|judí[oa]s?|ebre[oa]\w*"
    r"|sikhs?|hindou\w*|hindú\w*|jains?|religi\w+)\b",
    re.IGNORECASE,
    (
        "halal",
        "kosher",
        "koscher",
        "casher",
        "kasher",
        "ramad",
        "hind",
        "jain",
        "musl",
        "musulm",
        "mosl",
        "jewish",
        "jüd",
        "jui",
        "judí",
        "ebre",
        "sikh",
        "relig",
    ),
)
_FOOD = late(
    r"\b(?:eat|food|pork|beef|meat|gelatine?|alcohol|fast(?:ing|en|e|et)?|keep|drink|onion|esse"
    r"|essen"
    r"|trinken|schwein\w*|rind\w*|fleisch|gelatine|alkohol|comemos|como|comer|cerdo|jamón|carne"
    r"|ayun\w+"
    r"|mange\w*|porc|viande|jeûn\w+|alcool|mangi\w+|maiale|digiun\w+|eet|eten|varken\w*|vast\w*"
    r"|porco"
    r"|jeju\w+)\b",
    re.IGNORECASE,
)


_JOKE = Needing(
    r"\b(?:nearly|almost|practically|fast|beinahe|casi|presque|failli|quasi|bijna|quase)\b.{0,20}"
    r"\b(?:faint\w*|heart attack|ohnmächtig|herzinfarkt|infart\w*|crise cardiaque|flauw)\b"
    r"|\b(?:rein\w+|pure[rs]?|pur[oa]?) (?:herzinfarkt|infarto|horror|horreur)\b"
    r"|\b(?:gives? me (?:hives|a migraine)|me donne (?:de l'urticaire|la migraine)|de infarto"
    r"|da infarto|phobia of small talk)\b",
    re.IGNORECASE,
    (
        "herzinfarkt",
        "infart",
        "faint",
        "heart attack",
        "ohnm",
        "crise card",
        "flauw",
        "horr",
        "hives",
        "migrain",
        "urticaire",
        "phobia",
    ),
)


def is_figure_of_speech(text: str) -> bool:
    """Whether an illness in a sentence is none: 'a pure heart attack', 'gives me hives'."""
    return _JOKE.search(text.replace("’", "'")) is not None


# "No nuts for Ida.", "Keine Nüsse für Ida.": it begins with the denial, and names for whom.
_DENIED_TO = Needing(
    r"^(?:(?:absolutely|strictly|sorry,?|and|but|und|aber|y|et) )?(?:no|never any|kein(?:e[nrs]?)?"
    r"|nada de|nunca|pas d[e']|jamais d[e']|niente|niente di|geen|sem|nada) ?[^,.;:!]{2,40}?"
    r"(?: for | f[üu]r | para | pour | per | voor )"
    r"(?:the |my |our |den |die |das |meine?n? |el |la |los |las |mi |le |les |mon |ma |il |lo "
    r"|mio |mia |de |het |mijn |o |a |meu |minha )?[^\W\d_]",
    re.IGNORECASE,
    ("for ", "für ", "fur ", "para ", "pour ", "per ", "voor "),
)
_PASSING_WISH = late(
    r"\b(?:for me|f[üu]r mich|para m[ií]|pour moi|per me|voor mij)\b.{0,6}\b(?:thanks?|thank you"
    r"|danke|gracias|merci|grazie|dank|obrigad\w*)\b"
    r"|\b(?:left|today|tonight|übrig|heute|hoy|aujourd'hui|ce soir|oggi|stasera|vandaag|hoje)\W*$",
    re.IGNORECASE,
)
_HARMS = frozenset(["allergen", "medicine"])


def limit_of(text: str, tokens: Tokens) -> str:
    """Which kind of a hard limit a sentence says by its form: health, safety, limit; '' none."""
    if len(tokens.low) > _LONGEST or "?" in text or _QUOTED.search(text):
        return ""
    plain = text.replace("’", "'")
    if _EMERGENCY.search(plain):
        return "safety"
    if _HOURS.search(plain):
        return "limit"
    if _REACTS.search(plain) and not _WOULD.search(plain):
        return "health"
    seen = {name for signs in tokens.signs for name in signs}
    if seen & _NOT_STATED:
        return ""
    if _WORK.search(plain):
        return "safety"
    if _OFFLINE.search(plain) or _DATA.search(plain):
        return "limit"
    of_whom = seen & {"self", "kin", "pet"}
    if of_whom and (_ORDERS.search(plain) or _WITH_CHILD.search(plain) or _NOT_MORE.search(plain)):
        return "health"
    if _BODY_FAILS.search(plain) and not _ALMOST.search(plain):
        return "health"
    if "pet" in seen and _FEED.search(plain):
        return "health"
    if _DENIED_TO.search(plain) and not _PASSING_WISH.search(plain):
        from vaultmem.judgement.stakes import stakes_of  # saves 1 module

        if not _HARMS.isdisjoint(stakes_of(text, tokens.low)):
            return "health"
    is_own = "self" in seen or "kin" in seen
    return "limit" if is_own and _FAITH.search(plain) and _FOOD.search(plain) else ""
