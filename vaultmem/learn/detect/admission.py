"""Whether a sentence is evidence of what the speaker wants (algorithms 4, "preprocessing").

Questions, suppositions, other people's words, the past and denials are none. What governs a whole
sentence (a condition, a question) is asked of the sentence, what governs a clause of the clause: 'I
used to prefer tabs, but now I prefer spaces' holds one preference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.base.records import dataclass
from vaultmem.learn.detect.languages import Language
from vaultmem.learn.detect.leads import is_reported, lead_in
from vaultmem.learn.detect.statements import Statement

_BUT = re.compile(
    r"(?<!anything)(?<!nothing)(?<!everything)(?<!all),? "
    r"\b(?:but|however|yet|though|aber|doch|sondern|pero|sino)\b,? "
)
_SCOPE_CHARACTERS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a statement between 'but's, with its place in the statement's text."""

    statement: Statement
    start: int
    end: int

    @property
    def text(self) -> str:
        """Its folded text."""
        return self.statement.text[self.start : self.end]


def clauses(statement: Statement, language: Language) -> Iterator[Clause]:
    """The clauses of a statement that may be evidence; none of one that is none as a whole."""
    doubt, text = language.doubt, statement.text
    if statement.is_foreign or statement.mark == "?" or doubt.has("question", text):
        return
    if doubt.has("hypothetical", text) or doubt.has("irony", text):
        return
    start = 0
    was_reported = False
    cuts = [*_BUT.finditer(text), None]
    for cut in cuts:
        end = cut.start() if cut else len(text)
        part = text[start:end]
        was_reported = is_reported(part, language)
        if not (was_reported or doubt.has("tentative", part) or doubt.has("past", part)):
            yield Clause(statement=statement, start=start, end=end)
        start = cut.end() if cut else end


def begins_clause(before: str, language: Language) -> bool:
    """Whether a cue without a subject, after these words, is the speaker's own demand.

    It has to begin a clause, or follow words that say where or when ('in the tests, always use').
    After 'and' it belongs to the subject of the sentence, who may be somebody else.
    """
    doubt = language.doubt
    rest = before.strip()
    if not rest:
        return True
    if doubt.has("others", rest) and not re.search(r"[,:.-]$", rest):
        return False
    if re.search(
        r"\b(?:they|he|she|people|everyone|everybody|others|sie|er|ellos|ella|él)\b", rest
    ):
        return False
    if doubt.has("openers", rest) or doubt.has("discourse", rest.rstrip(" ,")):
        return True
    return scope_before(rest, language) is not None


def scope_before(before: str, language: Language) -> str | None:
    """The phrase at the end of these words that says where, when or for what; None: no such."""
    found = lead_in(language.name).search(before.rstrip(" ,")[-_SCOPE_CHARACTERS:])
    if found is None or language.doubt.has("discourse", found[1].strip()):
        return None
    return found[1].strip()


def is_denied(before: str, language: Language) -> bool:
    """Whether these words before a cue deny it: 'it is not that I', "I don't"."""
    clause = re.split(r"[,:;]| - ", before)[-1]
    return language.doubt.has("negated", clause)
