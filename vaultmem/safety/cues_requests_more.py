"""What a text asks of an assistant, in other languages than English: see `cues_requests`."""

from __future__ import annotations

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
