"""Vectors of passages on this device: one `.npy` file for a model, by what the passages say.

A row is found by the digest of its text, not by a place in the index: a rebuilt index, a renamed
note or a moved paragraph needs no new vector. Eight bits a number and one scale a vector: the
cosine of two vectors moves by less than .01, and a quarter of the bytes are read.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

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
        length = len(next(iter(added.values()))) if added else self.dimension
        kept = [] if length != self.dimension else [k for k in keys if k in self.by_key]
        kept = sorted(set(kept) - added.keys())
        rows = np.empty(len(kept) + len(added), _row(length))
        if kept:
            rows[: len(kept)] = self.rows[[self.by_key[key] for key in kept]]
        if added:
            rows["key"][len(kept) :] = np.frombuffer(b"".join(added), f"V{KEY_BYTES}")
            codes, scales = quantised(np.array([*added.values()], np.float32))
            rows["codes"][len(kept) :], rows["scale"][len(kept) :] = codes, scales
        order = sorted(range(len(rows)), key=lambda at: rows["key"][at].tobytes())
        return Vectors(rows[order])

    def write(self, file: Path) -> None:
        """Replace the file, and drop those of other models."""
        new = file.with_name(f"{file.name}.{os.getpid()}.new")
        with open(new, "wb") as stream:
            np.save(stream, self.rows, allow_pickle=False)
        os.replace(new, file)
        drop(file.parent, but=file)


def drop(folder: Path, *, but: Path | None = None) -> None:
    """Remove all files of vectors, `but` one."""
    for file in folder.glob(f"{_PREFIX}*"):
        if file != but:
            file.unlink(missing_ok=True)


def quantised(vectors: Array) -> tuple[Array, Array]:
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
