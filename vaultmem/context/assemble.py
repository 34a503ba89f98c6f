"""What an assistant is given before it answers: the right memories within a budget of tokens.

Hard exceptions first; then what is given whatever is asked (how the person wants it, who they are,
rules and procedures), which does not depend on the question; then what answers it. Without a
question, the streams in place of an answer, each by its share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vaultmem import history, judgement, model, recall
from vaultmem.base import TYPE_CHECKING, BadInputError, replace
from vaultmem.context.budget import allocate
from vaultmem.context.gather import (
    Rows,
    by_transport,
    found_lines,
    lines_said,
    memories_and_records,
)
from vaultmem.context.lines import (
    LISTED,
    LineMaker,
    is_of,
    lines_of,
    moment_said,
    of_few_sources,
    portion,
    ratios,
    recent,
    shorten_quote,
)
from vaultmem.context.pack import Packing, by_quota, by_stream
from vaultmem.context.render import OUT_OF_DATE, Layout, fresh, messages, render_layout, standing
from vaultmem.context.tokens import counter_of, window_tokens
from vaultmem.model import (
    BESIDE,
    CRITICAL,
    CURRENT,
    EVENTS,
    FACTS,
    FORMATS,
    FOUND,
    HARD,
    INFERRED,
    MORE_CRITICAL,
    PERSON,
    PERSONA,
    RULES,
    SESSION,
    SESSIONS,
    TURNS,
    Line,
    Pack,
    Portion,
)
from vaultmem.recall import served
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.config import Settings
    from vaultmem.context.lines import SessionLines, Talk
    from vaultmem.history import Snapshot, When
    from vaultmem.model import Progress, TokenCounter
    from vaultmem.vault import Vault

MOST_TOKENS = 1_000_000
# Six tenths left nothing for the answer: a vault with a dozen such items gave two answers in 900
# tokens. Of 56 things that contexts of five strangers must hold 44 are given in place of 41.
_CRITICAL_SHARE = 0.4  # of what hard exceptions leave; more of it comes by the question
# Together with `_STANDING_FROM` and shorter records of talks 59 of the 65 things that contexts of
# eight people must hold are given, in place of 57.
_BEST, _BEST_SHARE = 3, 0.2  # lines of the answer, and their part of what is then free
_MORE_CRITICAL_SHARE = 0.4  # of what is free before the answers: with .6 they had no room
_WEIGHTY = 7  # importance of what concerns health, safety or limits without being marked so
# At 500 tokens, on a fifth of the LoCoMo questions, .759 of the evidence was given where weighty
# items took part of these, and .793 where they did not.
_ANSWER_FIRST = 300  # free tokens that are for the answer alone
_WEIGHTY_SHARE = 0.35  # of what is free before the answers, for such memories
_A_POINT = 0.1  # what a point of importance counts beside the nearness to the question, 0..1
_STANDING_FROM = 400  # tokens from which more is given unasked than how they want it
# With .25, what is also known came in no budget under 2,000 tokens: of 184 groups that contexts of
# 17 lives must hold .946 were given, .957 are.
_STANDING_SHARE = 0.15  # of the room that what is given unasked may take
_EVEN = 0.95  # of identity, or fading as little; past conversations are of the flow


def context(
    vault: Vault,
    question: str = "",
    *,
    budget: int | None = None,
    window: int | None = None,
    format_: str = "markdown",
    counter_name: str | None = None,
    talk: Talk | None = None,
    as_of: When | None = None,
    known_at: When | None = None,
    progress: Progress | None = None,
    brief: bool = False,
    project: str = "",
) -> Pack:
    """What to give an assistant, at most `budget` tokens; hard exceptions always.

    budget   None: that of the settings; never more than the share of `window` that is memory's
    window   tokens of the model's window; None: not known
    talk     a conversation that goes on, whose lines come with it (sessions/turn_prompt.py)
    project  in which it is asked; '': in none
    brief    nothing that is known beside the answer, however much room is left
    raises   BudgetTooSmallError where the hard exceptions do not fit; BadInputError for a budget,
             window or format that cannot be; as `recall` for other times
    """
    if format_ not in FORMATS:
        raise BadInputError(f"no format is called '{format_}'", hint=", ".join(FORMATS))
    tokens = _budget(vault.settings, budget, window)
    counting = counter_of(vault, counter_name)
    asked = " ".join(question.split())

    def look(snapshot: Snapshot | None = None) -> Pack:
        composing = _Composing(vault, asked, snapshot, talk, brief=brief, project=project)
        return composing.pack(tokens, format_, counting)

    if as_of is None and known_at is None:
        made = answering.mark_if_lagging(vault, answering.reading(vault, look))
        served.keep_given(vault, made)
        return made

    found = answering.reading(
        vault,
        lambda: history.seeing(vault, look, as_of=as_of, known_at=known_at, progress=progress),
    )
    return answering.mark_if_lagging(vault, found)


def _budget(settings: Settings, budget: int | None, window: int | None) -> int:
    wanted = settings.context_tokens if budget is None else budget
    if not 1 <= wanted <= MOST_TOKENS:
        raise BadInputError(
            f"a budget of {wanted} tokens cannot be met", hint=f"give 1 to {MOST_TOKENS}"
        )
    if window is None:
        return wanted
    return max(1, min(wanted, window_tokens(window, settings.context_window_share)))


class _Composing:
    """One context on its way: the parts, the question and the time it is about."""

    def __init__(
        self,
        vault: Vault,
        question: str,
        snapshot: Snapshot | None,
        talk: Talk | None,
        *,
        brief: bool,
        project: str,
    ) -> None:
        self._vault = vault
        self._brief = brief
        self._asking = recall.Asking(project, question) if project else None
        self._settings = vault.settings
        self._question = question
        self._snapshot = snapshot
        hides = talk is not None and talk.is_beside
        self._maker = LineMaker(vault, snapshot, hides=hides, asking=self._asking)
        self._rows = Rows(vault, snapshot, asking=self._asking)
        self._talk = None if talk is None else talk.read(self._maker)
        self._portions: list[Portion] = []
        self._offered: list[Line] = []  # in the order in which what is left is filled
        self._others: list[Line] = []  # with which nothing is filled

    def pack(self, budget: int, format_: str, counting: TokenCounter) -> Pack:
        """The context of at most `budget` tokens, counted by `counting`."""
        always = self._rows.always()
        if self._snapshot is None:
            # All that holds is looked through for what else was said in one breath: of 5,000
            # items that takes 60 ms.
            self._maker.note_turns([*always, *(() if self._brief else self._rows.others())])
        tiers = lines_of(always, self._maker.standing)
        tiers[SESSIONS] = self._recent()
        current = self._current()
        answered: Sequence[Line] = ()
        near: Mapping[PurePosixPath, float] = {}
        if self._question:
            answered, near = found_lines(
                self._vault,
                self._question,
                budget=budget,
                snapshot=self._snapshot,
                maker=self._maker,
                brief=self._brief,
                asking=self._asking,
            )
            answered = self._with_agenda(answered)
        hard = list(tiers.get(HARD, ()))
        if self._talk is not None:
            own = self._talk.folder
            answered = [line for line in answered if own not in line.path.parents]
            hard += self._talk.hard
        answered, records = memories_and_records(answered)
        layout = Layout(
            asked=bool(self._question),
            found=bool(answered or records) or not self._question,
            withheld=self._maker.withheld,
            question=self._question,
            moment=moment_said(self._snapshot, self._settings.timezone),
        )
        packing = Packing(layout, budget, format_=format_, count=counting.count)
        packing.add_required(hard)
        critical = self._take_critical(packing, tiers.get(CRITICAL, ()))
        self._take_standing(packing, {**tiers, HARD: hard})
        if self._question:
            self._take_best(packing, answered)
            critical = self._take_more_critical(packing, critical, near)
        if self._talk is not None:
            self._take_session(packing, self._talk)
        beside: list[Line] = []
        if not self._question:
            self._take_current(packing, current)
        else:
            if self._settings.context_fill and not self._brief:
                beside = self._take_weighty(packing, answered, near)
            if answered:
                self._take_found(packing, answered)
        # What is critical comes before all else that fills up; then what caps left out.
        if critical:
            self._offered = _once(packing, [*critical, *self._offered])
        if self._talk is not None:  # what all else leaves is for the turns
            self._offered += (*self._talk.facts, *self._talk.turns)
        if self._brief:
            self._others = []
        there = {line.path for line in (*packing.chosen, *self._offered) if line.id}
        self._others = [line for line in self._others if line.path not in there]  # each once
        if beside:
            given = (*packing.chosen, *self._offered)
            there |= {line.path for line in given if line.line is None}
            told = self._maker.twins_of(there)
            left = [line for line in beside if line.path not in there and not told(line.path)]
            self._portions.append(portion(BESIDE, packing.content(left), packing.free))
            self._offered += left
        if records:
            there = {line.path for line in packing.chosen if line.line is None}
            records = [line for line in records if line.path not in there]
            packing.price(records)
            self._offered += records
        layout, tokens = packing.finish(
            self._offered, fill=self._settings.context_fill, others=self._others
        )
        return Pack(
            question=self._question,
            format=format_,
            text=render_layout(layout, format_),
            standing=standing(layout),
            fresh=fresh(layout),
            messages=messages(layout),
            tokens=tokens,
            budget=budget,
            counter=counting.name,
            lines=layout.lines,
            portions=self._complete_portions(packing, layout),
            allocation=self._settings.context_allocation,
            left_out=layout.left_out,
            withheld=layout.withheld,
            unsure=sum(bool(line.doubt) for line in layout.lines),
            found=layout.found,
            moment=None if self._snapshot is None else self._snapshot.moment,
        )

    def _recent(self) -> list[Line]:
        """The last conversations that ended, newest first."""
        most = self._settings.context_sessions
        return recent(self._rows.events() if most else (), self._maker.standing, most)

    def _with_agenda(self, answered: Sequence[Line]) -> Sequence[Line]:
        """What answers; behind the best of it what is due, if that is asked for, soonest first.

        'What do I have to do about the car' is answered in its own words before any other day is.
        """
        if not judgement.asks_for_agenda(self._question):
            return answered
        # With this, and with nothing given twice, 106 of 121 everyday contexts hold what they must;
        # 103 did before.
        best = answered[:_BEST]
        there = {line.path for line in best if line.line is None}
        score = best[-1].score if best else 1.0
        made = [self._maker.due(row, score) for row in self._rows.coming() if row.path not in there]
        coming = [line for line in made if line is not None]
        there |= {line.path for line in coming}
        rest = [line for line in answered[_BEST:] if line.line or line.path not in there]
        return [*best, *coming, *rest]

    def _take_critical(self, packing: Packing, lines: Sequence[Line]) -> list[Line]:
        """What concerns health, safety and limits, the weightiest first; those without room."""
        # 'The nurse was here' had the room of 'I'm not allowed up a ladder', as it was newer.
        lines = sorted(
            lines, key=lambda line: (line.doubt == OUT_OF_DATE, not judgement.bars(line.text))
        )
        packing.price(lines)
        room = packing.share(_CRITICAL_SHARE)
        used = packing.add_while_fits(lines, room=room)
        if lines:
            self._portions.append(portion(CRITICAL, packing.content(lines), used))
        return [line for line in lines if not packing.is_chosen(line)]

    def _take_best(self, packing: Packing, answered: Sequence[Line]) -> None:
        """The best of the answer, before anything else that depends on the question."""
        there = {line.path for line in packing.chosen}
        told = self._maker.twins_of(there)
        best = [line for line in answered[:_BEST] if line.path not in there and not told(line.path)]
        if self._settings.context_fill:  # else each tier has its caps
            packing.price(best)
            packing.add_while_fits(best, room=int(packing.free * _BEST_SHARE))

    def _take_more_critical(
        self, packing: Packing, lines: Sequence[Line], near: Mapping[PurePosixPath, float]
    ) -> list[Line]:
        """What is critical and had no room unasked, what is near the question first.

        Four tenths of what is free, before the answers: what matters most is not crowded out by
        what matches best, nor the answer by what matters. Those without room.
        """
        there = {line.path for line in packing.chosen if line.line is None}
        made = [replace(line, tier=MORE_CRITICAL) for line in lines if line.path not in there]
        # Where the newest came first, what the question is about had no room.
        made.sort(key=lambda line: -near.get(line.path, 0.0))
        packing.price(made)
        room = int(packing.free * _MORE_CRITICAL_SHARE)
        used = packing.add_while_fits(made, room=room)
        if made:
            self._portions.append(portion(MORE_CRITICAL, packing.content(made), used))
        return [line for line in made if not packing.is_chosen(line)]

    def _take_weighty(
        self, packing: Packing, answered: Sequence[Line], near: Mapping[PurePosixPath, float]
    ) -> list[Line]:
        """All else that holds, of which what matters most has a part of the room."""
        lines = self._beside(packing.chosen, answered, near)
        packing.price(lines)
        # With a third of these tokens for weighty memories .759 of the evidence was given at 500
        # tokens on LoCoMo, and .793 without: the first 300 belong to the answer alone.
        room = int(max(0, packing.free - _ANSWER_FIRST) * _WEIGHTY_SHARE)
        weighty = [line for line in lines if line.importance >= _WEIGHTY]
        weighty.sort(key=lambda line: (line.doubt == OUT_OF_DATE, -line.importance))
        packing.add_while_fits(weighty, room=room)
        return lines

    def _said_lines(self, given: Iterable[Line]) -> list[Line]:
        """What they told and no item holds; of a vault of many items none, which fill any room."""
        if self._snapshot is not None or len(self._rows.others()) >= LISTED:
            return []
        texts = {line.text for line in given if line.line is not None}
        told = lines_said(self._vault, self._maker)
        return [replace(line, tier=BESIDE) for line in told if line.text not in texts]

    def _beside(
        self,
        chosen: Sequence[Line],
        answered: Sequence[Line],
        near: Mapping[PurePosixPath, float],
    ) -> list[Line]:
        """All else that holds: near the question first, what may be out of date last."""
        there = {line.path for line in chosen}
        # In the part that answers: the standing one stays the same whatever is asked.
        left = [
            replace(line, tier=BESIDE)
            for line in self._others
            if line.tier != SESSIONS and line.path not in there
        ]
        self._others = [line for line in self._others if line.tier == SESSIONS]
        taken = there | {line.path for line in left}
        rows = [row for row in self._rows.others() if row.path not in taken]
        told = self._maker.twins_of(taken)
        made = [self._maker.beside(row) for row in rows if not model.is_episode(row.statement)]
        lines = [*left, *(line for line in made if line is not None and not told(line.path))]
        lines += self._said_lines((*chosen, *answered))
        return sorted(
            lines,
            key=lambda line: (
                line.doubt == OUT_OF_DATE,
                -near.get(line.path, 0.0) - _A_POINT * line.importance,
            ),
        )

    def _current(self) -> dict[str, list[Line]]:
        """What is on in each stream; none of it where something was asked."""
        made = {
            stream: [self._maker.standing(row, CURRENT) for row in self._rows.of_stream(stream)]
            for stream in (() if self._question else ratios(self._settings))
        }
        return {
            stream: sorted(
                (line for line in made[stream] if line is not None),
                key=lambda line: bool(line.doubt),  # what nobody doubts first
            )
            for stream in made
        }

    def _take_standing(self, packing: Packing, tiers: Mapping[str, Sequence[Line]]) -> None:
        """What is given unasked, each tier up to its cap, all of them up to half of the budget."""
        caps = {
            PERSONA: self._settings.context_persona_tokens,
            PERSON: self._settings.context_user_tokens,
            RULES: self._settings.context_rule_tokens,
            SESSIONS: self._settings.context_session_tokens,
        }
        hard = tiers.get(HARD, ())
        packing.price(hard)
        self._portions.append(portion(HARD, packing.content(hard), packing.content(hard)))
        held = {tier: tiers.get(tier, ()) for tier in caps}
        for lines in held.values():
            packing.price(lines)
        content = [packing.content(lines) for lines in held.values()]
        room = packing.share(_STANDING_SHARE, beside=(HARD, CRITICAL))
        # In a small budget how they want it is worth more than the newest of who they are.
        much = max(0, room - int(_STANDING_FROM * _STANDING_SHARE))
        caps = {tier: caps[tier] if tier == PERSONA else min(caps[tier], much) for tier in caps}
        demand = [
            min(has + packing.opening(tier), caps[tier]) if has else 0
            for tier, has in zip(held, content, strict=True)
        ]
        odds = (_EVEN, _EVEN, _EVEN, self._settings.preservation_flow)
        shares = allocate(demand, odds, room).granted
        used = {
            tier: packing.add_while_fits(lines, room=granted)
            for (tier, lines), granted in zip(held.items(), shares, strict=True)
        }
        for tier, lines in held.items():  # a share too small for any whole item serves another
            left = min(room - sum(used.values()), caps[tier] - used[tier])
            used[tier] += packing.add_while_fits(lines, room=left)
        for (tier, lines), has, granted in zip(held.items(), content, shares, strict=True):
            self._portions.append(portion(tier, has, granted))
            self._others += lines

    def _take_session(self, packing: Packing, talk: SessionLines) -> None:
        """What holds in the conversation, then its turns from the last one back: up to half."""
        room = packing.free // 2
        for tier, lines in ((SESSION, talk.facts), (TURNS, talk.turns)):
            packing.price(lines)
            self._portions.append(portion(tier, packing.content(lines), room))
            room -= packing.add_while_fits(lines, room=room)

    def _take_current(self, packing: Packing, current: Mapping[str, Sequence[Line]]) -> None:
        """The streams, each by its share: what is on, where nothing was asked."""
        there = {line.path for line in packing.chosen}
        told = self._maker.twins_of(there)
        streams = {
            stream: [line for line in lines if line.path not in there and not told(line.path)]
            for stream, lines in current.items()
        }
        lines = [line for held in streams.values() for line in held]
        offered = {line.path for line in lines}  # not once more: all of identity is among them
        beside = [line for line in self._others if line.path not in offered]
        self._others = []
        packing.price(lines)
        packing.hold_back(lines)
        rooms = by_stream(packing, lines, packing.free, ratios(self._settings))
        for stream, held in streams.items():
            packing.add_while_fits(held, room=rooms[stream])
            self._portions.append(portion(stream, packing.content(held), rooms[stream]))
        self._offered += (*lines, *beside)  # no question's answer needs the room that is left

    def _take_found(self, packing: Packing, answered: Sequence[Line]) -> None:
        """What answers the question, divided as the settings say."""
        there = {line.path for line in packing.chosen}
        told = self._maker.twins_of(there)
        lines = [
            line
            for line in answered
            if line.line is not None
            or packing.is_chosen(line)
            or (line.path not in there and not told(line.path))
        ]
        # Filled in order of relevance .796 of the evidence is given at 500 tokens, and .741 when
        # the best of each tier came first (97 LoCoMo questions).
        if not self._settings.context_fill:
            lines = [
                shorten_quote(line, self._settings.context_snippet_characters) for line in lines
            ]
        packing.price(lines)
        packing.hold_back(lines)
        way, room = self._settings.context_allocation, packing.free
        if not self._settings.context_fill:
            self._by_tiers(packing, lines)
        # The best of each tier up to its caps first cost .055 of the evidence at 500 tokens on
        # LoCoMo (.741 against .796): caps count where nothing is filled.
        elif way == "relevance":
            self._portions += [
                portion(tier, packing.content(held), packing.budget)
                for tier in FOUND
                if (held := [line for line in lines if line.tier == tier])
            ]
            packing.add_while_fits(lines, room=room)
        else:
            rooms = by_quota(room, ratios(self._settings))
            # Of 760 LoCoMo questions at 300, 500, 1,000 and 2,000 tokens relevance gives .682,
            # .796, .857 and .917 of the evidence, transport .684, .795, .857 and .919.
            if way == "sinkhorn":
                rooms, lines = by_transport(
                    self._vault, packing, lines, room, ratios(self._settings)
                )
                packing.add_while_fits(
                    lines, room=room
                )  # whole ones; the rooms follow from what is kept
            for stream, granted in rooms.items():
                held = [line for line in lines if (line.stream or "flow") == stream]
                if way == "quota":
                    packing.add_while_fits(held, room=granted)
                self._portions.append(portion(stream, packing.content(held), granted))
        self._offered += lines

    def _by_tiers(self, packing: Packing, lines: Sequence[Line]) -> None:
        """The best of each tier up to its caps, and no more."""
        settings = self._settings
        caps = {
            FACTS: (settings.context_fact_tokens, settings.context_facts),
            EVENTS: (settings.context_event_tokens, settings.context_episodes),
            INFERRED: (settings.context_fact_tokens, settings.context_facts),
        }
        for tier, (tokens, most) in caps.items():
            held = [line for line in lines if line.tier == tier]
            if held:
                offered = of_few_sources(held, settings.context_conversations)
                packing.add_while_fits(
                    offered, room=tokens, most=min(most, settings.context_per_kind)
                )
                self._portions.append(portion(tier, packing.content(held), tokens))

    def _complete_portions(self, packing: Packing, layout: Layout) -> tuple[Portion, ...]:
        """The portions with what came of each: of what had no room, what it would take alone."""
        there = {(line.path, line.line, line.text) for line in layout.lines}
        missing = [
            line
            for line in (*self._offered, *self._others)
            if (line.path, line.line, line.text) not in there
        ]
        completed = []
        for told in self._portions:
            own = [line for line in layout.lines if is_of(line, told.name)]
            left = [line for line in missing if is_of(line, told.name)]
            used = sum(line.tokens for line in own)
            content = used + packing.content(left)
            completed.append(
                replace(told, content=content, used=used, lines=len(own), left_out=len(left))
            )
        return tuple(completed)


def _once(packing: Packing, lines: Sequence[Line]) -> list[Line]:
    """Lines without a second one of the same item: the critical tier and an answer both offer it.

    A passage (a line in a file) is none of an item's statement and stays.
    """
    seen = {line.path for line in packing.chosen if line.line is None}
    kept = []
    for line in lines:
        # What is critical and answers as well stood twice in a context.
        if line.line is None and not packing.is_chosen(line):
            if line.path in seen:
                continue
            seen.add(line.path)
        kept.append(line)
    return kept
