"""How much of the evidence for a question is found: `python -m tests.bench.recall DATA`.

DATA is a folder with LoCoMo conversations (`conv-*.json`). Every session is remembered as a
resource in a vault of its own conversation, through the public API; then every question is asked.
A turn counts as found when a passage of it is. Categories 1 to 4 make the total; 5 (adversarial)
stands apart. The typo run puts one random edit into 30% of the words of five letters or more.

Options say something else, of every system or, with --variant, of vaultmem alone:

    --session       sessions in place of turns; each stands where its best turn does
    --budget [N]    evidence in the ranked lines that fit into N tokens; a table without N
    --shared-vault  all conversations in one vault, no filter
    --typos         misspelt questions alone
    --variant PART  vaultmem with one part of the score switched off; more than one may be given
    --rounds        asked in 2 and 3 rounds; and with the weights of further questions as published
    --embeddings URL  by meaning, too, with the model server there; beside words alone; in place of
                    an address 'multilingual' or 'minilm': with that packaged model
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from tests.bench import judging, locomo, metrics
from tests.bench.baselines import BASELINES, Baseline
from vaultmem.api.memory import Memory
from vaultmem.base.records import replace as replace_frozen
from vaultmem.config.settings import person_file
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Filters, Passage
from vaultmem.models.embedder_choice import ENDPOINT, MINILM, MULTILINGUAL, OFF
from vaultmem.recall.answer import listing
from vaultmem.storage.index.search.bm25 import Scoring

COLUMNS = ("R@1", "R@5", "R@10", "R@20", "any@10", "all@10", "MRR", "nDCG@10")
FUZZY = "fuzzy"  # is no field of Scoring, but may be switched off as well
PARTS = (*(name for name in Scoring._fields if name not in ("k1", "b")), FUZZY)
Ask = Callable[[str], list[str]]
_TALKS = Filters(types=("resource",))  # not the texts that init wrote into the streams


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One question, answered."""

    category: int
    values: dict[str, float]
    seconds: float


class Asked:
    """A conversation in a vault, asked through `Memory`."""

    def __init__(self, conversation: locomo.Conversation, root: Path) -> None:
        Memory.init(root, name=conversation.name)
        self._root = root
        _embed_by(OFF)  # whatever is installed
        self.memory = Memory(root)
        remembered = self.memory.remember_many(
            [
                Document(text=session.body(), title=session.name, extract=False)
                for session in conversation.sessions
            ]
        )
        self._sessions = {
            report.path: (session, _first_line(root / report.path, session))
            for report, session in zip(remembered, conversation.sessions, strict=True)
        }

    def rank(self, question: str, limit: int, *, rerank: bool = False) -> list[str]:
        """Ids of turns, best first."""
        found = self.memory.search(
            question, limit=limit, filters=_TALKS, by="passage", rerank=rerank
        )
        return self._turns((hit.note.path, hit.passages[0]) for hit in found.hits)

    def recall(self, question: str, limit: int, *, rerank: bool) -> list[str]:
        """Ids of the turns that the answers of `recall` show, best first."""
        found = self.memory.recall(question, limit=limit, filters=_TALKS, rerank=rerank)
        return self._turns((hit.note.path, one) for hit in found.hits for one in hit.passages)

    def rank_without(self, part: str, question: str, limit: int) -> list[str]:
        """The same with a part of PARTS switched off; files are not compared first."""
        scoring = Scoring() if part == FUZZY else Scoring(**{part: 0.0})
        return self.rank_with(scoring, question, limit=limit, fuzzy=part != FUZZY)

    def rank_with(
        self, scoring: Scoring, question: str, *, limit: int, fuzzy: bool = True
    ) -> list[str]:
        """The same with other strengths."""
        found = self.memory.opened.index.search(
            question,
            limit=limit,
            filters=_TALKS,
            fuzzy=fuzzy,
            scoring=scoring,
            now=self.memory.opened.clock.now(),
        )
        return self._turns((one.path, one.passage) for one in found.found)

    def rank_in_rounds(
        self, rounds: int, share: float | None, question: str, limit: int
    ) -> list[str]:
        """The same asked in rounds; `share` of their weight that further questions count for."""
        vault = self.memory.opened
        usual = vault.settings
        if share is not None:
            vault.settings = replace_frozen(usual, retrieval_round_share=share)
        try:
            found = listing(
                vault, question, limit=limit, filters=_TALKS, by="passage", rounds=rounds
            )
        finally:
            vault.settings = usual
        return self._turns((hit.note.path, hit.passages[0]) for hit in found.hits)

    def _turns(self, passages: Iterable[tuple[PurePosixPath, Passage]]) -> list[str]:
        turns = []
        for path, passage in passages:
            known = self._sessions.get(path)
            # Another text of the vault stands in the place of a turn, and is none that is asked.
            if known is None:
                turns.append(f"{path}#{passage.seq}")
                continue
            session, first = known
            turns.append(session.turn_at(passage.line - first + 1))
        return list(dict.fromkeys(turns))

    def switch_on(self, model: str) -> None:
        """From here on by meaning, too: with the server at an address, or the packaged model."""
        self.memory.close()
        _embed_by(model)
        self.memory = Memory(self._root)
        self.memory.reindex(embeddings=True)

    def close(self) -> None:
        """Close the vault."""
        self.memory.close()


def _embed_by(model: str) -> None:
    """Let the person's settings name a packaged model, none, or the server at an address."""
    own = Path(person_file(os.environ))
    own.parent.mkdir(parents=True, exist_ok=True)
    lines = f'provider = "{model}"\n'
    if model not in (OFF, MINILM, MULTILINGUAL):
        lines = f'provider = "{ENDPOINT}"\nbase_url = "{model}"\nmodel = "measured"\n'
    own.write_text(f"[embeddings]\n{lines}", encoding="utf-8")


def _first_line(file: Path, session: locomo.Session) -> int:
    """The line of a resource on which its text begins, from 1."""
    text = file.read_text("utf-8")
    return text.count("\n", 0, text.index(session.body())) + 1


def measure(
    questions: Sequence[locomo.Question], texts: Sequence[str], ask: Ask, judge: judging.Judge
) -> list[Measured]:
    """Ask every text in place of its question, and compare with the question's evidence."""
    found = []
    for question, text in zip(questions, texts, strict=True):
        start = time.perf_counter()
        ranked = ask(text)
        seconds = time.perf_counter() - start
        values = judge(ranked, question)
        found.append(Measured(category=question.category, values=values, seconds=seconds))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be measured."""

    columns: Sequence[str] = COLUMNS
    judge_of: Callable[[locomo.Conversation], judging.Judge] = judging.of_turns
    limit: int = max(metrics.CUTS)  # turns that are ranked
    variants: Sequence[str] = ()  # parts of PARTS to be switched off; (): compare with baselines
    spelt: bool = True
    misspelt: bool = True
    rounds: bool = False  # in rounds, in place of baselines
    embeddings: str = ""  # address of a model server, in place of baselines; '': none


def run(
    conversations: Sequence[locomo.Conversation], folder: Path, wanted: Wanted
) -> dict[str, list[Measured]]:
    """Every question to every system, plain and misspelt, by the name of the row."""
    rows: dict[str, list[Measured]] = {}
    for conversation in conversations:
        asked = Asked(conversation, folder / conversation.name)
        texts = [question.text for question in conversation.questions]
        judge = wanted.judge_of(conversation)
        for name, ask in _systems(asked, conversation, wanted):
            for is_wanted, row, said in (
                (wanted.spelt, name, texts),
                (wanted.misspelt, f"{name}, typos", locomo.with_typos(texts)),
            ):
                if is_wanted:
                    found = measure(conversation.questions, said, ask, judge)
                    rows.setdefault(row, []).extend(found)
        asked.close()
    return rows


def _systems(
    asked: Asked, conversation: locomo.Conversation, wanted: Wanted
) -> Iterator[tuple[str, Ask]]:
    """Each system by the name of its row."""
    limit = wanted.limit
    yield "vaultmem", partial(asked.rank, limit=limit)
    for part in wanted.variants:
        yield f"vaultmem without {part}", partial(asked.rank_without, part, limit=limit)
    if wanted.rounds:
        for rounds, share in ((2, None), (3, None), (2, 1.0), (3, 1.0)):
            name = f"vaultmem, {rounds} rounds{'' if share is None else ', as published'}"
            yield name, partial(asked.rank_in_rounds, rounds, share, limit=limit)
        return
    if wanted.embeddings:
        asked.switch_on(wanted.embeddings)
        yield "vaultmem, by meaning", partial(asked.rank, limit=limit)
    elif not wanted.variants:
        baselines: list[Baseline] = [make(conversation.turns()) for make in BASELINES]
        for one in baselines:
            yield one.name, partial(one.rank, limit=limit)


def table(rows: dict[str, list[Measured]], columns: Sequence[str] = COLUMNS) -> str:
    """The rows as text: overall, then by category, then the time a question took."""
    width = max(map(len, rows)) + 2
    lines = [f"{'categories 1-4':{width}}" + "".join(f"{name:>9}" for name in columns)]
    for name, found in rows.items():
        lines.append(
            f"{name:{width}}" + _values([one for one in found if one.category < 5], columns)
        )
    for category, label in locomo.CATEGORIES.items():
        count = sum(one.category == category for one in next(iter(rows.values())))
        lines += ["", f"{f'{label} ({count})':{width}}"]
        for name, found in rows.items():
            of_category = [one for one in found if one.category == category]
            lines.append(f"{name:{width}}" + _values(of_category, columns))
    lines += ["", f"{'milliseconds a question':{width}}{'median':>9}{'p95':>9}"]
    for name, found in rows.items():
        times = [one.seconds * 1000 for one in found]
        median, p95 = metrics.percentile(times, 0.5), metrics.percentile(times, 0.95)
        lines.append(f"{name:{width}}{median:9.2f}{p95:9.2f}")
    return "\n".join(lines)


def _values(found: Sequence[Measured], columns: Sequence[str]) -> str:
    return "".join(f"{metrics.mean([one.values[c] for one in found]):9.3f}" for c in columns)


def wanted_of(options: argparse.Namespace) -> Wanted:
    """What the options ask for."""
    variants = tuple(dict.fromkeys(options.variant))
    wanted = Wanted(variants=variants, embeddings=options.embeddings, rounds=options.rounds)
    if options.session:
        wanted = replace(
            wanted,
            columns=judging.SESSION_COLUMNS,
            judge_of=judging.of_sessions,
            limit=judging.DEEP,
        )
    elif options.budget is not None:
        budgets = (options.budget,) if options.budget else judging.BUDGETS
        wanted = replace(
            wanted,
            columns=tuple(map(str, budgets)),
            judge_of=judging.inside(budgets),
            limit=judging.DEEP,
        )
    is_plain_only = options.session or options.budget is not None or options.variant
    is_plain_only = is_plain_only or options.rounds
    return replace(wanted, spelt=not options.typos, misspelt=options.typos or not is_plain_only)


def parser() -> argparse.ArgumentParser:
    """What may be said on the command line."""
    known = argparse.ArgumentParser(description="recall of evidence on LoCoMo conversations")
    known.add_argument("data", type=Path, help="folder with conv-*.json")
    known.add_argument("--typos", action="store_true", help="misspelt questions alone")
    known.add_argument("--shared-vault", action="store_true", help="all of them in one vault")
    known.add_argument(
        "--variant", action="append", default=[], choices=PARTS, help="switch this part off"
    )
    known.add_argument("--rounds", action="store_true", help="asked in rounds")
    known.add_argument(
        "--embeddings", default="", metavar="URL|multilingual|minilm", help="vectors, too"
    )
    judged = known.add_mutually_exclusive_group()
    judged.add_argument("--session", action="store_true", help="rank sessions, not turns")
    judged.add_argument(
        "--budget", type=int, nargs="?", const=0, metavar="N", help="evidence inside N tokens"
    )
    return known


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    known = parser()
    options = known.parse_args(arguments)
    conversations = locomo.load(options.data)
    if not conversations:
        known.error("no conv-*.json there")
    if options.shared_vault:
        conversations = [locomo.together(conversations)]
    wanted = wanted_of(options)
    with tempfile.TemporaryDirectory(prefix="vaultmem-recall-") as name:
        folder = Path(name)
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(folder / place.lower())
        print(table(run(conversations, folder, wanted), wanted.columns))


if __name__ == "__main__":
    main()
