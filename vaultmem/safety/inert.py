"""Active content of Markdown made inert, visibly and reversibly: by one mark, put where it bites.

`⦸` goes into what a program would act on: `!⦸[alt](url)` is no image any more, `<⦸script>` no
tag, `⦸dataviewjs` no language of a code block. A mark that was there before is doubled, so that
taking the marks out gives the very text back (docs/trust.md).

`defang` is for text of others that we write to disk, `defang_output` for what we print of any
note: it leaves alone what only Obsidian acts on and a reader should see as it is.
"""

from __future__ import annotations

from vaultmem.language import INERT as MARK

# Without any of these nothing acts; most texts hold none, and the rules need not be loaded.
_MAY_ACT = ("![", "](", "]:", "<", "```", "~~~", "://", "%%", "{{", MARK)
_SCHEMES = ("javascript", "vbscript", "data:")
# Behind a backtick, what a plugin runs (`inert_rules`): each has one of these. Our own messages
# name commands between backticks, and the rules took 5 ms of a cold `remember`.
_RUN_INLINE = ("=", "js", "dv", "button", "input", "view")


def defang(text: str) -> str:
    """The text with everything marked that Obsidian, its plugins or a renderer would act on.

    Idempotent only through `refang`: marks that are there are doubled first.
    """
    if not _may_act(text):
        return text
    from vaultmem.safety.inert_rules import FOR_DISK, apply_steps  # saves 3 modules

    return apply_steps(text.replace(MARK, MARK * 2), FOR_DISK)


def mark_inert(text: str) -> str:
    """The text with everything marked that acts; what is marked already stays as it is."""
    return text if defang(refang(text)) == text else defang(text)


def refang(text: str) -> str:
    """The text that `defang` was given."""
    if MARK not in text:
        return text
    return text.replace(MARK * 2, "\0").replace(MARK, "").replace("\0", MARK)


def defang_output(text: str) -> str:
    """The text for an answer: images, embeds, loading tags and links that run are marked."""
    if not _may_act(text):
        return text
    from vaultmem.safety.inert_rules import FOR_OUTPUT, apply_steps  # saves 3 modules

    return apply_steps(text, FOR_OUTPUT)


def _may_act(text: str) -> bool:
    """Whether the text holds any of the characters that active content needs."""
    if any(map(text.__contains__, _MAY_ACT)):
        return True
    low = text.lower() if ":" in text or "`" in text else ""
    # Each rule is asked where its mark is: our own messages name commands between backticks, and
    # each had seven patterns compiled, 5 ms of a cold `remember`.
    if ":" in low and any(scheme in low for scheme in _SCHEMES):
        return True
    return "`" in low and any(sign in low for sign in _RUN_INLINE)
