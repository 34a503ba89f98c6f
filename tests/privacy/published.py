"""Secrets of many makers, made after what the makers publish about them, in what people write.

Nothing here reads the program's table: a format that is wrong there must not be wrong here too.
Each maker draws one value; where a value says nothing of its maker by itself (32 hexadecimal
digits), `named` gives the sentences and lines in which people put it.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator

from tests.privacy.tokens import (
    ALNUM,
    ANYWHERE,
    BASE32,
    HEX,
    MAKERS,
    ONE_WORD,
    URLSAFE,
    draw,
    encoded,
    web_part,
)

Chance = random.Random
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits


def uuid(chance: Chance) -> str:
    return "-".join(draw(chance, size, HEX) for size in (8, 4, 4, 4, 12))


def password(chance: Chance) -> str:
    return draw(chance, chance.randint(7, 18)) + draw(chance, 2, string.digits) + "kQ"


def long_web_token(chance: Chance, size: int = 7_000) -> str:
    header = web_part(json.dumps({"alg": "RS256", "typ": "JWT"}).encode())
    claims = {"sub": draw(chance, 20), "groups": [draw(chance, 30) for _ in range(size // 45)]}
    return f"{header}.{web_part(json.dumps(claims).encode())}.{web_part(chance.randbytes(256))}"


def one_password(chance: Chance) -> str:
    sizes = (6, 6, 5, 5, 5, 5)
    return "A3-" + "-".join(draw(chance, size, UPPER) for size in sizes)


def service_account(chance: Chance) -> str:
    inside: dict[str, object] = {"signInAddress": "x.1password.com"}
    inside |= {"secretKey": one_password(chance)}
    inside |= {"srpX": draw(chance, 64, HEX), "muk": {"k": draw(chance, 43, URLSAFE)}}
    return "ops_" + base64.b64encode(json.dumps(inside).encode()).decode()


def discord(chance: Chance) -> str:
    number = "1" + draw(chance, 17, string.digits)
    return f"{web_part(number.encode())}.{draw(chance, 6, URLSAFE)}.{draw(chance, 38, URLSAFE)}"


def fly(chance: Chance) -> str:
    first = "fm2_" + encoded(chance, 330)
    return chance.choice((first, f"{first},fm2_{encoded(chance, 90)}", "fo1_" + draw(chance, 43)))


def sentry(chance: Chance) -> str:
    inside = {"iat": 1_700_000_000.5, "url": "https://sentry.io", "org": draw(chance, 8)}
    plain = base64.b64encode(json.dumps(inside).encode()).decode()
    return f"sntrys_{plain}_{draw(chance, 43, ALNUM + '+/')}"


def azure_client(chance: Chance) -> str:
    return f"{draw(chance, 3)}8Q~{draw(chance, 34, ALNUM + '_.-')}"


def azure_devops(chance: Chance) -> str:
    if chance.random() < 0.5:
        return draw(chance, 52, string.ascii_lowercase + "234567")
    return f"{draw(chance, 76)}AZDO{draw(chance, 4)}"


# Kind -> one value that stands for itself wherever it is.
ALONE: dict[str, Callable[[Chance], str]] = {
    **{kind: MAKERS[kind] for kind in MAKERS if kind in ("github token", "stripe key")},
    "aws bare secret": lambda c: encoded(c, 30),
    "aws session in ASIA": lambda c: "ASIA" + draw(c, 16, BASE32),
    "azure client secret": azure_client,
    "azure devops": azure_devops,
    "azure storage": lambda c: encoded(c, 64),
    "openai legacy": lambda c: f"sk-{draw(c, 20)}T3BlbkFJ{draw(c, 20)}",
    "openai project": lambda c: f"sk-proj-{draw(c, 74, URLSAFE)}T3BlbkFJ{draw(c, 73, URLSAFE)}A",
    "openai service account": lambda c: f"sk-svcacct-{draw(c, 58)}T3BlbkFJ{draw(c, 58)}",
    "openai admin": lambda c: f"sk-admin-{draw(c, 58, URLSAFE)}T3BlbkFJ{draw(c, 57, URLSAFE)}A",
    "anthropic": lambda c: f"sk-ant-api03-{draw(c, 93, URLSAFE)}AA",
    "anthropic login": lambda c: f"sk-ant-oat01-{draw(c, 93, URLSAFE)}AA",
    "hugging face": lambda c: "hf_" + draw(c, 34, string.ascii_letters),
    "atlassian": lambda c: f"ATATT3xFfGF0{draw(c, 172, URLSAFE)}={draw(c, 8, UPPER)}",
    "bitbucket": lambda c: "ATBB" + draw(c, 32),
    "docker": lambda c: "dckr_pat_" + draw(c, 27, URLSAFE),
    "terraform": lambda c: f"{draw(c, 14)}.atlasv1.{draw(c, 67)}",
    "tailscale": lambda c: f"tskey-{c.choice(('auth', 'api'))}-{draw(c, 12)}CNTRL-{draw(c, 32)}",
    "supabase": lambda c: "sbp_" + draw(c, 40, HEX),
    "supabase secret": lambda c: f"sb_secret_{draw(c, 22, URLSAFE)}_{draw(c, 8)}",
    "grafana": lambda c: f"glsa_{draw(c, 32)}_{draw(c, 8, HEX)}",
    "grafana cloud": lambda c: "glc_" + encoded(c, 100),
    "discord": discord,
    "figma": lambda c: "figd_" + draw(c, 40, URLSAFE),
    "airtable": lambda c: f"pat{draw(c, 14)}.{draw(c, 64, HEX)}",
    "new relic": lambda c: "NRAK-" + draw(c, 27, UPPER),
    "heroku": lambda c: "HRKU-AA" + draw(c, 58, URLSAFE),
    "square": lambda c: "EAAA" + draw(c, 60, URLSAFE),
    "square secret": lambda c: "sq0csp-" + draw(c, 43, URLSAFE),
    "dropbox": lambda c: "sl.u." + draw(c, 1_300, URLSAFE),
    "mailchimp": lambda c: f"{draw(c, 32, HEX)}-us{c.randint(1, 21)}",
    "vercel": lambda c: "vcp_" + draw(c, 56),
    "pinecone": lambda c: f"pcsk_{draw(c, 6)}_{draw(c, 63)}",
    "nvidia": lambda c: "nvapi-" + draw(c, 64, URLSAFE),
    "1password": one_password,
    "1password service account": service_account,
    "langsmith": lambda c: f"lsv2_pt_{draw(c, 32, HEX)}_{draw(c, 10, HEX)}",
    "digitalocean": lambda c: "dop_v1_" + draw(c, 64, HEX),
    "databricks": lambda c: f"dapi{draw(c, 32, HEX)}-2",
    "linear": lambda c: "lin_api_" + draw(c, 40),
    "notion": lambda c: "ntn_" + draw(c, 46),
    "notion of old": lambda c: "secret_" + draw(c, 43),
    "pypi": MAKERS["pypi token"],
    "npm": MAKERS["npm token"],
    "gitlab": lambda c: "glpat-" + draw(c, 20, URLSAFE),
    "gitlab routable": lambda c: (
        f"glpat-{draw(c, 27, URLSAFE)}.{draw(c, 2, LOWER)}.01{draw(c, 7, LOWER)}"
    ),
    "shopify": lambda c: "shpat_" + draw(c, 32, HEX),
    "twilio": lambda c: "SK" + draw(c, 32, HEX),
    "sendgrid": lambda c: f"SG.{draw(c, 22, URLSAFE)}.{draw(c, 43, URLSAFE)}",
    "sentry": sentry,
    "sentry user": lambda c: "sntryu_" + draw(c, 64, HEX),
    "postman": lambda c: f"PMAK-{draw(c, 24, HEX)}-{draw(c, 34, HEX)}",
    "doppler": lambda c: "dp.pt." + draw(c, 43),
    "fly.io": fly,
    "cloudflare origin": lambda c: f"v1.0-{draw(c, 24, HEX)}-{draw(c, 146, HEX)}",
    "planetscale": lambda c: "pscale_tkn_" + draw(c, 43, URLSAFE),
    "pulumi": lambda c: "pul-" + draw(c, 40, HEX),
    "circleci": lambda c: f"CCIPAT_{draw(c, 22)}_{draw(c, 40, HEX)}",
    "hubspot": lambda c: f"pat-na1-{uuid(c)}",
    "netlify": lambda c: "nfp_" + draw(c, 36),
    "render": lambda c: "rnd_" + draw(c, 32),
    "dynatrace": lambda c: f"dt0c01.{draw(c, 24, UPPER)}.{draw(c, 64, UPPER)}",
    "sonar": lambda c: "sqp_" + draw(c, 40, HEX),
    "brevo": lambda c: f"xkeysib-{draw(c, 64, HEX)}-{draw(c, 16)}",
    "contentful": lambda c: "CFPAT-" + draw(c, 43, URLSAFE),
    "asana": lambda c: (
        f"2/12{draw(c, 14, string.digits)}/12{draw(c, 14, string.digits)}:{draw(c, 32, HEX)}"
    ),
    "clickup": lambda c: f"pk_{draw(c, 8, string.digits)}_{draw(c, 32, UPPER)}",
    "braintree": lambda c: f"access_token$production${draw(c, 16, LOWER)}${draw(c, 32, HEX)}",
    "replicate": lambda c: "r8_" + draw(c, 37),
    "groq": lambda c: "gsk_" + draw(c, 52),
    "openrouter": lambda c: "sk-or-v1-" + draw(c, 64, HEX),
    "long web token": long_web_token,
    "rubygems": lambda c: "rubygems_" + draw(c, 48, HEX),
    "vault": lambda c: "hvs." + draw(c, 95, URLSAFE),
}

_NAMED = (
    "{name} api key: {value}",
    "{NAME}_API_TOKEN={value}",
    "export {NAME}_SECRET_KEY='{value}'",
    'the {name} token is "{value}", keep it for the release',
    "{name}:\n  api_key: {value}\n",
    '{{"{name}": {{"token": "{value}"}}}}',
    "I put the new {name} key {value} into the vault.",
    "- {name} token: `{value}`",
)
# Maker -> a value that says nothing of it: people name the maker beside it.
NAMED: dict[str, Callable[[Chance], str]] = {
    "cloudflare": lambda c: draw(c, 40, URLSAFE),
    "heroku": uuid,
    "pinecone": uuid,
    "datadog": lambda c: draw(c, c.choice((32, 40)), HEX),
    "vercel": lambda c: draw(c, 24),
    "twilio": lambda c: draw(c, 32, HEX),
    "algolia": lambda c: draw(c, 32, HEX),
    "atlassian": lambda c: draw(c, 24),
    "sentry": lambda c: draw(c, 64, HEX),
    "mistral": lambda c: draw(c, 32),
    "cohere": lambda c: draw(c, 40),
    "wandb": lambda c: draw(c, 40, HEX),
    "okta": lambda c: "00" + draw(c, 40, URLSAFE),
}


def session_token(chance: Chance) -> str:
    return encoded(chance, chance.randint(200, 900))


# Kind -> (what people write, the part that must go).
WRITTEN: dict[str, Callable[[Chance], tuple[str, str]]] = {}


def _written(name: str, value: Callable[[Chance], str], *forms: str) -> None:
    def write(chance: Chance) -> tuple[str, str]:
        secret = value(chance)
        return chance.choice(forms).replace("@@", secret), secret

    WRITTEN[name] = write


_written(
    "session token",
    session_token,
    '{"Credentials": {"AccessKeyId": "x", "SessionToken": "@@", "Expiration": "2026-11-02"}}',
    "AWS_SESSION_TOKEN=@@",
    'export AWS_SESSION_TOKEN="@@"\n',
    "aws_session_token = @@\n",
    "Here it is:\n\n> SessionToken: @@\n\nuse it soon",
    r"{\"SessionToken\": \"@@\", \"Version\": 1}",
    "$env:AWS_SESSION_TOKEN='@@'",
)
_written(
    "long key",
    lambda c: draw(c, c.randint(201, 3_000)),
    "api_key = '@@'",
    "token: @@",
    '"refreshToken": "@@",',
    "client_secret=@@&grant_type=refresh_token",
)
_written(
    "password by its word",
    password,
    "Kennwort: @@",
    "pw: @@",
    "PW=@@",
    "Passwort lautet @@.",
    "my wifi password is @@",
    "The password for the guest wifi is @@",
    "Das Passwort fürs WLAN ist @@",
    "das Kennwort vom Router war @@",
    "la password del wifi di casa è @@",
    "het wachtwoord van de wifi is @@",
    "a senha do wifi é @@",
    "user anna, pw: @@, door 4",
    "contraseña: @@",
    "mot de passe : @@",
    "wachtwoord: @@",
    "hasło: @@",
    "DB_PASSWORD=@@",
    '  "password": "@@",',
    "spring.datasource.password=@@",
    "mysqldump --password=@@ app",
    "wget --http-password @@ https://example.org/",
)
_written(
    "netrc",
    password,
    "login a pass @@",
    "machine example.org login anna password @@",
    "machine api.example.org\n  login anna\n  password @@\n",
    "default login anna password @@",
)
_written(
    "curl",
    password,
    "curl -u a:@@ https://example.org/v1",
    'curl --user "anna:@@" https://example.org',
    "curl -sS -X POST -u 'anna:@@' -d @x https://example.org",
    "I ran `curl -u anna:@@ https://example.org` twice",
)
_written(
    "address",
    password,
    "https://anna:@@@example.org/x.git",
    "postgres://app:@@@db.internal:5432/app?sslmode=require",
    "see redis://:@@@10.0.0.3:6379/0 for the cache",
    "mongodb+srv://app:@@@cluster0.ab1cd.mongodb.net/x",
)
_written(
    "pgpass",
    password,
    "db.example.org:5432:app:anna:@@",
    "localhost:5432:*:postgres:@@\n",
    "*:*:*:anna:@@\n# mine",
)
_written(
    "htpasswd",
    lambda c: c.choice(
        (
            f"$apr1${draw(c, 8)}${draw(c, 22)}",
            f"$2y$05${draw(c, 53)}",
            "{SHA}" + encoded(c, 20),
        )
    ),
    "anna:@@",
    "anna:@@\nlena:x\n",
)
_written(
    "docker login",
    lambda c: base64.b64encode(f"anna:{password(c)}".encode()).decode(),
    '{"auths": {"https://index.docker.io/v1/": {"auth": "@@"}}}',
    '{\n\t"auths": {\n\t\t"ghcr.io": {\n\t\t\t"auth": "@@"\n\t\t}\n\t}\n}',
)
_written(
    "npmrc",
    lambda c: draw(c, 36),
    "//registry.example.org/:_authToken=@@",
    "//npm.pkg.example.org/:_authToken=@@\nalways-auth=true\n",
)
_written(
    "npmrc of old",
    lambda c: base64.b64encode(f"anna:{password(c)}".encode()).decode(),
    "_auth=@@",
    "//registry.example.org/:_auth = @@\n",
)
_written("private key", MAKERS["private key"], "@@", "my key:\n\n@@\n\nkeep it", "```\n@@\n```")


def published(count: int, *, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """(kind, text, secret): `count` of every kind, in every place in turn."""
    places = tuple(place for place in (*ANYWHERE, *ONE_WORD) if not place.startswith((">", "_")))
    for kind, make in ALONE.items():
        chance = random.Random(f"{kind} {seed}")
        for number in range(count):
            secret = make(chance)
            yield kind, places[number % len(places)].format(secret), secret
    for name, make in NAMED.items():
        chance = random.Random(f"{name} {seed}")
        for number in range(count):
            secret = make(chance)
            form = _NAMED[number % len(_NAMED)]
            text = form.format(name=name.title(), NAME=name.upper(), value=secret)
            yield f"{name} (named)", text, secret
    for kind, write in WRITTEN.items():
        chance = random.Random(f"{kind} {seed}")
        for _ in range(count):
            yield kind, *write(chance)


def kinds() -> tuple[str, ...]:
    return (*ALONE, *(f"{name} (named)" for name in NAMED), *WRITTEN)
