"""Words of texts that are not plain ASCII: patterns that cost more to compile than to use."""

from __future__ import annotations

from vaultmem.base.patterns import late

# Scripts written without spaces between words; marks that belong to the letter before them.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
_UNSPACED += "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963"
_MARKS += "\u0966-\u0dff\u200c\u200d"
_LETTERS = rf"(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])+"
ANY_WORD = late(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<emoji>[\U0001f1e6-\U0001f1ff]{2}"
    r"|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff])"
    rf"|(?<![^\W_])(?<!\.)(?:\.(?=[^\W_]))?{_LETTERS}(?:['’.]{_LETTERS})*(?:\+\+|[+#](?![^\W_]))?"
    rf"|{_LETTERS}"
)
# Written or left out at will: Arabic and Hebrew vowel points, the Arabic stretching mark.
OPTIONAL_MARKS = late("[\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u0640\u064b-\u065f]")
