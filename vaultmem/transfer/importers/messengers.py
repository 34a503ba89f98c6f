"""Chats between people: Telegram, WhatsApp, Slack. Pure.

`--me` says which of the names is the person: their messages are theirs, all others a named
somebody's. A chat goes on for years, so the messages of a month are one conversation (of Slack,
those of a channel's day, as its export has them). What was forwarded is not the words of whoever
forwarded it.
"""

from __future__ import annotations

import hashlib
import html
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import TextIOWrapper

from vaultmem.base import TYPE_CHECKING, Any, NamedTuple, late
from vaultmem.language import civil_from_days, days_from_civil, format_date, offset_ms
from vaultmem.model import Turn
from vaultmem.transfer.importers.imported_records import (
    MissingOwnerError,
    Odd,
    Record,
    Talk,
    attachment_turn,
    empty,
    list_at,
    mapping_at,
    ms_of_seconds,
    person_turn,
    require_owner,
    string_at,
    whole_text,
)
from vaultmem.transfer.importers.json_stream import BrokenElementError, elements, objects

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

TELEGRAM, WHATSAPP, SLACK = "Telegram", "WhatsApp", "Slack"


class _Month:
    """The messages of a chat, a conversation for each month."""

    def __init__(self, product: str, chat: str, title: str, zone: str) -> None:
        self._product, self._chat, self._title, self._zone = product, chat, title, zone
        self._month = ""
        self._turns: list[Turn] = []
        self.left: Counter[str] = Counter()
        self._read = 0
        self._date: int | None = None

    def add(self, turn: Turn, at: int | None) -> Iterator[Record]:
        """A message; gives the month before, when another begins."""
        month = format_date(at, self._zone)[:7] if at is not None else self._month
        if month != self._month:
            yield from self.close()
            self._month, self._date = month, at
        self._turns.append(turn)
        self._read += 1

    def close(self) -> Iterator[Record]:
        """The last month."""
        turns, self._turns = self._turns, []
        left, self.left = self.left, Counter()
        read, self._read = self._read, 0
        if turns:
            yield Talk(
                product=self._product,
                id=f"{self._chat}-{self._month or 'undated'}",
                title=f"{self._title} ({self._month})" if self._month else self._title,
                turns=tuple(turns),
                date=self._date,
                read=read + sum(left.values()),
                left=left,
            )


def _id_of_name(text: str) -> str:
    """A name as part of an id: it may hold anything."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# --- Telegram ------------------------------------------------------------------------------


def read_telegram_chat(asked: Asked) -> Iterator[Record]:
    """One exported chat: `result.json`."""
    names: dict[str, None] = {}
    told: dict[str, Any] = {}
    with asked.file.open() as stream:
        for found in elements(stream, ("messages",), beside=told):
            if isinstance(found, dict) and string_at(found, "type") == "message":
                names[_sender(found)] = None
    is_own = string_at(told, "type") == "saved_messages"
    # 'Saved messages' is the chat with oneself: whoever speaks in it is the person.
    me = next(iter(names), "") if is_own else require_owner(asked.me, [*names], what="this chat")
    with asked.file.open() as stream:
        messages = objects(stream, ("messages",), progress=asked.progress)
        yield from _telegram(messages, told, me, asked)


def read_telegram_account(asked: Asked) -> Iterator[Record]:
    """The export of a whole account, which says whose it is."""
    told: dict[str, Any] = {}
    with asked.file.open() as stream:
        for chat in objects(stream, ("chats", "list"), beside=told, progress=asked.progress):
            if isinstance(chat, BrokenElementError):
                yield Odd(product=TELEGRAM, name="a chat", why=chat.message)
                continue
            messages = [each for each in list_at(chat, "messages") if isinstance(each, dict)]
            names = list(dict.fromkeys(_sender(each) for each in messages))
            owner = mapping_at(told, "personal_information")
            first, last = string_at(owner, "first_name"), string_at(owner, "last_name")
            own = f"{first} {last}".strip()
            if not (asked.me or own):
                raise MissingOwnerError("say who you are in these chats", hint="--me NAME")
            # `--me` may be meant for another file of the same import; this one says whose it is.
            by_name = {each.casefold(): each for each in reversed(names)}
            wanted = [each.casefold() for each in (asked.me, own) if each]
            known = next((by_name[each] for each in wanted if each in by_name), own or asked.me)
            yield from _telegram(messages, chat, known, asked)


def _telegram(
    messages: Iterable[Mapping[str, Any] | BrokenElementError],
    chat: Mapping[str, Any],
    me: str,
    asked: Asked,
) -> Iterator[Record]:
    title = string_at(chat, "name") or "Telegram"
    id_ = chat.get("id")
    month = _Month(TELEGRAM, str(id_ if id_ is not None else _id_of_name(title)), title, asked.zone)
    is_empty = True
    for message in messages:
        if isinstance(message, BrokenElementError):
            yield Odd(product=TELEGRAM, name=title, why=message.message)
            continue
        if string_at(message, "type") != "message":
            month.left["of the program"] += 1
            continue
        at = ms_of_seconds(message.get("date_unixtime"))
        for turn in _telegram_turns(message, me, at):
            is_empty = False
            yield from month.add(turn, at)
    yield from month.close()
    if is_empty:
        yield empty(TELEGRAM, title)


def _sender(message: Mapping[str, Any]) -> str:
    return string_at(message, "from") or string_at(message, "from_id") or "unknown"


def _telegram_turns(message: Mapping[str, Any], me: str, at: int | None) -> Iterator[Turn]:
    text = rich_text(message.get("text"))
    forwarded = message.get("forwarded_from", message.get("saved_from"))
    if text.strip() and (forwarded is not None or "forwarded_from_id" in message):
        origin = whole_text(forwarded) or "somebody"
        yield person_turn(f"{origin} (forwarded)", "", text, at)
    elif text.strip():
        yield person_turn(_sender(message), me, text, at)
    for key in ("file_name", "photo", "media_type", "file"):
        if string_at(message, key):
            yield attachment_turn(string_at(message, key), "", at)
            return


def rich_text(text: object) -> str:
    """A message's text: a string, or pieces of which some are marked ('bold', 'link')."""
    if isinstance(text, list):
        return "".join(whole_text(each) or string_at(each, "text") for each in text)
    return whole_text(text)


def name_html(asked: Asked) -> Iterator[Record]:
    """Telegram Desktop writes HTML unless it is asked for JSON."""
    why = "it is HTML: choose 'Machine-readable JSON' in Telegram's export"
    yield Odd(product=TELEGRAM, name=asked.file.path.name, why=why)


# --- WhatsApp ------------------------------------------------------------------------------

_CLOCK = r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[\s\u202f\u00a0]*([AaPp])\.?[\s\u202f]?[Mm]\.?)?"
_DATE = r"(\d{1,4})([./-])[\s]?(\d{1,2})[./-][\s]?(\d{1,4})\.?"
WHATSAPP_LINE = late(
    rf"\A[\u200e\u200f\ufeff]*(?:\[{_DATE},?[\s\u202f\u00a0]+{_CLOCK}\][\s]*"
    rf"|{_DATE},?[\s\u202f\u00a0]+{_CLOCK}[\s\u202f\u00a0]+[-–][\s])(.*)\Z",
    16,  # DOTALL
)
_AUTHOR = late(r"\A[\u200e\u200f]*~?[\s\u202f]*([^:\n]{1,80}?): ?(.*)\Z", 16)
_MEDIA = late(r"\A<[^<>\n]{3,60}>\Z|\A[^\n]{1,120}\((?:file attached|Datei angehängt)\)\Z")
_EDITED = late(
    r"[\s\u200e]*<[\u200e]?(?:This message was edited|Diese Nachricht wurde bearbeitet)>"
)
_LEFT_TO_RIGHT = "\u200e"  # WhatsApp puts it before what it says itself


class _Line(NamedTuple):
    date: tuple[int, str, int, int]  # as written, with what stands between
    clock: tuple[int, int, int]
    name: str  # '': of the program
    text: str


def read_whatsapp(asked: Asked) -> Iterator[Record]:
    """A chat as text, in the date format of whichever phone wrote it."""
    opened = asked.file.open()
    with TextIOWrapper(opened, "utf-8-sig", "replace", newline="\n") as stream:
        found = list(_messages(stream))
    names = list(dict.fromkeys(line.name for line in found if line.name))
    if not names:
        yield empty(WHATSAPP, asked.file.path.stem)
        return
    me = require_owner(asked.me, names, what="this chat")
    is_day_first = _is_day_first([line.date for line in found])
    title = _COPY.sub("", asked.file.path.stem.removeprefix("_").strip()) or "WhatsApp"
    # A chat of two is known by its names, since its file may be called anything; a group by its
    # title.
    chat = _id_of_name(" ".join(sorted(names)) if len(names) <= 2 else title)
    month = _Month(WHATSAPP, chat, title if title != "chat" else ", ".join(names), asked.zone)
    for line in found:
        at = _instant(line, asked.zone, is_day_first=is_day_first)
        text = _EDITED.sub("", line.text).strip()
        if not line.name or text.startswith(_LEFT_TO_RIGHT) or _MEDIA.match(text):
            month.left["pictures and notices"] += 1
        elif text:
            yield from month.add(person_turn(line.name, me, text, at), at)
    yield from month.close()


# 'chat (1).txt' is a second download of one chat.
_COPY = late(r"\s*\(\d{1,3}\)\Z")


def _messages(stream: Iterable[str]) -> Iterator[_Line]:
    last: _Line | None = None
    for text in stream:
        line = _line(text.rstrip("\r\n"))
        if line is None:
            if last is not None:  # a message of several lines
                last = last._replace(text=f"{last.text}\n{text.rstrip()}")
            continue
        if last is not None:
            yield last
        last = line
    if last is not None:
        yield last


def _line(text: str) -> _Line | None:
    found = WHATSAPP_LINE.match(text)
    if found is None:
        return None
    groups = [each for each in found.groups()[:16] if each is not None]
    rest = found.groups()[16]
    date, between, second, third, hours, minutes, *more = groups
    seconds = more[0] if more and more[0].isdigit() else "0"
    half = next((each.lower() for each in more if each.isalpha()), "")
    hour = int(hours) % 12 + (12 if half == "p" else 0) if half else int(hours)
    author = _AUTHOR.match(rest)
    name, said = (author[1].strip(), author[2]) if author else ("", rest)
    return _Line(
        (int(date), between if not half else f"{between}m", int(second), int(third)),
        (hour, int(minutes), int(seconds)),
        name,
        said,
    )


def _is_day_first(dates: Sequence[tuple[int, str, int, int]]) -> bool:
    """Whether '3/4/25' is the third of April: as the other dates say, or else the order of time."""
    slashed = [(first, second, year) for first, mark, second, year in dates if mark[0] == "/"]
    if any(first > 12 for first, _, _ in slashed):
        return True
    if any(second > 12 for _, second, _ in slashed):
        return False
    days = [(year, second, first) for first, second, year in slashed]
    months = [(year, first, second) for first, second, year in slashed]
    if (days == sorted(days)) != (months == sorted(months)):
        return days == sorted(days)
    return not any(mark == "/m" for _, mark, _, _ in dates)  # 'AM' is written where months lead


def _instant(line: _Line, zone: str, *, is_day_first: bool) -> int | None:
    first, mark, second, third = line.date
    if first > 31:
        year, month, day = first, second, third
    elif mark[0] == "/" and not is_day_first:
        year, month, day = third, first, second
    else:
        year, month, day = third, second, first
    year += 2000 if year < 100 else 0
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1990 <= year <= 2100):
        return None
    days = days_from_civil(year, month, day)
    if civil_from_days(days) != (year, month, day):
        return None
    hour, minute, seconds = line.clock
    local = ((days * 24 + hour) * 60 + minute) * 60_000 + seconds * 1000
    return local - offset_ms(local, zone)


# --- Slack ---------------------------------------------------------------------------------

_MENTION = late(r"<([@#!])([A-Z0-9a-z^]+)(?:\|([^>]*))?>")
_LINK = late(r"<((?:https?|mailto|tel):[^|>]+)(?:\|([^>]*))?>")
_SAID = ("", "me_message", "thread_broadcast", "bot_message", "file_share")


def read_slack(asked: Asked) -> Iterator[Record]:
    """One day of a channel, with the names of `users.json` where the export has it."""
    people = _people(asked)
    _require_member(asked.me, people)
    channel = asked.file.path.parent.name or "slack"
    day = asked.file.path.stem
    left: Counter[str] = Counter()
    found: list[tuple[str, str, int | None]] = []
    with asked.file.open() as stream:
        for message in objects(stream, progress=asked.progress):
            if isinstance(message, BrokenElementError):
                left["that cannot be read"] += 1
            elif string_at(message, "subtype") not in _SAID:
                left["of the program"] += 1
            else:
                profile = mapping_at(message, "user_profile")
                user = string_at(message, "user")
                told = _profile_name(profile) or string_at(message, "username")
                name = people.get(user, "") or told or user or "a program"
                people.setdefault(user, name)
                at = ms_of_seconds(message.get("ts"))
                found.append((name, _without_marks(string_at(message, "text"), people), at))
    if not asked.me:
        require_owner("", list(dict.fromkeys(name for name, _, _ in found)), what="Slack")
    me = next((name for name in people.values() if name.casefold() == asked.me.casefold()), "")
    me = me or people.get(asked.me, asked.me)
    turns = [person_turn(name, me, text, at) for name, text, at in found if text.strip()]
    if not turns:
        yield empty(SLACK, f"{channel} {day}")
        return
    yield Talk(
        product=SLACK,
        id=f"{_id_of_name(channel)}-{day}",
        title=f"#{channel} on {day}",
        turns=tuple(turns),
        date=turns[0].said_at,
        read=len(found) + sum(left.values()),
        left=left,
    )


def _require_member(me: str, people: Mapping[str, str]) -> None:
    """A name that nobody in `users.json` has would make the person's words a stranger's."""
    names = [*dict.fromkeys(people.values())]
    # '--me Hana' for Hanna took a whole Slack workspace in as other people's words, and the same
    # import with the right name then doubled it.
    if me and people and me not in people:
        require_owner(me, names, what="Slack")


def _people(asked: Asked) -> dict[str, str]:
    """Names by user id."""
    file = asked.file.neighbour("users.json")
    if file is None:
        return {}
    with file.open() as stream:
        users = [each for each in objects(stream) if not isinstance(each, BrokenElementError)]
    names = {
        string_at(user, "id"): _profile_name(mapping_at(user, "profile"))
        or string_at(user, "real_name")
        or string_at(user, "name")
        for user in users
    }
    return {id_: name for id_, name in names.items() if id_ and name}


def _profile_name(profile: Mapping[str, object]) -> str:
    return string_at(profile, "real_name") or string_at(profile, "display_name")


def _without_marks(text: str, people: Mapping[str, str]) -> str:
    """A message as people read it: names for ids, addresses for links."""
    if "<" in text:
        text = _MENTION.sub(lambda found: _mention(found[1], found[2], found[3], people), text)
        text = _LINK.sub(
            lambda found: f"{found[2]} ({found[1]})" if found[2] else str(found[1]), text
        )
    # Slack escapes `&`, `<` and `>` in what people write.
    return html.unescape(text)


def _mention(kind: str, id_: str, label: str | None, people: Mapping[str, str]) -> str:
    if kind == "@":
        return f"@{people.get(id_) or label or id_}"
    return f"#{label or id_}" if kind == "#" else f"@{id_}"
