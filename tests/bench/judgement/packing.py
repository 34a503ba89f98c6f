"""Pack the lists of words that judgement reads: `python -m tests.bench.judgement.packing`.

Writes `vaultmem/judgement/{cues,aspects}.packed` from the TOML beside them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from vaultmem.judgement import aspects
from vaultmem.judgement import introductions as cues
from vaultmem.judgement.introductions import FOLDER, HEADER
from vaultmem.judgement.pairs.clauses import words_in
from vaultmem.judgement.pairs.cue_phrases import KEY


def packed_cues() -> str:
    """Each language of `whose/`, its words and phrases folded."""
    files = sorted((FOLDER / "whose").glob("*.toml"))
    sections = {file.stem: _of_language(tomllib.loads(file.read_text("utf-8"))) for file in files}
    return _text(sections)


def _of_language(data: dict[str, str | dict[str, str]]) -> dict[str, str]:
    marks = data["marks"]
    assert isinstance(marks, dict)
    roles = set(cues.fold_accents(marks.get("roles", "")).split())
    words = {key: set(cues.fold_accents(_told(data, key)).split()) for key in cues.WORDS}
    phrases = {
        key: [cues.words_of(each) for each in _told(data, key).split("|") if each.strip()]
        for key in cues.PHRASES
    }
    spoken = {word for told in phrases.values() for phrase in told for word in phrase}
    words["vocabulary"] = spoken.union(*words.values()) - roles
    words["ask_words"] = {word for phrase in phrases["ask"] for word in phrase}
    words["roles"] = roles
    return {
        **{key: " ".join(sorted(told)) for key, told in words.items()},
        **{key: "|".join(map(" ".join, told)) for key, told in phrases.items()},
        **{
            f"{cues.MARKS}{kind}": "|".join(map(cues.fold_accents, told.split("|")))
            for kind, told in sorted(marks.items())
            if kind != "roles"
        },
    }


def _told(data: dict[str, str | dict[str, str]], key: str) -> str:
    told = data.get(key, "")
    assert isinstance(told, str)
    return told


def packed_aspects() -> str:
    """Phrases by the letters that they begin with, and the other words, of all languages."""
    data = tomllib.loads((FOLDER / "aspects.toml").read_text("utf-8"))
    phrases: dict[str, dict[str, None]] = {}
    for kind in (
        *(aspects.ENDS, aspects.CORRECTS, aspects.CHANGES, aspects.LOSES, aspects.UNSURE),
        *(aspects.AGAIN, *aspects._TOLD, aspects.LASTING),
    ):
        for told in "|".join(data[kind].values()).split("|"):
            phrase = list(_phrase(told))
            phrases.setdefault(_key(phrase[0]), {})[" ".join((kind, *phrase))] = None
    stop = {word.low for told in data["stop"].values() for word in words_in(told)}
    kinds = (aspects.HOME, aspects.JOB, aspects.AGE, *aspects.PERHAPS)
    telling = "|".join("|".join(data[kind].values()) for kind in kinds).split("|")
    longest = {max(each.split(), key=len).rstrip("*") for each in telling if "#" not in each}
    labels = set(" ".join(data["labels"].values()).split())
    amounts = set(" ".join(data["amounts"].values()).split())
    return _text(
        {
            "phrases": {key: "|".join(told) for key, told in phrases.items()},
            "words": {
                "stop": " ".join(sorted(stop)),
                "labels": " ".join(sorted(labels)),
                "amounts": " ".join(sorted(amounts)),
                "telling": " ".join(sorted(longest)),
                "breaks": "|".join(dict.fromkeys("|".join(data["breaks"].values()).split("|"))),
                "joined": data["joined"]["all"],
            },
            "look": data["look"],
        }
    )


def _phrase(told: str) -> Iterator[str]:
    for word in told.split():
        if word in ("..", "#"):
            yield word
            continue
        *first, last = words_in(word)
        yield from (each.low for each in first)
        yield last.low + ("*" if word.endswith("*") else "")


def _key(word: str) -> str:
    if len(word.rstrip("*")) < KEY and word.endswith("*"):
        raise ValueError(f"'{word}' is too short a beginning")
    return word.rstrip("*")[:KEY]


def _text(sections: dict[str, dict[str, str]]) -> str:
    lines = [HEADER]
    for title, rows in sections.items():
        lines.append(f"[{title}]\n")
        lines += [f"{key}={value}\n" for key, value in rows.items()]
    return "".join(lines)


if __name__ == "__main__":
    (FOLDER / "cues.packed").write_text(packed_cues(), encoding="utf-8", newline="\n")
    (FOLDER / "aspects.packed").write_text(packed_aspects(), encoding="utf-8", newline="\n")
