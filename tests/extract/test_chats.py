"""What a chat with an assistant gives: a handful of items, mostly none from the assistant."""

from __future__ import annotations

import pytest

from tests.extract.reading import only, read_chat
from vaultmem.extract.rule_extractor import HeuristicExtractor
from vaultmem.language.time import format_instant

CHATTY = [
    ("user", "Hi! How are you today?"),
    ("assistant", "I'm doing well, thanks. What can I help you with?"),
    ("user", "I'm setting up a new laptop. Which terminal would you recommend?"),
    ("assistant", "It depends on what you like. Maybe try Ghostty or WezTerm."),
    ("user", "Okay. By the way, I'm left-handed and I use Neovim for everything."),
    ("assistant", "Noted. I think Neovim works well in both."),
    ("user", "Can you write me a config for it? Please keep it short."),
    (
        "assistant",
        "Sure:\n```lua\n-- always use tabs\nvim.o.expandtab = false\n```\nI prefer tabs here.",
    ),
    ("user", "No, not tabs - use spaces."),
    ("assistant", "Fixed, it uses spaces now."),
    ("user", "Thanks! That looks great. What does line 3 do?"),
    ("assistant", "It sets the width. You might want to change it."),
    (
        "user",
        "Hmm, let me think. My sister Ema started a new job at Siemens last week, so I was late.",
    ),
    ("assistant", "Congratulations to her!"),
    ("user", "We decided to move the blog to Hugo. I need to renew the domain before June."),
    ("assistant", "Good choice. I've set a reminder for the domain to 25 May."),
    ("user", "If it breaks I might go back to Jekyll. My colleague says Hugo is slow."),
    ("assistant", "Hugo is usually fast."),
    ("user", "Remember that I'm vegetarian. Also, from now on answer in German."),
    ("assistant", "Verstanden!"),
]


def test_twenty_chatty_turns_give_just_these_items() -> None:
    extraction = read_chat(*CHATTY)
    assert [(d.kind, d.stream, d.rule, d.statement) for d in extraction.drafts] == [
        (
            "fact",
            "identity",
            "fact:health",
            "I'm left-handed and I use Neovim for everything.",
        ),
        ("preference", "identity", "correction:after-answer", "Not tabs - use spaces."),
        (
            "event",
            None,
            "event:past",
            "My sister Ema started a new job at Siemens last week, so I was late.",
        ),
        ("decision", "projects", "decision:decided", "We decided to move the blog to Hugo."),
        ("task", "tasks", "task:need", "I need to renew the domain before June."),
        (
            "event",
            "tasks",
            "event:agenda",
            "I've set a reminder for the domain to 25 May.",
        ),
        ("fact", "identity", "explicit:fact:health", "I'm vegetarian."),
        ("rule", "identity", "rule:from-now", "From now on answer in German."),
    ]
    assert len(extraction.rejected) >= 20


def test_filler_gives_no_items_and_each_is_listed() -> None:
    turns = [("user", text) for text in ("Hi!", "Thanks!", "ok", "Great, thank you so much.")]
    extraction = read_chat(*turns)
    assert extraction.drafts == ()
    assert [rejected.rule for rejected in extraction.rejected] == ["filler"] * 4


@pytest.mark.parametrize(
    "text",
    [
        "I prefer early returns.",
        "I always use early returns.",
        "I will read the file and then edit it.",
        "The server runs on port 8080.",
        "I've created the file src/app.py.",
        "I moved the function to utils.py.",
        "You decided to use Rust.",
        "Remember that you should always test.",
    ],
)
def test_the_assistants_talk_is_no_evidence(text: str) -> None:
    assert read_chat(("assistant", text)).drafts == ()


def test_what_was_agreed_or_scheduled_is_kept_with_less_confidence() -> None:
    draft = only(read_chat(("assistant", "I've set the deadline to Friday.")))
    assert (draft.kind, draft.observed, draft.confidence) == ("event", "observed", 0.6)
    assert draft.valid_from is not None
    assert format_instant(draft.valid_from) == "2026-03-13"


def test_tools_and_system_are_no_evidence() -> None:
    extraction = read_chat(("system", "I prefer tea."), ("tool", "I prefer tea."))
    assert extraction.drafts == ()
    assert [rejected.rule for rejected in extraction.rejected] == ["role", "role"]


@pytest.mark.parametrize(
    ("text", "kind", "statement"),
    [
        ("Remember that I am colour-blind.", "fact", "I am colour-blind."),
        ("remember: the gate code changes on Mondays", "fact", "The gate code changes on Mondays"),
        ("Please remember my shoe size is 43.", "fact", "My shoe size is 43."),
        ("Can you remember that I'm vegan?", "fact", "I'm vegan?"),
        ("Note to self: call the plumber", "task", "Call the plumber"),
        ("Remember, never deploy on Fridays.", "rule", "Never deploy on Fridays."),
        ("Keep in mind that we use four spaces.", "fact", "We use four spaces."),
        ("Don't forget that Ema is allergic to nuts.", "fact", "Ema is allergic to nuts."),
    ],
)
def test_a_command_to_remember_always_gives_an_item(text: str, kind: str, statement: str) -> None:
    draft = only(read_chat(("user", text)))
    assert (draft.kind, draft.statement) == (kind, statement)
    assert draft.rule.startswith("explicit")
    assert draft.confidence == 0.9
    assert draft.importance >= 4


def test_a_command_for_a_list_covers_its_bullets() -> None:
    extraction = read_chat(("user", "Remember:\n- the spare key is at Ema's\n- bins on Tuesday"))
    assert [draft.statement for draft in extraction.drafts] == [
        "The spare key is at Ema's",
        "Bins on Tuesday",
    ]


def test_a_rule_is_hard_only_when_that_was_asked_for() -> None:
    said = ("user", "Remember: never push to main.")
    assert not only(read_chat(said)).hard
    assert only(read_chat(said, extractor=HeuristicExtractor(hard=True))).hard
    plain = ("user", "I prefer tea.")
    assert not only(read_chat(plain, extractor=HeuristicExtractor(hard=True))).hard


def test_scrap_that_takes_back_what_was_just_decided() -> None:
    extraction = read_chat(
        ("user", "Let's use Redis for the job queue."),
        ("assistant", "Setting up Redis."),
        ("user", "Hmm, scrap that. We'll go with a SQLite table instead."),
    )
    assert only(extraction).statement == "We'll go with a SQLite table instead."
    assert "taken-back" in [rejected.rule for rejected in extraction.rejected]


def test_people_speak_for_themselves() -> None:
    extraction = read_chat(
        ("Caroline", "Hey Mel! I adopted a dog last week."),
        ("Melanie", "Wow, Caroline! My husband Tom loves dogs. How old is he?"),
    )
    assert [(draft.statement, draft.stream) for draft in extraction.drafts] == [
        ("Caroline: I adopted a dog last week.", None),
        ("Melanie: My husband Tom loves dogs.", None),
    ]
    assert extraction.drafts[0].quote == "I adopted a dog last week."
    assert extraction.drafts[0].entities == ("Caroline",)
    assert extraction.drafts[1].subject == "Melanie's husband Tom"


def test_the_vaults_own_person_keeps_the_first_person() -> None:
    extractor = HeuristicExtractor(owners=("Caroline",))
    first, second = read_chat(
        ("Caroline", "I am allergic to cats."),
        ("Melanie", "I am allergic to dogs."),
        extractor=extractor,
    ).drafts
    assert (first.statement, first.subject, first.stream) == (
        "I am allergic to cats.",
        "user",
        "identity",
    )
    assert (second.statement, second.subject, second.stream) == (
        "Melanie: I am allergic to dogs.",
        "Melanie",
        None,
    )


@pytest.mark.parametrize(
    "text",
    [
        "I love it!",
        "I love your new haircut.",
        "I took it yesterday.",
        "The book I read last year was good.",
        "You moved to Berlin last year.",
        "I'm so tired today.",
        "Can't wait to see you next week!",
        "I'm doing my best.",
        "We should meet up soon.",
    ],
)
def test_small_talk_between_people_gives_nothing(text: str) -> None:
    assert read_chat(("Ann", text)).drafts == ()


def test_yesterday_counts_from_the_turn() -> None:
    from tests.extract.reading import EXTRACTOR, NOW
    from vaultmem.language.time import parse_instant
    from vaultmem.model.drafts import Source, Turn

    said = parse_instant("2023-05-08T13:56")
    turn = Turn(text="I went to a support group yesterday.", speaker="Ann", said_at=said)
    draft = only(EXTRACTOR.extract(Source(id="x", turns=(turn,)), now=NOW))
    assert draft.valid_from is not None
    assert format_instant(draft.valid_from) == "2023-05-07"
    assert draft.said_at == said
