"""Whether somebody asks what is coming or to be done: dates, deadlines, tasks, in seven languages.

Such a request shares no word with what it is about ('the boiler man comes on Thursday'), so what is
due is given for it, the soonest first.
"""

from __future__ import annotations

import re

from vaultmem.base.patterns import late

_NAMED = late(
    # What it is called.
    r"\b(?:calendar|agenda|schedule|deadlines?|appointments?|to-?do(?:s| list)?|due dates?"
    r"|reminders?|kalender|terminkalender|termine?n?|fristen|aufgaben|erledigungen|calendario"
    r"|citas|plazos|vencimientos|pendientes|tareas|recados|calendrier|échéances?|échéancier"
    r"|rendez-vous|tâches|démarches|scadenz\w+|appuntament\w+|impegni|compiti|afspraken|taken"
    r"|prazos|compromissos|consultas|tarefas|afazeres)\b"
    # How it is asked.
    r"|\bwhat(?:'s| is| else is|'ve i got| have i got| do i have)\b.{0,20}\b(?:coming up|on"
    r"|planned|due|scheduled|next week|this week|this month)\b"
    r"|\bwhat (?:do|must|should) (?:i|we) (?:still )?(?:have to|need to|got to|do)\b"
    r"|\bwas (?:steht|muss ich|ist|haben wir)\b.{0,40}"
    r"\b(?:an|erledigen|tun|machen|vor|fällig|los)\b"
    r"|\bsteht\b.{0,30}\ban\b"
    r"|\bqué (?:me toca|tengo que|tenemos que|hay que|tengo (?:el|la|esta|este))\b"
    r"|\bqu'?(?:est-ce que (?:je|on)|est-ce qui) (?:dois|doit|ai à|a à|m'attend|nous attend)\b"
    r"|\bque (?:dois|devons)[- ](?:je|nous)\b|\b(?:cosa|che cosa) (?:devo|dobbiamo|ho da)\b"
    r"|\bwat (?:moet ik|moeten we|staat er)\b|\bo que (?:tenho|temos|devo|preciso)\b",
    re.IGNORECASE,
)
_LONGEST = 300  # characters: longer talk tells something, and asks for what it says at the end


def asks_for_agenda(question: str) -> bool:
    """Whether a request is for what is due, planned or to be done."""
    return len(question) <= _LONGEST and _NAMED.search(question.replace("’", "'")) is not None
