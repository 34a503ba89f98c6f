"""Where a name goes on: over the full stop of 'St. Gallen' and the 's of "Mary's Hospital"."""

from __future__ import annotations

from vaultmem.extract.cues.patterns import Tokens

_INNER = ("of", "de", "&", "van", "der", "von", "la", "del", "da", "do")


def name_end(tokens: Tokens, raw: str, first: int, *, is_place: bool = False) -> int:
    """The word after the name that begins at word `first`; `first` itself when none does.

    raw       the sentence in which the tokens have their places
    is_place  it stands after 'at', 'in' or 'for', so that 's is no 'is' ("at Mary's Kitchen")
    """
    end = first
    while end < tokens.size:
        goes_on_there = tokens.at(end) in _INNER or goes_on(tokens, raw, end, is_place=is_place)
        if not (tokens.is_capital(end) or (end > first and goes_on_there)):
            break
        end += 1
    while end > first and not tokens.is_capital(end - 1):
        end -= 1
    return end


def goes_on(tokens: Tokens, raw: str, i: int, *, is_place: bool = False) -> bool:
    """Whether the full stop (of a place also the 's) at word `i` is inside a name or value."""
    if i == 0 or i + 1 >= tokens.size:
        return False
    if tokens.lower[i] == "'s":
        return is_place and tokens.is_capital(i + 1)
    if tokens.lower[i] != "." or tokens.start[i] != tokens.end[i - 1]:
        return False
    from vaultmem.language.sentences import is_inside

    return is_inside(raw, tokens.start[i], tokens.end[i])
