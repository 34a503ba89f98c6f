"""What the words before a list or a colon do to those that follow: whose they are, how they begin.

Algorithms 4, "preprocessing".
"""

from __future__ import annotations

import re
from functools import cache

from vaultmem.learn.detect.languages import Language, load


def is_reported(text: str, language: Language) -> bool:
    """Whether somebody else is the one who says it: 'the guide says', 'Maria told me:'."""
    doubt = language.doubt
    if doubt.has("reported", text):
        return True
    verbs = doubt.lists.get("reporting")
    if verbs is None:
        return False
    for verb in verbs.finditer(text):
        before = text[: verb.start()]
        if doubt.has("own_subject", before.rstrip()) or doubt.has("no_report_before", before):
            continue
        return True
    return False


def opens_a_list(lead: str, language: Language) -> bool:
    """Whether each item below a lead goes on with its words: 'Never use:', 'In the tests:'."""
    found = lead_in(language.name).fullmatch(lead)
    if found is not None and not language.doubt.has("discourse", lead):
        return True
    cues = (*language.preference.cues, *language.decision.cues)
    return any(
        match.end() >= len(lead.rstrip())
        for cue in cues
        for match in cue.pattern.finditer(f"{lead} ")
    )


@cache
def lead_in(language: str) -> re.Pattern[str]:
    """A phrase at the end of words that says where, when or for what: its group 1."""
    lists = load(language).doubt.lists
    opener = lists["openers"].pattern.removesuffix(" ?$")
    joined = lists["and"].pattern.removesuffix("$")
    phrase = f"(?:{lists['scopes'].pattern}|{lists['purposes'].pattern}) [^,:;]+"
    return re.compile(rf"(?:^|[,:(] ?|\b{joined} |{opener} )({phrase})$")
