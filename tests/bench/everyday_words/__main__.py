"""Make the concepts of the index: `python -m tests.bench.everyday_words`.

Reads the TOML files beside this. A concept has words that name it in each language (`en`, `de`,
...), kinds of it that are alike in all languages (`any`: brands, medicines), kinds by language
(`kinds_en`, ...), wider concepts (`is`, of the same table), and phrases of questions that it
answers (`asked_en`, with `|` between). Words of several parts name nothing,
since questions are asked by the word. There are two tables, of things and of what is done; `life`
has more of both, by domain: a concept that a table knows is added to.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

from vaultmem.language.stems import STOP_WORDS, Stems
from vaultmem.language.text import fold
from vaultmem.storage.index.search import concepts
from vaultmem.storage.index.search.question import telling_words

TABLES = ("doing", "things")
MORE = "life"
LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt")
# Verbs and adjectives of every sentence: they tell of no concept, though they may express it.
_GENERAL = """
    take takes took taken taking run runs ran running give gives gave given giving go goes went gone
    come comes came coming get gets got getting make makes made making put puts set sets turn turns
    turned see saw seen keep keeps kept hold holds held lead leads led leave leaves left bring
    brings brought find finds found look looks looking need needs want wants last new old big small
    call calls called named heißt heissen heisst nennt llama llamo llaman appelle appeler chiama
    chiamo heet heten chama chamam good bad know knows knew known think say says said tell told use
    uses used day days time way like year years back one two first next still now always ever stay
    name names thing things
    nehmen nimmt genommen kommen kommt kam gekommen gehen geht ging gegangen machen macht gemacht
    geben gibt gab gegeben stehen steht stand lassen lässt gelassen bleiben bleibt bringen bringt
    neu alt groß klein gut immer nie will jetzt sagen sagt finden findet laufen läuft halten hält
    tomar toma tomo tomé dar da doy ir va voy fui hacer hace hago poner pone pongo salir sale venir
    viene dejar deja llevar lleva decir dice nuevo vieja viejo grande siempre nunca ahora bueno
    prendre prend prends pris faire fait fais donner donne aller va vais allé mettre met mis venir
    vient tenir tient laisser laisse dire dit nouveau vieux grand petit toujours jamais maintenant
    prendere prende preso fare fa fatto dare dato andare va vado andato mettere mette messo venire
    viene tenere tiene lasciare dire dice nuovo vecchio grande sempre mai ora
    nemen neemt genomen komen komt kwam gaan gaat ging gegaan maken maakt gemaakt geven geeft gaf
    staan staat laten laat houden houdt brengen zeggen zegt nieuw oud groot klein altijd nooit nu
    tomar toma dar dá ir vai vou fazer faz feito pôr põe vir vem deixar deixa levar leva dizer diz
    novo velho grande sempre nunca agora
"""
# 'Bin' is 'am' in German; without it no question about rubbish was answered by the bins.
_SILENT = {*STOP_WORDS, *telling_words(), *_GENERAL.split()} - {"bin"}
_ENGLISH = Stems(("en",))  # by whose stems most vaults are searched: `takings` would be `take`
_SILENT_STEMS = {_ENGLISH(word) for word in _SILENT}


Concepts = list[dict[str, Any]]


def _words(some: list[str]) -> list[str]:
    """The words that name something; those of the domains, which no other line has, marked."""
    folded = [fold(word) for word in some]
    return [
        word
        for word in dict.fromkeys(folded)
        if " " not in word
        and _ENGLISH(word.removeprefix(concepts.LIFE)) not in _SILENT_STEMS
        and word.removeprefix(concepts.LIFE) not in folded[: folded.index(word)]
    ]


def _read(name: str) -> Concepts:
    text = (Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8")
    known: Concepts = tomllib.loads(text)["concept"]
    return known


def _tables() -> list[Concepts]:
    """The concepts of both tables, after what is more of them was added."""
    tables = {name: {one["name"]: one for one in _read(name)} for name in TABLES}
    for more in _read(MORE):
        table = tables[more.get("in", "things")]
        one = table.setdefault(more["name"], {"name": more["name"]})
        for key, told in more.items():
            if key.startswith("asked_"):
                one[key] = told
            elif key not in ("name", "in"):
                some = told.split() if isinstance(told, str) else told
                if key != "is":
                    some = [concepts.LIFE + word for word in some]
                one[key] = [*one.get(key, ()), *some]
    return [list(table.values()) for table in tables.values()]


def _lines(known: Concepts, first: int) -> tuple[dict[str, str], dict[str, dict[str, None]]]:
    """The lines of the concepts of a table, numbered from `first`; which a word belongs to."""
    numbers = {one["name"]: first + place for place, one in enumerate(known)}
    narrower: defaultdict[str, list[int]] = defaultdict(list)
    for one in known:
        for wider in one.get("is", ()):
            narrower[wider].append(numbers[one["name"]])
    bare = Stems(())
    lines: dict[str, str] = {}
    of_word: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for one in known:
        wider_ones = [numbers[each] for each in one.get("is", ()) if each in numbers]
        for language in LANGUAGES:
            name = f"{concepts.MARK}{numbers[one['name']]}.{language}"
            names = _words(one.get(language, []))
            kinds = _words([*one.get(f"kinds_{language}", ()), *one.get("any", ())])
            told = (names, kinds, map(str, narrower[one["name"]]), map(str, wider_ones))
            lines[name] = "|".join(" ".join(some) for some in told)
            for phrase in one.get(f"asked_{language}", "").split("|"):
                if phrase:
                    of_word[concepts.ASKED + bare(fold(phrase.strip()))][name[1:]] = None
            for word in names:
                mark = concepts.LIFE if word.startswith(concepts.LIFE) else ""
                of_word[bare(word.removeprefix(mark))][f"{mark}{name[1:]}"] = None
            for word in kinds:
                mark = concepts.LIFE if word.startswith(concepts.LIFE) else ""
                of_word[bare(word.removeprefix(mark))][f"{mark}<{name[1:]}"] = None
    return lines, of_word


def main() -> None:
    """Writes the file."""
    lines: dict[str, str] = {}
    of_word: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for known in _tables():
        made, words = _lines(known, len(lines) // len(LANGUAGES))
        lines |= made
        for word, names in words.items():
            of_word[word].update(names)
    lines |= {word: " ".join(names) for word, names in of_word.items()}
    text = "".join(f"{key}:{told}\n" for key, told in sorted(lines.items()))
    concepts.FILE.write_bytes((concepts.HEADER + text).encode("utf-8"))
    print(len(of_word), "words,", concepts.FILE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
