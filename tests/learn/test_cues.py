"""What single sentences say, and what they do not, in every language that has a file."""

from __future__ import annotations

import pytest

from vaultmem.learn.conversations import Session, Utterance
from vaultmem.learn.own_statements import known_languages, load
from vaultmem.learn.patterns import sightings

# turns divided by '||', person and assistant in turn -> what the last one says
SAID = {
    "My editor preference is spaces over tabs.": "preference prefer spaces",
    "Spaces are still my preference.": "preference prefer spaces",
    "Use tabs, not spaces, from now on.": "preference prefer tabs",
    "I don't want you to use emojis.": "preference avoid emojis",
    "Don't ever use var.": "preference avoid var",
    "As always, I prefer tea to coffee.": "preference prefer tea",
    "When writing SQL, always use uppercase keywords.": "preference prefer uppercase keywords",
    "I prefer short, direct answers.": "preference prefer short, direct answers",
    "He prefers Chrome. I prefer Firefox.": "preference prefer firefox",
    "I once preferred vim, these days I prefer Helix.": "preference prefer helix",
    "As I keep saying, I prefer trains.": "preference prefer trains",
    "I always prefer trains.": "preference prefer trains",
    "I prefer dark mode and I never use light themes.": "preference prefer dark mode",
    "x||ok||That's wrong, should be UTC": "correction prefer utc",
    "x||ok||But I said no onions!": "correction prefer no onions",
    "I live in Bonn.||ok||Sorry, not Bonn, I live in Ulm.": "correction prefer i live in ulm",
    "Earlier I said 10 guests, but it's 12.": "correction prefer 12",
    "Never use anything but butter.": "preference prefer butter",
    "I think we'll go with Go.": "decision prefer go",
    "We decided against Kubernetes.": "decision avoid kubernetes",
    "We're switching from Slack to Zulip.": "decision prefer zulip",
    "Let's use Redis.||ok||Forget Redis, we're going with Kafka.": "decision prefer kafka",
    "x||Port 3000.||No, the port is 8080.": "correction prefer port is 8080",
    "x||Five.||Not quite, the total should be 42.": "correction prefer 42",
    "x||Used var.||That is not what I asked for. I asked for const.": "correction prefer const",
    "x||Uses tabs.||Spaces. Not tabs.": "correction prefer spaces",
    "x||npm.||I said pnpm, not npm.": "correction prefer pnpm",
    "x||ok||Again, please use metric units.": "correction prefer metric units",
    "We meet at 5pm.||ok||Oops, 6pm, not 5pm.": "correction prefer 6pm",
    "Ich bevorzuge kurze Antworten.": "preference prefer kurze antworten",
    "Bitte nie Koriander verwenden.": "preference avoid koriander",
    "Wir haben uns für Lissabon entschieden.": "decision prefer lissabon",
    "Wir sind von Jenkins auf GitHub Actions umgestiegen.": "decision prefer github actions",
    "Was ist das?||Mit Öl.||Nein, nicht Öl, nimm Butter.": "correction prefer butter",
    "Prefiero las unidades métricas.": "preference prefer unidades métricas",
    "Nunca uses cilantro, por favor.": "preference avoid cilantro",
    "Hemos pasado de gas a inducción.": "decision prefer inducción",
    "Hola, ¿qué es?||Con aceite.||No, no aceite, usa mantequilla.": "correction prefer mantequilla",
}
UNSAID = (
    "It's a myth that you should never use goto.",
    "We always use the same.",
    "You can always use the back door.",
    "The rule 'always use const' is silly.",
    "My previous team always use Jira and never use Trello.",
    "Someone in the forum: never use ORMs.",
    "In a perfect world I always use TDD.",
    "Is it better to always use const",
    "Most people never use the sidebar.",
    "x||ok||My boss said no, not blue, use green.",
    "x||ok||[ERROR] No, not a directory, use a file",
    "x||ok||The build should be green again.",
    "x||ok||Wrong button, sorry, ignore that",
    "Do we always use HTTPS",
    "I wouldn't say I prefer tabs.",
    "I'd prefer shorter answers if that were possible.",
    "I read that you should always use UTC.",
    "My boss wants us to always use Jira.",
    "I always forget to commit.",
    "Never say never.",
    "I like the idea of using Rust.",
    "We'll probably go with Go.",
    "I'm going with my mother to the zoo.",
    "I chose poorly, and I've picked up the kids.",
    "The decision is up to you.",
    "Let's go with it.",
    "x||ok||It's wrong to assume that users read docs.",
    "x||ok||No, you're right.",
    "x||ok||No it doesn't work",
    "x||ok||That's right, the port is 8080.",
    "x||ok||The compiler says: no, not int, use float.",
    "x||Do you have children?||No, I live alone.",
    "x||ok||I said thanks.",
    "Wenn wir Zeit hätten: ich bevorzuge Go.",
    "Meine Schwester sagt: ich bevorzuge Tee.",
    "Si tuviera tiempo, prefiero el tren.",
    "Mi hermana dice que prefiero el té.",
)


def found(talk: str) -> list[str]:
    roles = ("user", "assistant")
    turns = [
        Utterance(role=roles[number % 2], text=words)
        for number, words in enumerate(talk.split("||"))
    ]
    seen = sightings(Session(id="s", turns=tuple(turns)))
    return [f"{s.category} {s.polarity} {s.value.casefold()}" for s in seen if s.standing]


@pytest.mark.parametrize("talk", SAID)
def test_it_is_said(talk: str) -> None:
    assert SAID[talk] in found(talk)


@pytest.mark.parametrize("talk", UNSAID)
def test_it_is_not_said(talk: str) -> None:
    assert found(talk) == []


def test_a_language_is_a_file() -> None:
    assert known_languages() == ("en", "de", "es")
    lists = load("en").doubt.lists.keys()
    for name in known_languages():
        assert load(name).doubt.lists.keys() <= lists, "a list that nothing reads"
        assert load(name).preference.cues
        assert load(name).decision.cues


def test_a_huge_turn_is_read_in_bounded_time() -> None:
    for piece in ("I prefer ", "no, not ", "a " * 50 + ", ", "always use x and ", "' \" ` ( "):
        found(f"{piece * 20_000}||{piece * 20_000}||No, {piece * 20_000}")
