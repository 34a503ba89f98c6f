"""Which lines go into a text of so many tokens: whole ones, in order, skipping what does not fit.

Sums of single counts decide, since a text takes no more than its lines; then the final text is
counted, and what is still free is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from vaultmem.base import BadInputError, replace
from vaultmem.context.budget import allocate, quota
from vaultmem.context.render import (
    Layout,
    messages,
    opening,
    order_lines,
    piece,
    render_layout,
    source_of,
)
from vaultmem.model import FOUND, HARD, SESSION, STANDING, TURNS, Line

A_MESSAGE = 4  # tokens that a chat API adds to each message, at most
_MOST_ROUNDS = 8  # of using what is left; each looks at the final text
_WHERES = 5  # places that are named in what was left out
# Of 300 tokens 50 told what is missing, and the rule that answers lost its place to them.
_TOKENS_A_WHERE = 150  # of the budget: in a small one the memories are worth more
Count = Callable[[Sequence[str]], list[int]]


class BudgetTooSmallError(BadInputError):
    """A budget that does not even hold what must be there."""

    def __init__(self, budget: int, needed: int) -> None:
        super().__init__(
            f"{budget} tokens do not hold the hard exceptions and how to use them, which take "
            f"{needed}",
            hint=f"give a budget of at least {needed}",
        )
        self.budget = budget
        self.needed = needed


class Packing:
    """A text that fills up. `spent` is never below what the text takes."""

    def __init__(self, layout: Layout, budget: int, *, format_: str, count: Count) -> None:
        self._layout = layout
        self._format = format_
        self._count = count
        self._plain: dict[int, int] = {}  # tokens by the identity of a line
        self._nested: dict[int, int] = {}
        self._openings: dict[str, int] = {}
        self._kept: list[Line] = []  # so that no identity is used twice
        self.budget = budget
        self.chosen: list[Line] = []
        self._there: set[int] = set()
        self._sources: set[object] = set()
        self._tiers: set[str] = set()
        self._held_back = 0
        self.spent = self.tokens(layout)

    @property
    def free(self) -> int:
        """Tokens that may still be taken."""
        return self.budget - self.spent - self._held_back

    def share(self, part: float, *, beside: Sequence[str] = (HARD,)) -> int:
        """A part of what these tiers and how to use them leave, whatever the question is."""
        bare = Layout(lines=order_lines(line for line in self.chosen if line.tier in beside))
        return max(0, int(part * (self.budget - self.tokens(bare))))

    def hold_back(self, offered: Sequence[Line]) -> None:
        """Leave room for saying what is left out, where not all priced lines will fit."""
        if self.content(offered) > self.budget - self.spent:
            told, _ = self._lay_out(offered)
            bare = replace(told, left_out=())
            self._held_back = max(0, self.tokens(told) - self.tokens(bare))

    def tokens(self, layout: Layout) -> int:
        """What a text takes, counted as it will be given."""
        if self._format == "messages":
            parts = [each.content for each in messages(layout)]
            return sum(self._count(parts)) + A_MESSAGE * len(parts)
        return self._count([render_layout(layout, self._format)])[0]

    def price(self, lines: Sequence[Line]) -> None:
        """Count lines, all at once, before they are chosen from."""
        new = [line for line in lines if id(line) not in self._plain]
        plain = self._count([piece(line, self._format) for line in new])
        passages = [line for line in new if source_of(line) is not None]
        nested = self._count([piece(line, self._format, nested=True) for line in passages])
        self._plain.update({id(line): n for line, n in zip(new, plain, strict=True)})
        self._nested.update({id(line): n for line, n in zip(passages, nested, strict=True)})
        self._kept += new

    def cost(self, line: Line) -> int:
        """Tokens that a priced line takes at most, with what has to be said before it."""
        source = source_of(line)
        if source is not None and source in self._sources:
            return self._nested[id(line)] + self._head
        cost = self._plain[id(line)]
        if line.tier in self._tiers:
            return cost
        return cost + self.opening(line.tier)

    def opening(self, tier: str) -> int:
        """Tokens of the heading of a tier, and of its block where it would be the first in it."""
        block = FOUND if tier in FOUND else STANDING
        key = tier if self._tiers & set(block) else f"first {tier}"
        if key not in self._openings:
            text = opening(tier, self._format, is_first=key != tier)
            self._openings[key] = self._count([text])[0]
            # What is found is a message of its own, which a question begins already.
            if key != tier and block is FOUND and self._format == "messages":
                self._openings[key] += A_MESSAGE * (2 - len(messages(self._layout)))
        return self._openings[key]

    _head = 3  # tokens of a line of its own for what two passages share

    def content(self, lines: Iterable[Line]) -> int:
        """Tokens of priced lines by themselves."""
        return sum(self._plain[id(line)] for line in lines)

    def add_while_fits(self, lines: Iterable[Line], *, room: int, most: int | None = None) -> int:
        """Choose lines in order while they fit; the tokens that they take.

        room  tokens, besides what is free; most: so many lines at most, None: no bound
        """
        used = taken = 0
        for line in lines:
            if most is not None and taken >= most:
                break
            if id(line) in self._there:
                continue
            cost = self.cost(line)
            if used + cost <= room and cost <= self.free:
                self._choose(line)
                self.spent += cost
                used, taken = used + cost, taken + 1
        return used

    def add_required(self, lines: Sequence[Line]) -> None:
        """Choose lines that have to be there; raises BudgetTooSmallError."""
        for line in lines:
            self._choose(line)
        self.spent = self.tokens(replace(self._layout, lines=order_lines(self.chosen)))
        if self.spent > self.budget:
            raise BudgetTooSmallError(self.budget, self.spent)

    def _choose(self, line: Line) -> None:
        self.chosen.append(line)
        self._there.add(id(line))
        self._sources.add(source_of(line))
        self._tiers.add(line.tier)

    def is_chosen(self, line: Line) -> bool:
        """Whether a line is in the text."""
        return id(line) in self._there

    def finish(
        self, offered: Sequence[Line], *, fill: bool, others: Sequence[Line] = ()
    ) -> tuple[Layout, int]:
        """The text, and what it takes: never more than the budget.

        offered  all lines, in the order in which what is left is used up, if `fill`
        others   lines that are not used for that, but are missing if they are not there
        """
        self._held_back = 0
        layout, self.spent = self._lay_out((*offered, *others))
        for _ in range(_MOST_ROUNDS):
            if self.spent > self.budget or not fill:
                break
            if not self.add_while_fits(offered, room=self.free):
                break
            layout, self.spent = self._lay_out((*offered, *others))
        while self.spent > self.budget:
            last = next((line for line in reversed(self.chosen) if line.tier != HARD), None)
            if (
                last is None
            ):  # `add_required` has seen that it fits without a word on what is missing
                layout = replace(layout, left_out=())
                self.spent = self.tokens(layout)
                break
            self.chosen.remove(last)
            self._there.discard(id(last))
            layout, self.spent = self._lay_out((*offered, *others))
        priced = tuple(
            replace(line, tokens=self._tokens_of(line, place, layout.lines))
            for place, line in enumerate(layout.lines)
        )
        return replace(layout, lines=priced), self.spent

    def _tokens_of(self, line: Line, place: int, lines: Sequence[Line]) -> int:
        source = source_of(line)
        nested = source is not None and place > 0 and source_of(lines[place - 1]) == source
        return self._nested[id(line)] if nested else self._plain[id(line)]

    def _lay_out(self, offered: Sequence[Line]) -> tuple[Layout, int]:
        missing: dict[str, int] = {}
        for line in offered:
            if id(line) not in self._there:
                where = where_of(line)
                missing[where] = missing.get(where, 0) + 1
        told = _name_places(missing, most=min(_WHERES, max(1, self.budget // _TOKENS_A_WHERE)))
        layout = replace(self._layout, lines=order_lines(self.chosen), left_out=told)
        return layout, self.tokens(layout)


def _name_places(missing: Mapping[str, int], *, most: int) -> tuple[tuple[str, int], ...]:
    """(where, how many), most first; what is beyond so many places, together at the end."""
    # Of 300 tokens 50 told what is missing: a place is named for each 150 of them, at most five.
    told = sorted(missing.items(), key=lambda each: (-each[1], each[0]))
    if len(told) > most:
        rest = sum(count for _, count in told[most - 1 :])
        told = [*told[: most - 1], ("other places" if most > 1 else "the vault", rest)]
    return tuple(told)


def where_of(line: Line) -> str:
    """Where a person would look for a line that found no room."""
    if line.tier in (SESSION, TURNS):
        return "this conversation"
    if line.stream:
        return line.stream
    return "other items" if line.line is None else "past conversations"


def by_stream(
    packing: Packing, lines: Sequence[Line], room: int, preservation: Mapping[str, float]
) -> dict[str, int]:
    """Tokens that each stream may take: the transport of its tokens to keep and evict.

    What is of no stream counts as flow.
    """
    content = dict.fromkeys(preservation, 0)
    for line in lines:
        content[line.stream or "flow"] += packing.content([line])
    granted = allocate(list(content.values()), list(preservation.values()), max(0, room)).granted
    return dict(zip(content, granted, strict=True))


def by_quota(room: int, preservation: Mapping[str, float]) -> dict[str, int]:
    """Tokens that each stream may take: a fixed part of the room, whatever it holds."""
    parts = quota(max(0, room), list(preservation.values()), [1.0] * len(preservation))
    return {stream: int(part) for stream, part in zip(preservation, parts, strict=True)}
