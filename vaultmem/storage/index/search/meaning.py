"""How near the passages of an index are to a question, by vectors kept in a file of this device.

As with words, the neighbours of a passage count with it: its vector is joined by theirs. Their
cosines with the question need not be kept as vectors, since the product with a sum is the sum of
the products; only its length is.

Who asks what Ana painted is answered by Ana, who says "I", and by whoever talks with her, who says
"you": each turn is held against the question as its speaker would put it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vaultmem.base import Any, NamedTuple
from vaultmem.language import STOP_WORDS, fold, languages_of, vocabulary, words

# --- vectors of passages on this device ---

# A row is found by the digest of its text, not by a place in the index: a rebuilt index, a renamed
# note or a moved paragraph needs no new vector. Eight bits a number and one scale a vector: the
# cosine of two vectors moves by less than .01, and a quarter of the bytes are read.
KEY_BYTES = 16
_PREFIX = "vectors-"

Array = npt.NDArray[Any]


def key_of(text: str) -> bytes:
    """What a text's vector is kept under; 16 bytes."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def file_of(folder: Path, model: str) -> Path:
    """Where the vectors of a model lie."""
    return folder / f"{_PREFIX}{blake2b(model.encode(), digest_size=8).hexdigest()}.npy"


class Vectors:
    """Unit vectors, eight bits a number.

    rows    (n,) of key, scale, codes; sorted by key
    by_key  the row of each key
    """

    def __init__(self, rows: Array) -> None:
        self.rows = rows
        packed = rows["key"].tobytes()
        self.by_key = {
            packed[at : at + KEY_BYTES]: at // KEY_BYTES for at in range(0, len(packed), KEY_BYTES)
        }

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; 0: there is no vector."""
        return int(self.rows["codes"].shape[1]) if len(self.rows) else 0

    @classmethod
    def read(cls, file: Path) -> Vectors:
        """The vectors of a file; none where there is no file, or one that is not ours."""
        try:
            rows = np.load(file, allow_pickle=False)
            if rows.ndim != 1 or rows.dtype != _row(rows["codes"].shape[1]):
                raise ValueError
        except (OSError, ValueError, EOFError, IndexError, KeyError):
            rows = np.empty(0, _row(0))
        return cls(rows)

    def with_only(self, keys: Collection[bytes], added: Mapping[bytes, Sequence[float]]) -> Vectors:
        """Those of these keys that are kept, and new ones; all of the length of the new ones."""
        # Vectors of another length are of another model, and are like none of the new ones.
        length = len(next(iter(added.values()))) if added else self.dimension
        kept = [] if length != self.dimension else [k for k in keys if k in self.by_key]
        kept = sorted(set(kept) - added.keys())
        rows = np.empty(len(kept) + len(added), _row(length))
        if kept:
            rows[: len(kept)] = self.rows[[self.by_key[key] for key in kept]]
        if added:
            rows["key"][len(kept) :] = np.frombuffer(b"".join(added), f"V{KEY_BYTES}")
            codes, scales = quantise(np.array([*added.values()], np.float32))
            rows["codes"][len(kept) :], rows["scale"][len(kept) :] = codes, scales
        order = sorted(range(len(rows)), key=lambda at: rows["key"][at].tobytes())
        return Vectors(rows[order])

    def write(self, file: Path) -> None:
        """Replace the file, and drop those of other models."""
        new = file.with_name(f"{file.name}.{os.urandom(4).hex()}.new")
        with open(new, "wb") as stream:
            np.save(stream, self.rows, allow_pickle=False)
        os.replace(new, file)
        drop(file.parent, but=file)


def drop(folder: Path, *, but: Path | None = None) -> None:
    """Remove all files of vectors, `but` one."""
    for file in folder.glob(f"{_PREFIX}*"):
        if file != but:
            file.unlink(missing_ok=True)


def quantise(vectors: Array) -> tuple[Array, Array]:
    """(codes, scales) of vectors (n, d), brought to length 1: scale x codes is about the vector.

    A vector of zeros stays one, and is like nothing.
    """
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, where=lengths > 0, out=np.zeros_like(vectors))
    scales = np.abs(unit).max(axis=1, initial=0.0) / 127
    steps = np.where(scales > 0, scales, 1.0)[:, None]
    return np.rint(unit / steps).astype(np.int8), scales.astype(np.float32)


def _row(length: int) -> np.dtype[Any]:
    return np.dtype([("key", f"V{KEY_BYTES}"), ("scale", "<f4"), ("codes", "i1", (length,))])


# Two passages to either side with weights of .4, .3, .2, .2 (retrieval.md section 7, T3) give R@10
# .850 on LoCoMo where these give .854; questions as they are asked .845 (docs/experiments.md).
WEIGHTS = ((-1, 0.5), (1, 0.3), (-2, 0.25), (2, 0.2), (-3, 0.1), (3, 0.1))
# As much as the words of any question have to weigh for an answer (recall/enough.py), one of two
# words too: at .25, which is not enough for those, 7 of 200 everyday questions fewer are answered.
ANSWERING = 0.4
_BLOCK = 8_192  # vectors that are numbers of four bytes at one time


# --- a question as the sides of a talk would put it ---


class Forms(NamedTuple):
    """A question about people who speak in the vault, as they would put it in a talk."""

    named: frozenset[str]  # the speakers whom it names
    own: str  # as they say it: 'What did I paint?'
    other: str  # as somebody says it to them: 'What did you paint?'


def speakers_by_name(speakers: Collection[str]) -> dict[str, list[str]]:
    """The speakers by their first names, folded; without names that are words of every text."""
    found: dict[str, list[str]] = {}
    for speaker in sorted(speakers):
        first = next(iter(words(fold(speaker))), "")
        if len(first) > 1 and first not in STOP_WORDS:
            found.setdefault(first, []).append(speaker)
    return found


def forms_of(question: str, speakers: Mapping[str, Sequence[str]]) -> Forms | None:
    """A question that names speakers, in both forms; None: it names none, or speaks of its asker.

    speakers  by first name, folded; written small, a name counts in a question without capitals
    """
    said = words(fold(question))
    asked = [name for name in dict.fromkeys(said) if name in speakers]
    own, owns, other, others = _as_said(_language(said))
    if not asked or not {own.lower(), owns, "me"}.isdisjoint(said):
        return None
    written = {each for name in asked for one in speakers[name] for each in (one, one.split()[0])}
    spelt = "|".join(map(re.escape, sorted(written, key=lambda one: (-len(one), one))))
    # 'Rose' and 'Mark' are names with a capital alone, as in recall by words.
    as_written = re.IGNORECASE if question == question.lower() else re.NOFLAG
    names = re.compile(rf"(?<!\w)({spelt})(?!\w)(['’]s?(?!\w))?", as_written)
    met = {words(fold(one[1]))[0] for one in names.finditer(question)}
    if not met:
        return None
    return Forms(
        frozenset(one for name in met for one in speakers[name]),
        names.sub(lambda one: owns if one[2] else own, question),
        names.sub(lambda one: others if one[2] else other, question),
    )


@cache
def _as_said(language: str) -> tuple[str, str, str, str]:
    """I, my, you and your in a language."""
    own, owns, other, others = vocabulary("function_words", language)["as said"].split()
    return own, owns, other, others


def _language(said: Sequence[str]) -> str:
    """The language that most of a question's small words are of; English where none is more."""
    asked, best, most = frozenset(said), "en", sum(word in STOP_WORDS for word in said)
    for language in languages_of("function_words"):
        told = vocabulary("function_words", language)
        count = len(asked.intersection(f"{told['telling']} {told['english too']}".split()))
        if count > most and told["as said"]:
            best, most = language, count
    return best


class Meaning:
    """The vectors of the passages of one state of an index.

    passages  (id, first passage of its note, text), ascending by id
    speakers  who says a passage, by its id; others are not said
    lacking   the texts that have no vector yet, in this order: the newest last
    """

    def __init__(
        self,
        passages: Sequence[tuple[int, int, str]],
        vectors: Vectors,
        speakers: Mapping[int, str],
    ) -> None:
        self.ids = np.array([id_ for id_, _, _ in passages], np.int64)
        self._notes = np.array([first for _, first, _ in passages], np.int64)
        self._numbers = {name: place for place, name in enumerate(sorted({*speakers.values()}))}
        self.speakers = speakers_by_name(self._numbers)
        said_by = (self._numbers.get(speakers.get(id_, ""), -1) for id_, _, _ in passages)
        self._said_by = np.fromiter(said_by, np.int32, len(passages))
        rows = [vectors.by_key.get(key_of(text), -1) for _, _, text in passages]
        self.known = np.array(rows, np.int64) >= 0
        self.dimension = vectors.dimension
        waiting = (text for place, (_, _, text) in enumerate(passages) if not self.known[place])
        self.lacking = tuple(dict.fromkeys(waiting))
        picked = vectors.rows[np.where(self.known, rows, 0)] if len(vectors.rows) else None
        self._codes: Array = (
            picked["codes"] if picked is not None else np.zeros((len(rows), 0), np.int8)
        )
        scales: Array = picked["scale"] if picked is not None else np.zeros(len(rows), np.float32)
        self._scales = np.where(self.known, scales, np.float32(0))
        self._lengths = self._joined_lengths()

    def likeness(
        self,
        questions: Sequence[Sequence[float]],
        *,
        named: Collection[str] = (),
        answers_from: float,
        gain: float,
    ) -> Likeness:
        """Of every passage to a question of the dimension of the vectors.

        questions  the question; with `named` also as these say it, and as is said to them
        named      the speakers whom it names
        """
        asked: Array = np.array(questions, np.float32).T
        lengths = np.linalg.norm(asked.astype(np.float64), axis=0)
        asked /= np.where(lengths > 0, lengths, 1.0).astype(np.float32)
        cosines = np.zeros((len(self.ids), asked.shape[1]), np.float32)
        for start in range(0, len(self.ids), _BLOCK):
            cosines[start : start + _BLOCK] = self._block(start, start + _BLOCK) @ asked
        alone = cosines[:, 0]
        said = self._as_said(cosines, named) if named else alone
        total = said.copy()
        for step, weight in WEIGHTS:
            here, there = self._pairs(step)
            total[here] += weight * said[there]
        joined = np.divide(total, self._lengths, where=self._lengths > 0, out=np.zeros_like(total))
        return Likeness(
            self.ids,
            alone=alone,
            joined=joined,
            known=self.known,
            answers_from=answers_from,
            gain=gain,
        )

    def _as_said(self, cosines: Array, named: Collection[str]) -> Array:
        """The cosine of each passage with the question as its speaker would put it."""
        is_own = np.isin(self._said_by, [self._numbers[name] for name in named])
        # Somebody who talks with others says "you" of others.
        is_theirs = (self._said_by >= 0) & np.isin(self._notes, self._notes[is_own])
        return np.where(is_own, cosines[:, 1], np.where(is_theirs, cosines[:, 2], cosines[:, 0]))

    def _block(self, start: int, end: int) -> Array:
        scales = self._scales[start:end, None]
        return self._codes[start:end].astype(np.float32) * scales

    def _pairs(self, step: int) -> tuple[Array, Array]:
        """(places, places of their neighbours so many passages on), within a note."""
        here = np.arange(max(0, -step), len(self.ids) - max(0, step))
        there = here + step
        same = (self._notes[here] == self._notes[there]) & (
            self.ids[there] - self.ids[here] == step
        )
        return here[same], there[same]

    def _joined_lengths(self) -> Array:
        """Lengths of the vectors after their neighbours joined them, (n,)."""
        count, reach = len(self.ids), max(abs(step) for step, _ in WEIGHTS)
        masks = []
        for step, weight in WEIGHTS:
            mask = np.zeros(count, np.float32)
            mask[self._pairs(step)[0]] = weight
            masks.append((step, mask))
        lengths = np.zeros(count, np.float32)
        for start in range(0, count, _BLOCK):
            end, low = min(count, start + _BLOCK), max(0, start - reach)
            near = self._block(low, end + reach)
            total = near[start - low : end - low].copy()
            for step, mask in masks:
                here = np.flatnonzero(mask[start:end])
                total[here] += mask[start + here, None] * near[here + start - low + step]
            lengths[start:end] = np.linalg.norm(total, axis=1)
        return lengths


class Likeness:
    """How like each passage is to one question: cosines, -1 to 1.

    answers_from  the cosine from which a passage answers without a word of the question
    gain          what a cosine of 1 gives, as a share of the question's weight
    """

    def __init__(
        self,
        ids: Array,
        *,
        alone: Array,
        joined: Array,
        known: Array,
        answers_from: float,
        gain: float,
    ) -> None:
        self.gain = gain
        self._answers_from = answers_from
        self._ids = ids
        self._alone = alone
        self._joined = joined
        self._known = known

    def nearest(self, limit: int, passes: Callable[[int], bool] | None) -> list[int]:
        """The `limit` passages that are the most like it, ascending; ties by id."""
        likely = np.flatnonzero(self._known & (self._joined > 0))
        order = likely[np.argsort(-self._joined[likely], kind="stable")]
        found: list[int] = []
        for place in order:
            passage = int(self._ids[place])
            if passes is None or passes(passage):
                found.append(passage)
                if len(found) == limit:
                    break
        return sorted(found)

    def of(self, passages: Sequence[int]) -> dict[int, tuple[float, bool]]:
        """(cosine with its neighbours' help, it has a vector) of each passage.

        One without a vector is as like as the others are on average: what was written since the
        last sync neither gains nor loses by it.
        """
        wanted = np.array(passages, np.int64)
        places = np.searchsorted(self._ids, wanted)
        places[places == len(self._ids)] = 0
        has = self._known[places] & (self._ids[places] == wanted)
        values = np.maximum(self._joined[places], 0)
        mean = float(values[has].mean()) if has.any() else 0.0
        filled: list[Any] = np.where(has, values, mean).tolist()
        return dict(zip(passages, zip(filled, has.tolist(), strict=True), strict=True))

    def coverage(self, passage: int) -> float:
        """The cosine of a passage by itself, if it is enough for an answer; else 0.

        Cosines of a model may be small: what is enough counts as enough words would.
        """
        place = int(np.searchsorted(self._ids, passage))
        if place == len(self._ids) or self._ids[place] != passage or not self._known[place]:
            return 0.0
        cosine = float(self._alone[place])
        # A cosine of .17 was below the share of words that answers, so meaning alone never
        # answered.
        return max(cosine, ANSWERING) if cosine >= self._answers_from else 0.0
