"""A turn read without any model: in short, what it changes in base truth; base truth pruned.

The vault's own extractor finds statements, the rules for contradictions (facts/supersede.py) say
which known fact a new one ends. What a conversation settles by the way ('the budget is 4,000
euros', 'Port: 8080') is too slight for a lasting memory, and yet what the next turns rest on; its
forms are English.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from vaultmem import judgement
from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.extract import replace_value
from vaultmem.facts import SAME, SUPERSEDE, UNDECIDED, UPDATE, Stated, decide
from vaultmem.judgement import own_words
from vaultmem.language import canonical, content_words, fold, sentences
from vaultmem.model import JUDGED, Draft, Source, Turn, holds_one, part_key, slot_key
from vaultmem.sessions.summarise import GROUNDED, POLARITY, Stem, Summary, content
from vaultmem.sessions.truth import OPEN, Applied, Diff, Fact, Warned, apply_diff, key_of
from vaultmem.sessions.turn_size import FENCE, clip_words, closes, count_words, has_cue

if TYPE_CHECKING:
    from vaultmem.model import Extractor
    from vaultmem.vault import Vault

# --- a turn in short ---

_GREETING = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|ok|okay|sure|great|good (?:morning|evening)|of course|"
    r"certainly|absolutely|got it|perfect|nice)\b[^.!?]{0,30}[.!?]*$",
    re.IGNORECASE,
)
_TELLING_WORDS = 2  # of content: "use SQLite" has them
_EARLY = 0.25  # of a message: what comes first is what it is about


def in_short(text: str, most_words: int, *, stated: Collection[str] = ()) -> str:
    """At most so many words of a message: its telling sentences, in their order.

    stated  sentences that say something durable; they come before all others
    Code is named, not quoted. '' for an empty message.
    """
    prose, blocks = without_code(text)
    found = [line for line in sentences(prose) if count_words(line)]
    told = [line for line in found if not _GREETING.match(line.strip())] or found
    ranked = sorted(
        range(len(told)),
        key=lambda n: (
            not any(told[n].strip() in each or each in told[n] for each in stated),
            not has_cue(told[n]),
            n > _EARLY * len(told),
            n,
        ),
    )
    left = most_words
    chosen: list[int] = []
    for n in ranked:
        words = count_words(told[n])
        if words > left and chosen:
            continue
        chosen.append(n)
        left -= words
        if left <= 0:
            break
    line, _ = clip_words(" ".join(told[n].strip() for n in sorted(chosen)), most_words)
    if blocks and most_words - count_words(line) >= count_words(_code_label(blocks)):
        line = f"{line} {_code_label(blocks)}".strip()
    return line


def says_something(text: str, *, least: int = _TELLING_WORDS) -> bool:
    """Whether a sentence may state a thing: no question, no greeting, more than a word.

    least  words of content: for a model one is enough ('Tuesday.', 'OK, with Mollie.'), and it
           tells a greeting by itself
    """
    return any(
        not line.rstrip().endswith("?")
        and (least < _TELLING_WORDS or not _GREETING.match(line.strip()))
        and len(set(content_words(line))) >= least
        for line in sentences(without_code(text)[0])
    )


def without_code(text: str) -> tuple[str, list[tuple[str, int]]]:
    """The text without its fenced blocks, and (language, lines) of each."""
    prose: list[str] = []
    blocks: list[tuple[str, int]] = []
    fence = ""
    for line in text.splitlines():
        opening = None if fence else FENCE.match(line)
        if opening is not None:
            fence = opening[1]
            blocks.append((opening[2].split()[0] if opening[2] else "", 0))
        elif fence and closes(line, fence):
            fence = ""
            prose.append("")
        elif fence:
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + 1)
        else:
            prose.append(line)
    return "\n".join(prose), blocks


def _code_label(blocks: list[tuple[str, int]]) -> str:
    shown = ", ".join(f"{language or 'code'} {lines} lines" for language, lines in blocks[:2])
    return f"[{shown}{', more' if len(blocks) > 2 else ''}]"


# A rule for the assistant; wishes ('I always take the train') are facts like others.
_HARD = re.compile(r"\b(?:never|always|must|cannot|can'?t|don'?t|do not|under no circumstances)\b")
_ORDER = re.compile(r"(?:please )?(?:do not|don'?t|never|always|under no circumstances)\b")
_USES = "uses"
_TURNED = re.compile(r"\b(?:instead|actually|no longer|changed (?:my|our) mind|from now on|switch)")
_INSTEAD = re.compile(r"[\s,]+instead\b(?! of)", re.IGNORECASE)
_TAKEN_BACK = re.compile(r"\b(?:forget|scrap|drop|ignore) (?:about )?(?:the |what i said about )")
_NOT_BUT = re.compile(
    r"no,? (?:it'?s )?not (?P<wrong>[^,;]{1,60}?)[,;.]? (?:but |use |it'?s |we use |make it )+"
    r"(?P<right>[^,;]{1,60}?)[.!]*",
    re.IGNORECASE,
)
_STATED_KINDS = ("fact", "preference", "decision", "task", "procedure")
_OWN_STREAMS = ("identity", "projects", "tasks")
_WORK_ORDERS = frozenset(["don't worry", "don't mind", "don't know", "don't think", "do not worry"])


class Rules:
    """Reads turns of one session; what the extractor says of a sentence is kept."""

    def __init__(self, vault: Vault, extractor: Extractor, *, now: int) -> None:
        self._vault = vault
        self._extractor = extractor
        self._now = now
        self._slots: dict[str, Draft | None] = {}
        self._read: dict[tuple[str, tuple[Fact, ...]], tuple[Diff, list[str]]] = {}

    def changes(self, user: str, facts: Sequence[Fact]) -> bool:
        """Whether the person's words change anything in base truth."""
        return not self._diff(user, facts)[0].is_empty

    def overtaken(self, said: Sequence[str]) -> frozenset[str]:
        """What later words of the same conversation made untrue, as it is compared.

        Left out are facts of slots with one value at a time: there the vault itself lets the
        earlier one end and keeps when it held.
        """
        facts: tuple[Fact, ...] = ()
        gone: set[str] = set()
        for text in said:
            diff, _ = self._diff(text, facts)
            for each in diff.remove:
                if not any(self._ends_in_vault(each, new) for new in diff.add):
                    gone.add(canonical(each))
            facts = apply_diff(facts, diff).facts
            gone -= {canonical(fact.text) for fact in facts}
        return frozenset(gone)

    def _ends_in_vault(self, text: str, new: str) -> bool:
        """Whether the vault's own rules let the first fact end when they are told the second."""
        before, after = self._slot(text), self._slot(new)
        if before is None or after is None or not (before.object and after.object):
            return False
        keys = [slot_key(each.subject, each.predicate) for each in (before, after)]
        return keys[0] == keys[1] != "" and self._holds_one(before.predicate) is True

    def read(
        self, user: str, assistant: str, facts: Sequence[Fact], *, words: tuple[int, int]
    ) -> Summary:
        """The summary of a turn; `words`: the most of the person's side and of the other."""
        diff, kept = self._diff(user, facts)
        return Summary(
            user=in_short(user, words[0], stated=kept),
            assistant=in_short(assistant, words[1]),
            diff=diff,
        )

    def _diff(self, user: str, facts: Sequence[Fact]) -> tuple[Diff, list[str]]:
        """What the person's words change, and the sentences that do; asked twice, read once."""
        key = user, tuple(facts)
        if key not in self._read:
            self._read = {key: self._diff_anew(user, facts)}
        return self._read[key]

    def _diff_anew(self, user: str, facts: Sequence[Fact]) -> tuple[Diff, list[str]]:
        """One sentence after the other, as one diff."""
        drafts = {canonical(draft.quote): draft for draft in self._drafts(user)}
        work = _Changes(facts)
        kept = []
        for line in sentences(without_code(own_words(user))[0]):
            task = finished_task(line, work.facts)
            if task is not None:
                work.complete_task(task)
                continue
            draft = next(
                (each for key, each in drafts.items() if key and key in canonical(line)), None
            )
            if draft is not None and not draft.rule.startswith(JUDGED):
                kept.append(line)
                self._take(draft, line, work)
            else:
                found = parse_stated(line)
                if found is not None or _is_order(line):
                    kept.append(line)
                    self._settle(bare(line), line, work, draft=None)
                elif _TAKEN_BACK.search(fold(line)):
                    work.forget(line)
                elif work.reword_fact(line):
                    kept.append(line)
                elif draft is not None and (
                    _is_truth(draft) or _ended_by(bare(draft.statement), work.facts)
                ):
                    kept.append(line)
                    self._settle(bare(draft.statement), line, work, draft=draft)
        return work.diff(), kept

    def _take(self, draft: Draft, line: str, work: _Changes) -> None:
        """What the extractor made of a sentence."""
        for subject, predicate, value in draft.ends:
            for fact in work.facts:
                known = self._slot(fact.text)
                if (
                    known is not None
                    and slot_key(known.subject, known.predicate) == slot_key(subject, predicate)
                    and part_key(known.object) == part_key(value)
                ):
                    work.remove(fact)
        if draft.rule.endswith("no-longer"):
            return
        self._settle(bare(draft.statement), line, work, draft=draft)

    def _settle(self, text: str, line: str, work: _Changes, *, draft: Draft | None) -> None:
        """A statement beside each known fact: it may end it, repeat it or stand beside it."""
        turned = _TURNED.search(fold(line)) is not None
        # 'Let's use SQLite instead' was about a thing called 'SQLite instead', and left 'We use
        # Postgres' in force.
        if draft is not None and _INSTEAD.search(text):
            text = _INSTEAD.sub("", text)  # which is no part of what is used from now on
            draft = self._slot(text) or draft
        new = self._as_stated(text, draft)
        key = _key(text)
        for fact in work.facts:
            # Without a predicate of its own words alone are compared: the fact's slot is not asked.
            slot = self._slot(fact.text) if new.predicate else None
            known = self._as_stated(fact.text, slot)
            verdict = decide(new, known, holds_one=self._holds_one)
            same_slot = turned and self._is_one_slot(new, known)
            if canonical(fact.text) == canonical(text) or verdict == SAME:
                return
            if key and key == _key(fact.text):
                verdict = SUPERSEDE
            if verdict == UNDECIDED or (verdict != UPDATE and same_slot):
                verdict = SUPERSEDE
            if verdict in (SUPERSEDE, UPDATE):
                work.remove(fact)
        for fact in _ended_by(text, work.facts):
            work.remove(fact)
        is_hard = (draft is not None and draft.kind == "rule") or _is_order(text)
        work.add(
            text,
            hard=is_hard and _HARD.search(fold(text)) is not None,
            task=draft is not None and draft.kind == "task" and not key,
        )

    def _is_one_slot(self, one: Stated, other: Stated) -> bool:
        """Whether two statements answer the same question, whatever goes on after the value.

        'We use Postgres for the project' only says that something is used; 'We use Postgres.' says
        that it is a database.
        """
        keys = {self._slot_key(each) for each in (one, other)}
        return len(keys) == 1 and "" not in keys

    def _slot_key(self, said: Stated) -> str:
        predicate = said.predicate
        if predicate == _USES and said.object:
            who = "I" if said.subject == "user" else "We"
            bare_use = self._slot(f"{who} use {said.object}.")
            predicate = bare_use.predicate if bare_use is not None else predicate
        return slot_key(said.subject, predicate)

    def _holds_one(self, predicate: str) -> bool | None:
        settings = self._vault.settings
        return holds_one(predicate, single=settings.slots_single, multiple=settings.slots_multiple)

    def _drafts(self, text: str) -> tuple[Draft, ...]:
        turn = Turn(text=text, role="user")
        source = Source(id="", turns=(turn,), is_told=True, is_spoken=True)
        drafts = self._extractor.extract(source, now=self._now).drafts
        return tuple(draft for draft in drafts if not draft.doubt)

    def _slot(self, text: str) -> Draft | None:
        if text not in self._slots:
            self._slots[text] = next(iter(self._drafts(text)), None)
        return self._slots[text]

    @staticmethod
    def _as_stated(text: str, draft: Draft | None) -> Stated:
        if draft is None:
            return Stated(text, "", "", "")
        value = _INSTEAD.sub("", draft.object)
        return Stated(text, draft.subject, draft.predicate, value)


def _is_truth(draft: Draft) -> bool:
    """Whether a sentence that no cue names belongs in base truth: the person states what holds.

    Not what happened, what somebody thinks, or what speaks of nobody ('The test fails with an
    error.'): of that the conversation goes on. What a life hangs on always does.
    """
    return bool(draft.critical) or (draft.kind in _STATED_KINDS and draft.stream in _OWN_STREAMS)


def _ended_by(text: str, facts: Sequence[Fact]) -> list[Fact]:
    """The facts that a statement surely puts an end to, by the judgement that the vault uses."""
    known = [judgement.Known(fact.text, is_hard=fact.hard) for fact in facts]
    # Ends alone: 30 turns beside 3,000 items took 141 ms each where the model of change was asked
    # of every fact, and take 76.
    found = judgement.outcomes(text, known, only_ends=True) if known else ()
    return [facts[each.place] for each in found if each.what == judgement.END]


class _Changes:
    """Base truth while the sentences of a turn are read."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = list(facts)
        self._before = {canonical(fact.text) for fact in facts}
        self._removed: list[str] = []
        self._added: list[str] = []
        self._hard: list[str] = []
        self._tasks: list[str] = []
        self._done: list[str] = []

    def remove(self, fact: Fact) -> None:
        """A fact holds no more; hard ones stay, and the diff that asks for it is warned of."""
        if canonical(fact.text) in self._before:
            self._removed.append(fact.text)
        elif fact.text in self._added:
            self._added.remove(fact.text)
        if not fact.hard:
            self.facts = [each for each in self.facts if each is not fact]

    def add(self, text: str, *, hard: bool, task: bool) -> None:
        """A fact holds from now on."""
        self._added.append(text)
        self.facts.append(Fact(text=text, hard=hard, task="open" if task else ""))
        if hard:
            self._hard.append(text)
        elif task:
            self._tasks.append(text)

    def complete_task(self, task: Fact) -> None:
        """A task is done."""
        self._done.append(task.text)

    def forget(self, line: str) -> None:
        """'Forget the budget': what has that key, or those words alone, holds no more."""
        _, _, rest = fold(line).partition(_first_match(_TAKEN_BACK, line))
        wanted = canonical(re.split(r"[,.;:!]| and | for now", rest)[0])
        for fact in list(self.facts):
            if wanted and wanted == _key(fact.text):
                self.remove(fact)
                return
        if len(wanted.split()) > 1:
            applied = apply_diff(self.facts, Diff(remove=(wanted,)))
            gone = [fact for fact in self.facts if fact not in applied.facts]
            for fact in gone:
                self.remove(fact)

    def reword_fact(self, line: str) -> bool:
        """'No, not FastAPI, use Starlette': the one fact with the wrong word has the right one.

        Where the fact says more of the wrong one than the right one may take over, that goes.
        """
        found = _NOT_BUT.fullmatch(" ".join(line.split()))
        if found is None:
            return False
        wrong = re.compile(rf"(?<!\w){re.escape(found['wrong'])}(?!\w)", re.IGNORECASE)
        meant = [fact for fact in self.facts if wrong.search(fact.text)]
        if len(meant) != 1:
            return False
        place = wrong.search(meant[0].text)
        assert place is not None
        told = replace_value(meant[0].text, place.span(), found["right"], is_use=True)
        text = told.statement if told is not None else bare(line)
        self.remove(meant[0])
        if not meant[0].hard:
            self.add(text, hard=False, task=meant[0].task == "open")
        return True

    def diff(self) -> Diff:
        """All of it, to be carried out at once."""
        return Diff(
            remove=tuple(dict.fromkeys(self._removed)),
            add=tuple(dict.fromkeys(self._added)),
            hard=tuple(self._hard),
            tasks=tuple(self._tasks),
            done=tuple(self._done),
        )


def _first_match(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(fold(text))
    return match[0] if match else ""


def _key(text: str) -> str:
    found = parse_stated(text)
    return found.key if found else ""


def _is_order(line: str) -> bool:
    """Whether a sentence tells the assistant what to do always or never."""
    text = fold(bare(line)).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return (
        _ORDER.match(text) is not None
        and not text.endswith("?")
        and not text.startswith(tuple(_WORK_ORDERS))
        and len(text.split()) > 2
    )


def needs_diff(rules: Rules, user: str, facts: Sequence[Fact]) -> bool:
    """Whether a short turn is worth reading for facts: by its cues, or because it states one."""
    return has_cue(user) or rules.changes(user, facts)


# --- base truth that grew for long, looked through ---

# Guards as for evolving summaries (algorithms 7.1): nothing comes in that was not there, and what
# disappears must be small; hard facts stay word for word.
MOST_LOST = 0.2
"""Share of the content words that pruning may lose."""
REFUSED = "pruning_refused"
_INFERENCE = re.compile(r"^(?:probably|maybe|perhaps|apparently|likely|it seems(?: that)?) ")


def is_due(turn: int, last: int, *, tokens: int, most_tokens: int, every: int) -> bool:
    """Whether to prune after a turn: so many after the last time (0: never), or it is too long."""
    return turn - last >= every or (most_tokens > 0 and tokens > most_tokens)


def prune_facts(facts: Sequence[Fact], kept: Sequence[str], *, stem: Stem) -> Applied:
    """The facts as a summariser would have them, unless that breaks a guard: then as they are.

    kept  its texts; a hard fact that misses comes back in its place
    """
    wanted = {canonical(text) for text in kept}
    hard = [fact for fact in facts if fact.hard]
    by_text = {canonical(fact.text): fact for fact in facts}
    result: list[Fact] = [fact for fact in facts if fact.hard or canonical(fact.text) in wanted]
    known = {canonical(fact.text) for fact in result}
    for text in kept:
        line, key = " ".join(text.split()), canonical(text)
        if key and key not in known:
            known.add(key)
            result.append(by_text.get(key) or Fact(text=line))
    before = _content(facts, stem)
    after = _content(result, stem)
    for fact in result:
        own = content(fact.text, stem=stem)
        if not fact.hard and own and len(own & before) / len(own) < GROUNDED:
            return _refuse(facts, f"says what no fact did: {fact.text}")
    lost = before - after - _outdated_words(facts, result, stem)
    if before and len(lost) / len(before) >= MOST_LOST:
        return _refuse(facts, "would lose: " + ", ".join(sorted(lost)[:8]))
    assert all(fact in result for fact in hard)
    return Applied(facts=tuple(result))


def pruned_by_rule(facts: Sequence[Fact], *, stem: Stem) -> Applied:
    """Without a summariser: no fact that a fuller one says as well.

    Dropped is an inference ("probably ...") once it is stated, and a fact with the key of another
    ("Database: PostgreSQL") that says the same and more, if the more is no negation.
    """
    words = [content(_without_inference_mark(fact.text), stem=stem) for fact in facts]

    def is_covered(place: int, other: int) -> bool:
        if not words[place] < words[other] and words[place] != words[other]:
            return False
        if place == other or _is_inferred(facts[other].text):
            return False
        if _is_inferred(facts[place].text):
            return True
        key, more = key_of(facts[place].text), words[other] - words[place]
        return bool(key and more) and key == key_of(facts[other].text) and not more & POLARITY

    return Applied(
        facts=tuple(
            fact
            for place, fact in enumerate(facts)
            if fact.hard
            or not words[place]
            or not any(is_covered(place, other) for other in range(len(facts)))
        )
    )


def _without_inference_mark(text: str) -> str:
    """The text without the word that makes it an inference."""
    return _INFERENCE.sub("", canonical(text))


def _is_inferred(text: str) -> bool:
    return _INFERENCE.match(canonical(text)) is not None


def _outdated_words(facts: Sequence[Fact], result: Sequence[Fact], stem: Stem) -> frozenset[str]:
    """Words of inferences that are gone: dropping those is what pruning is for."""
    left = {canonical(fact.text) for fact in result}
    gone = [fact for fact in facts if canonical(fact.text) not in left]
    return _content([fact for fact in gone if _is_inferred(fact.text)], stem)


def _content(facts: Sequence[Fact], stem: Stem) -> frozenset[str]:
    return frozenset(word for fact in facts for word in content(fact.text, stem=stem))


def _refuse(facts: Sequence[Fact], why: str) -> Applied:
    return Applied(facts=tuple(facts), warnings=(Warned(code=REFUSED, entry=why),))


_LEAD = re.compile(
    r"(?:(?:actually|no|so|and|ok|okay|also|well|wait|correction|sorry|then|right|please|now)"
    r"\b[,:]? +|(?:i|we) changed (?:my|our) minds?[,:]? +)+",
    re.IGNORECASE,
)
_IS = re.compile(
    r"(?P<key>(?:the|our|my|its|your|this) (?:[\w'’-]+ ){0,4}[\w'’-]+?)"
    r" (?:is|are|was|will be|should be|has to be|must be|moved to|changed to|moves to|becomes)"
    r"(?: now)? (?P<value>[^\s].*)",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"(?P<key>(?:the|our|my|its|your|this) (?:[\w'’-]+ ){0,4}[\w'’-]+?)"
    r" (?:runs?|costs?|takes?|lasts?|weighs?|starts?|ends?|opens?|closes?|measures?)"
    r"(?: (?:in|at|on|from|for|about|until))? (?P<value>[^\s].*)",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?P<key>[A-Za-z][\w'’-]*(?: [\w'’-]+){0,5}): (?P<value>\S.*)")
_ARTICLE = re.compile(r"^(?:the|our|my|its|your|this|new|current|max(?:imum)?) ")
# Of these a conversation says something all the time, and it is gone with the next sentence.
_VAGUE_WORDS = (
    "problem question idea thing things point reason issue issues rest same way best first only "
    "answer result one other others last next error bug output code function text example time "
    "goal plan note warning todo summary edit update ps nb ok"
)
_VAGUE_KEYS = frozenset(_VAGUE_WORDS.split())
_VAGUE_VALUES = re.compile(
    r"(?:great|good|fine|bad|nice|ok|okay|wrong|right|broken|done|perfect|clear|not |a bit|too |"
    r"so |very |still |missing|unclear|working|failing|what|how|why|that|this|it|there|to |going|"
    r"here|also|just|only|really|quite|pretty|almost|ready)\b",
    re.IGNORECASE,
)
_LONGEST_VALUE = 12  # words
_FINISHED = re.compile(
    r"\b(?:finished|completed|done with|is done|are done|is finished|sent (?:off )?the|"
    r"submitted|checked off|wrapped up|is complete)\b"
)
_TASK_VERBS = frozenset(["need", "needs", "todo", "remind", "must", "have", "finish", "done"])


class KeyValue(NamedTuple):
    """A key and its value, as a sentence has them."""

    key: str  # for comparison: without article
    value: str


def parse_stated(sentence: str) -> KeyValue | None:
    """What a sentence settles; None when it settles nothing that can be told by its form."""
    text = bare(sentence)
    if text.endswith("?"):
        return None
    found = _COLON.fullmatch(text) or _IS.fullmatch(text)
    if found is None:
        found = _MEASURED.fullmatch(text)
        if found is None or not any(character.isdigit() for character in found["value"]):
            return None
    key = _ARTICLE.sub("", canonical(found["key"]))
    value = found["value"].strip().rstrip(".!")
    if key in _VAGUE_KEYS or not key or _VAGUE_VALUES.match(value):
        return None
    if not value or len(value.split()) > _LONGEST_VALUE:
        return None
    return KeyValue(key=_ARTICLE.sub("", key), value=value)


def bare(sentence: str) -> str:
    """The sentence without the words that lead to it ('Actually, no: the port is 80')."""
    text = " ".join(sentence.split())
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    return rest[:1].upper() + rest[1:] if rest and lead else text


def finished_task(sentence: str, facts: Sequence[Fact]) -> Fact | None:
    """The open task that a sentence says is done; None when it may be several or none."""
    said = fold(sentence)
    if not _FINISHED.search(said) or said.rstrip().endswith("?"):
        return None
    words = _essence(sentence)
    scored = sorted(
        (
            (_overlap(words, _essence(fact.text)), fact.id, fact)
            for fact in facts
            if fact.task == OPEN
        ),
        key=lambda each: (-each[0], each[1]),
    )
    if not scored or scored[0][0] == 0:
        return None
    if len(scored) > 1 and scored[1][0] == scored[0][0]:
        return None
    return scored[0][2]


def _essence(text: str) -> frozenset[str]:
    return frozenset(content_words(text)) - _TASK_VERBS


def _overlap(one: Collection[str], other: Collection[str]) -> float:
    shared = frozenset(one) & frozenset(other)
    return len(shared) / len(other) if other else 0.0
