"""The text of a note's bytes: UTF-8, or what can be made of them for searching."""

from __future__ import annotations

from vaultmem.base import dataclass

_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_SAMPLE = 4096
_TEXT_CONTROLS = b"\t\n\x0b\x0c\r\x1b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """Bytes that are not UTF-8: a guess at what they are, and the text for searching."""

    name: str  # 'UTF-16', 'Latin-1', 'broken UTF-8'; 'binary': not text at all
    text: str  # '' when binary


def utf16_name(data: bytes) -> str | None:
    """The codec of UTF-16 text, by its byte order mark or by where its NULs are."""
    marked = _UTF16.get(data[:2])
    if marked is not None:
        return marked
    sample = data[:_SAMPLE]
    nuls = sample.count(0)
    # In UTF-16 every second byte of Latin letters is NUL; a third still finds text with other
    # scripts in it.
    if nuls * 3 < len(sample) or len(sample) < 4:
        return None
    odd = sample[1::2].count(0)
    if odd == nuls:
        return "utf-16-le"
    return "utf-16-be" if odd == 0 else None


def read_foreign(data: bytes) -> Foreign:
    """What bytes that are not UTF-8 may be. Never fails."""
    codec = utf16_name(data)
    if codec is not None:
        return Foreign(name="UTF-16", text=data.decode(codec, "replace").removeprefix("\ufeff"))
    if is_binary(data):
        return Foreign(name="binary", text="")
    replaced = data.decode("utf-8", "replace")
    # Where no byte beyond ASCII is part of a valid sequence, the text was never UTF-8; where some
    # are, it was and is damaged.
    if all(mark.isascii() or mark == "\ufffd" for mark in set(replaced)):
        return Foreign(name="Latin-1", text=data.decode("cp1252", "replace"))
    return Foreign(name="broken UTF-8", text=replaced)


def looks_foreign(data: bytes) -> bool:
    """Whether bytes that are valid UTF-8 are UTF-16 or binary all the same; they hold NULs."""
    return utf16_name(data) is not None or is_binary(data)


def is_binary(data: bytes) -> bool:
    """Whether the beginning holds more control characters than any text does."""
    sample = data[:_SAMPLE]
    controls = sum(sample.count(code) for code in range(32) if code not in _TEXT_CONTROLS)
    return controls * 20 > len(sample)
