"""A hard limit is known by its form, in seven languages; what only sounds like one is not."""

from __future__ import annotations

import pytest

from vaultmem.judgement.sentence import judge_sentence


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Nobody climbs the scaffold alone, that's the rule here.", "safety"),
        ("Keiner geht ohne Atemschutz in die Lackierkabine.", "safety"),
        ("Nadie entra en la zanja solo.", "safety"),
        ("Jamais seul sur le toit, jamais.", "safety"),
        ("In case of emergency call my neighbour Dorota, 0161 496 0001.", "safety"),
        ("Im Notfall ist Tante Hanne zu erreichen, 0171 5550001.", "safety"),
        ("Si me pasa algo, llama a mi prima Inés.", "safety"),
        ("Please no calls before ten, I work nights.", "limit"),
        ("Keine Anrufe vor acht, ich schlafe da noch.", "limit"),
        ("Ne m'appelez jamais avant dix heures.", "limit"),
        ("The till has to work offline, the market has no signal.", "limit"),
        ("O programa tem de funcionar sem internet.", "limit"),
        ("Die Akten dürfen die Kanzlei nicht verlassen.", "limit"),
        ("The cardiologist has forbidden me to lift the twins.", "health"),
        ("Ich bin in der 22. Woche.", "health"),
        ("I black out in lifts.", "health"),
        ("Our parrot must never eat avocado.", "health"),
        ("We're Muslim, so no pork for us.", "limit"),
        ("If I eat prawns my throat closes up.", "health"),
        ("When she has egg she gets hives.", "health"),
        ("Wenn ich Sellerie ess, schwillt mir die Zunge an.", "health"),
        ("Si como fresas me lleno de ronchas.", "health"),
        ("Si je touche du latex j'ai des plaques.", "health"),
        ("Als ik garnalen eet krijg ik jeuk en een dikke keel.", "health"),
    ],
)
def test_the_form_of_a_sentence_tells_a_limit(text: str, kind: str) -> None:
    judged = judge_sentence(text)
    assert judged.is_worth
    assert judged.critical == kind


@pytest.mark.parametrize(
    "text",
    [
        "I never go to the cinema alone.",
        "My cousin repairs hearing aids.",
        "The app works offline, which is neat.",
        "Call me after nine if you like.",
        "I almost fainted when I saw the bill.",
        "We never miss a home game.",
        "I'm allergic to spreadsheets.",
        "Can nobody weld alone here?",
        "La farmacia de la plaza cierra a las nueve.",
        "Mein Chef hat schlechte Laune.",
        "If I eat another mince pie I'll burst.",
        "Whenever I take the bus to hospital I read.",
        "Wenn ich gut ess, bin ich froh.",
        "Das Gespräch war der reinste Herzinfarkt.",
    ],
)
def test_what_only_sounds_like_a_limit_is_not_critical(text: str) -> None:
    assert not judge_sentence(text).critical
