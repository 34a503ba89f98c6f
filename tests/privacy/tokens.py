"""Tokens of every kind as their makers issue them, and the places where people paste them.

The shapes are written from the makers' documentation, not from the patterns of the program: JSON
Web Tokens are encoded, GitHub's and npm's check sums are computed, private keys are wrapped as
the tools wrap them.
"""

from __future__ import annotations

import base64
import json
import random
import string
import zlib
from collections.abc import Callable, Iterator

ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
BASE32 = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def draw(chance: random.Random, count: int, of: str = ALNUM) -> str:
    return "".join(chance.choice(of) for _ in range(count))


def encoded(chance: random.Random, size: int) -> str:
    """Base64 of random bytes."""
    return base64.b64encode(chance.randbytes(size)).decode()


def web_part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def checked(chance: random.Random, prefix: str) -> str:
    """30 random characters and their CRC-32 in base 62 (GitHub, npm)."""
    body = draw(chance, 30)
    rest, spelled = zlib.crc32(body.encode()), ""
    while rest:
        rest, digit = divmod(rest, 62)
        spelled = BASE62[digit] + spelled
    return prefix + body + spelled.rjust(6, "0")


def wrapped(chance: random.Random, label: str, size: int, width: int) -> str:
    text = encoded(chance, size)
    lines = [text[at : at + width] for at in range(0, len(text), width)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"])


def private_key(chance: random.Random) -> str:
    kind = chance.randrange(5)
    if kind == 0:
        return wrapped(chance, "RSA PRIVATE KEY", chance.choice((608, 1190)), 64)
    if kind == 1:
        return wrapped(chance, "OPENSSH PRIVATE KEY", chance.choice((300, 1800)), 70)
    if kind == 2:
        return wrapped(chance, "EC PRIVATE KEY", 121, 64)
    if kind == 3:
        block = wrapped(chance, "PGP PRIVATE KEY BLOCK", 900, 64)
        return block.replace("-----\n", "-----\nVersion: GnuPG v2\n\n", 1)
    return wrapped(chance, "PRIVATE KEY", chance.choice((48, 1216)), 64)


def web_token(chance: random.Random) -> str:
    header = {"alg": chance.choice(("HS256", "RS256", "ES256")), "typ": "JWT"}
    if chance.random() < 0.4:
        header = {"typ": "JWT", **header, "kid": draw(chance, 20)}
    claims = {"sub": draw(chance, chance.randint(4, 40)), "iat": 1_700_000_000, "admin": True}
    separators = chance.choice(((",", ":"), (", ", ": ")))
    parts = [json.dumps(part, separators=separators).encode() for part in (header, claims)]
    return ".".join((*map(web_part, parts), web_part(chance.randbytes(chance.choice((32, 256))))))


def slack_token(chance: random.Random) -> str:
    numbers = f"{draw(chance, 12, string.digits)}-{draw(chance, 13, string.digits)}"
    return chance.choice(
        (
            f"xoxb-{numbers}-{draw(chance, 24)}",
            f"xoxp-{numbers}-{draw(chance, 12, string.digits)}-{draw(chance, 32, HEX)}",
            f"xoxe.xoxp-1-{draw(chance, 146)}",
            f"xapp-1-A{draw(chance, 10, BASE32)}-{draw(chance, 13, HEX)}-{draw(chance, 64, HEX)}",
        )
    )


def openai_key(chance: random.Random) -> str:
    kind = chance.randrange(3)
    if kind == 0:
        return f"sk-{draw(chance, 20)}T3BlbkFJ{draw(chance, 20)}"
    middle = chance.choice(("proj", "svcacct", "admin"))
    return f"sk-{middle}-{draw(chance, 74, URLSAFE)}T3BlbkFJ{draw(chance, 73, URLSAFE)}A"


def password(chance: random.Random) -> str:
    kind = chance.randrange(3)
    if kind == 0:
        return draw(chance, chance.randint(8, 20)) + str(chance.randint(0, 9)) + "x"
    if kind == 1:
        return draw(chance, chance.randint(8, 16), ALNUM + "!#%^*+") + "7q"
    words = ("correct", "horse", "battery", "staple", "tulip", "granite", "oxide")
    return "-".join(chance.sample(words, 3)) + str(chance.randint(10, 99))


def address(chance: random.Random) -> str:
    scheme = chance.choice(
        ("postgres", "postgresql+psycopg", "mysql", "mongodb+srv", "redis", "amqp", "https", "ftp")
    )
    user = "" if scheme == "redis" else chance.choice(("app", "admin", "root", "svc_user"))
    host = chance.choice(("db.internal:5432/app", "10.0.0.3", "cluster0.ab1cd.mongodb.net/x?w=1"))
    return f"{scheme}://{user}:{draw(chance, chance.randint(8, 24), ALNUM + '!%_-')}9k@{host}"


def assignment(chance: random.Random) -> str:
    name = chance.choice(
        ("password", "DB_PASSWORD", "api_key", "apiKey", "client_secret", "auth_token", "Passwort")
    )
    value = draw(chance, 32) if "pass" not in name.lower() else password(chance)
    return chance.choice(
        (f"{name}: {value}", f"{name} = {value}", f'{name} = "{value}"', f"'{name}': '{value}'")
    )


def google_oauth(chance: random.Random) -> str:
    return chance.choice(
        (
            f"ya29.{draw(chance, 120, URLSAFE)}",
            f"GOCSPX-{draw(chance, 28, URLSAFE)}",
            f"1//0{draw(chance, 60, URLSAFE)}",
        )
    )


def azure(chance: random.Random) -> str:
    signed = encoded(chance, 32).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
    store = "DefaultEndpointsProtocol=https;AccountName=store1;"
    bus = "Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;"
    blob = "https://store1.blob.core.windows.net/c/b.txt?sv=2023-11-03&st=2026-01-01&sr=b&sp=r"
    return chance.choice(
        (
            f"{store}AccountKey={encoded(chance, 64)};EndpointSuffix=core.windows.net",
            f"{bus}SharedAccessKey={encoded(chance, 32)}",
            f"{blob}&sig={signed}",
        )
    )


def webhook(chance: random.Random) -> str:
    if chance.random() < 0.4:
        where = f"{draw(chance, 18, '123456789')}/{draw(chance, 68, URLSAFE)}"
        return f"https://discord.com/api/webhooks/{where}"
    team, bot = draw(chance, 9, BASE32), draw(chance, 10, BASE32)
    return f"https://hooks.slack.com/services/T{team}/B{bot}/{draw(chance, 24)}"


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "private key": private_key,
    "aws access key": lambda c: c.choice(("AKIA", "ASIA")) + draw(c, 16, BASE32),
    "aws secret key": lambda c: f"aws_secret_access_key = {encoded(c, 30)}",
    "github token": lambda c: checked(c, c.choice(("ghp_", "gho_", "ghu_", "ghs_", "ghr_"))),
    "github fine-grained token": lambda c: f"github_pat_{draw(c, 22)}_{draw(c, 59)}",
    "gitlab token": lambda c: c.choice(("glpat-", "gldt-", "glrt-")) + draw(c, 20, URLSAFE),
    "openai key": openai_key,
    "anthropic key": lambda c: f"sk-ant-{c.choice(('api03', 'admin01'))}-{draw(c, 93, URLSAFE)}AA",
    "google api key": lambda c: "AIza" + draw(c, 35, URLSAFE),
    "google oauth secret": google_oauth,
    "slack token": slack_token,
    "webhook address": webhook,
    "stripe key": lambda c: f"{c.choice(('sk', 'rk'))}_{c.choice(('live', 'test'))}_{draw(c, 24)}",
    "npm token": lambda c: checked(c, "npm_"),
    "pypi token": lambda c: "pypi-" + web_part(b"\x02\x01\x08pypi.org\x02$" + c.randbytes(110)),
    "json web token": web_token,
    "telegram bot token": lambda c: f"{draw(c, 10, '123456789')}:AA{draw(c, 33, URLSAFE)}",
    "twilio key": lambda c: "SK" + draw(c, 32, HEX),
    "sendgrid key": lambda c: f"SG.{draw(c, 22, URLSAFE)}.{draw(c, 43, URLSAFE)}",
    "azure key": azure,
    "hugging face token": lambda c: "hf_" + draw(c, 34, string.ascii_letters),
    "digitalocean token": lambda c: f"{c.choice(('dop', 'doo', 'dor'))}_v1_{draw(c, 64, HEX)}",
    "password in an address": address,
    "password or key": assignment,
    "authorization header": lambda c: c.choice(
        (f"Authorization: Bearer {draw(c, 40)}", f"authorization: Basic {encoded(c, 24)}")
    ),
    "service token": lambda c: c.choice(
        (
            "gsk_" + draw(c, 52),
            "xai-" + draw(c, 80),
            "lin_api_" + draw(c, 40),
            "shpat_" + draw(c, 32, HEX),
            "dapi" + draw(c, 32, HEX),
            "hvs." + draw(c, 90, URLSAFE),
        )
    ),
}
# `{}` is the token. What whole lines or headers need to stay what they are is left to them.
ANYWHERE = (
    "{}",
    "Here is the one for staging: {}. Please do not share it.",
    "Lena sent me {} yesterday, and it works.",
    "Mein Schlüssel lautet {} – bitte löschen.",
    "- [ ] rotate `{}` before Friday",
    "> quoted by mail:\n> {}\n> regards",
    '"{}"',
    "**{}**",
    "```sh\nexport X={}\n```\n",
    "steps:\r\n  - run: deploy\r\n    with: {}\r\n",
    "日本語のメモ {} です",
    "line one\n\n{}\n\nline two\n",
)
ONE_WORD = (
    "https://example.org/cb?state=1&code={}&x=2",
    "curl -H 'X-Auth: {}' https://example.org/v1",
    "client = Client('{}')  # noqa",
    '{{"value": "{}", "n": 3}}',
    '"first line\\n{}\\nlast line"',
    "| name | value |\n| --- | --- |\n| prod | {} |",
    "_{}_",
    "[the key]({})",
    "KEY={}\nOTHER=1\n",
    "<td>{}</td>",
    "<!-- {} -->",
)
WHOLE = frozenset(("private key", "password or key", "authorization header", "aws secret key"))


def contexts(kind: str) -> tuple[str, ...]:
    """Where a token of the kind may stand."""
    return ANYWHERE if kind in WHOLE or "address" in kind else ANYWHERE + ONE_WORD


def samples(kind: str, count: int, *, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """(text, token, context) of one kind, every context in turn."""
    chance = random.Random(f"{kind} {seed}")
    places = contexts(kind)
    for number in range(count):
        token = MAKERS[kind](chance)
        place = places[number % len(places)]
        if place.startswith(">"):
            token = token.replace("\n", "\n> ")
        yield place.format(token), token, place


def core(kind: str, token: str) -> str:
    """The part of a token that must not survive: what was drawn, without the words around it."""
    for mark in ("AccountKey=", "SharedAccessKey=", "sig=", "earer ", "asic ", "/services/"):
        if mark in token:
            return token.split(mark)[-1].split(";")[0]
    if kind == "password in an address":
        return token.rsplit("@", 1)[0].rsplit(":", 1)[1]
    if kind in ("password or key", "aws secret key"):
        return token.split("=", 1)[-1].split(": ", 1)[-1].strip(" '\"")
    if "/api/webhooks/" in token:
        return token.split("/api/webhooks/")[1]
    return token
