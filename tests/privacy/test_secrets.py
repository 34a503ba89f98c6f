"""Secrets are found wherever people paste them, and notes without any are left in peace."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.secrets import SHARED, real_texts
from tests.privacy.hostile import hostile_texts
from tests.privacy.tokens import MAKERS, core, samples
from vaultmem.privacy.hints import fold_case, is_assigned, present
from vaultmem.privacy.secret_kinds import kinds as all_kinds
from vaultmem.privacy.secrets import find_secrets, redact

LEAST = 0.99
MOST_FLAGGED = 0.001
NOTES = list(real_texts(SHARED)) if SHARED.is_dir() else []


def kinds(text: str) -> list[str]:
    return [secret.kind for secret in find_secrets(text)]


@pytest.mark.parametrize("kind", MAKERS)
def test_a_token_is_taken_out_wherever_it_stands(
    kind: str, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    count = times(60)
    kept = []
    for text, token, place in samples(kind, count, seed=3):
        if core(kind, token) in redact(text, find_secrets(text)):
            kept.append((place, token))
    tally(f"secrets: {kind}", tokens=count, missed=len(kept))
    assert len(kept) <= (1 - LEAST) * count, kept


def test_there_are_more_than_the_21_kinds_and_each_has_its_hints() -> None:
    assert len(MAKERS) >= 21
    assert set(MAKERS) - {"password or key"} <= {kind.name for kind in all_kinds()} | {
        "service token"
    }


@pytest.mark.parametrize("kind", MAKERS)
def test_the_cheap_look_never_hides_a_token_from_the_scan(kind: str) -> None:
    for text, _, _ in samples(kind, 40, seed=5):
        assert present(text, fold_case(text)) or is_assigned(fold_case(text))


@pytest.mark.parametrize("kind", MAKERS)
def test_what_was_taken_out_is_not_found_again(kind: str) -> None:
    for text, _, _ in samples(kind, 40, seed=4):
        clean = redact(text, find_secrets(text))
        assert find_secrets(clean) == ()


@pytest.mark.skipif(not NOTES, reason="the real notes are not on this machine")
def test_real_notes_are_hardly_ever_flagged(tally: Callable[..., None]) -> None:
    flagged = [(name, kinds(text)) for name, text in NOTES if find_secrets(text)]
    tally("secrets: real texts", texts=len(NOTES), flagged=len(flagged))
    assert len(flagged) <= MOST_FLAGGED * len(NOTES), flagged


@pytest.mark.parametrize(
    "text",
    [
        "I changed the password, and nobody told the others.",
        "A good passphrase is long: four words or more.",
        "Password: see the safe",
        "The token is required for every request.",
        "Tokens: 128000 in, 4096 out",
        "token_count = 123456789012345678",
        "password = os.environ['DB_PASSWORD']",
        "password: ${DB_PASSWORD}",
        "api_key: <your-api-key-here>",
        "api_key = process.env.API_KEY",
        "export OPENAI_API_KEY=sk-your-key-here-0000000000000000000",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "AWS writes AKIAIOSFODNN7EXAMPLE in its manuals.",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "postgres://user:password@localhost/db",
        "git clone https://${USER}:${TOKEN}@example.org/x.git",
        "The compass: north-by-northwest-7",
        "secret: [[where the key lies|under the pot]]",
        "secretary: Anna-Maria4711",
        "key: 01ARZ3NDEKTSV4RRFFQ69G5FAV-is a ULID",
        "id: 123e4567-e89b-12d3-a456-426614174000",
        "token: 123e4567-e89b-12d3-a456-426614174000",
        "aws commit da39a3ee5e6b4b0d3255bfef95601890afd80709 broke it",
        "secret of the sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "- Prefers tabs over spaces. ^i-7f3a2kq9xw",
        "source: [[keys-and-tokens-r-d6cwh11tm1x6]]",
        "-----BEGIN RSA PRIVATE KEY----- is how such a file begins.",
        "| password | token |\n| --- | --- |\n| reset every 90 days | rotates |",
        "skills: sk-learn is not sklearn, ask-me-anything-about-it-tomorrow-please",
        "eyJust a word. and another. and more words",
        "A coherent key: 0d3f6a91c27be8450f1d93a2b7c6e58d is the sum of the file.",
        "We put it together: sum 0d3f6a91c27be8450f1d93a2b7c6e58d",
        "key: /usr/share/doc/package-2/examples-of-keys/readme-first-3/index",
        "docker run -u 1000:1000 example/image # see http://localhost",
        "The species is identified by its seven-pointed leaf.",
        "Login with your name and pass the word on.",
        "I write C++ with the --user flag: it is fine",
        'the auth of the editor: "auth": "oauth2"',
        "See https://example.org:8080/@lena/notes and https://example.org/a:b@c",
    ],
)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert kinds(text) == []


def test_an_image_in_a_note_is_not_looked_at() -> None:
    chance = random.Random(5)
    data = base64.b64encode(chance.randbytes(200_000)).decode()
    parts = [data[at : at + 5_000] for at in range(0, len(data), 5_000)]
    spoilt = "/AKIAQ3EGTTQF2LUNEX7D/".join(parts) + "/SK0123456789abcdef0123456789abcdef"
    assert kinds(f"![](data:image/png;base64,{spoilt})") == []
    assert kinds(f"```\n{spoilt}\n```") == []


def test_a_secret_behind_an_image_is_found_with_its_line() -> None:
    token = next(samples("github token", 1))[1]
    [secret] = find_secrets(
        f"![](data:image/png;base64,{'iVBORw0KGgo' * 5_000})\n\nmine: {token}\n"
    )
    assert (secret.kind, secret.line) == ("github token", 3)


def test_a_short_piece_of_data_does_not_hide_a_token() -> None:
    token = next(samples("aws access key", 1))[1]
    assert kinds(f"data:text/plain;base64,{token}") == ["aws access key"]


def test_letters_that_change_length_in_lower_case_do_not_shift_a_place() -> None:
    text = "İİİİ password: q7Lm2Zx9Kp"
    [secret] = find_secrets(text)
    assert text[secret.start : secret.end] == "q7Lm2Zx9Kp"


def test_texts_made_against_the_patterns_end(tally: Callable[..., None]) -> None:
    """Each would take hours with a pattern that backtracks; `tests.bench.secrets` has the times."""
    count = 0
    for _, text in hostile_texts(4_000, every=3):
        find_secrets(text)
        count += 1
    tally("secrets: hostile texts", texts=count)
    assert count > 2_000


def test_the_record_of_a_secret_does_not_hold_it(tmp_path: Path) -> None:
    token = next(samples("npm token", 1))[1]
    assert token not in repr(find_secrets(f"x {token}"))
