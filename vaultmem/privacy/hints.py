"""Whether a text may hold a secret at all, by plain search: no pattern is compiled for the rest.

Nearly every text that a person remembers ends here. The words are kept apart from the patterns
so that a cold `remember` loads this page only.
"""

from __future__ import annotations

# Literals of which one stands in every token of the kind; spelled as tokens spell them.
EXACT: dict[str, tuple[str, ...]] = {
    "private key": ("-----BEGIN", "AGE-SECRET-KEY-1", "PuTTY-User-Key-File"),
    "aws access key": ("AKIA", "ASIA", "ABIA", "ACCA"),
    "github token": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "github fine-grained token": ("github_pat_",),
    "gitlab token": (
        "glpat-",
        "gldt-",
        "glrt-",
        "glptt-",
        "glcbt-",
        "glft-",
        "glsoat-",
        "glagent-",
    ),
    "anthropic key": ("sk-ant-",),
    "openai key": ("sk-",),
    "google api key": ("AIza",),
    "google oauth secret": ("ya29.", "GOCSPX-", "1//0"),
    "slack token": ("xoxa-", "xoxb-", "xoxe", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"),
    "webhook address": (
        "hooks.slack.com/",
        "/api/webhooks/",
        ".webhook.office.com/",
        ".logic.azure.com",
    ),
    "stripe key": ("k_live_", "k_test_", "whsec_"),
    "npm token": ("npm_",),
    "pypi token": ("pypi-AgE",),
    "json web token": ("eyJ",),
    "telegram bot token": (":AA",),
    "twilio key": ("SK",),
    "sendgrid key": ("SG.",),
    "hugging face token": ("hf_", "api_org_"),
    "digitalocean token": ("dop_v1_", "doo_v1_", "dor_v1_"),
    "service token": (
        "gsk_",
        "xai-",
        "pplx-",
        "r8_",
        "dapi",
        "shpat_",
        "shpca_",
        "shppa_",
        "shpss_",
        "lin_api_",
        "ntn_",
        "secret_",
        "sq0atp-",
        "sq0csp-",
        "dp.pt.",
        "hvs.",
        "rubygems_",
        "PMAK-",
        "glc_",
        "sntrys_",
        "key-",
    ),
    "password in an address": ("://",),
}

# The same in any case: searched in the folded text.
FOLDED: dict[str, tuple[str, ...]] = {
    "aws secret key": ("aws", "secret", "akia", "asia"),
    "azure key": ("accountkey=", "sharedaccesskey=", "sig="),
    "authorization header": ("bearer ", "basic "),
}

# Words after which a value may stand, and what stands between them.
STRONG_WORDS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "pwd",
    "passwort",
    "kennwort",
    "contraseña",
    "mot de passe",
    "wachtwoord",
    "senha",
    "pass-phrase",
)
WEAK_WORDS = (
    "secret",
    "token",
    "api key",
    "api_key",
    "api-key",
    "apikey",
    "access key",
    "access_key",
    "access-key",
    "accesskey",
    "private_key",
    "private-key",
    "privatekey",
    "secret_key",
    "auth_key",
    "authkey",
    "encryption_key",
    "signing_key",
    "credential",
)
WORDS = STRONG_WORDS + WEAK_WORDS
ASSIGNS = (":", "=", " is ", " was ", " to ", " ist ", " lautet ", " est ", " es ", " é ")
REACH = 64  # characters after the word within which an assignment must begin

_ALL_EXACT = tuple(dict.fromkeys(literal for literals in EXACT.values() for literal in literals))
_ALL_FOLDED = ("accountkey=", "sharedaccesskey=", "sig=", "bearer ", "basic ", "aws")
# `find` is quick for these; each makes the longer words of `WORDS` unnecessary to look for.
STEMS = (
    *("pass", "pwd", "kennwort", "contrase", "mot de", "wachtwoord", "senha"),
    *("secret", "token", "key", "credential"),
)


def folded(text: str) -> str:
    """The text in lower case, character for character: positions stay what they were."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_ASCII_LOWER)


_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def may_hold_secret(text: str, lower: str) -> bool:
    """False for a text in which `secrets.find_secrets` would find nothing.

    lower  `folded(text)`
    """
    if any(literal in text for literal in _ALL_EXACT):
        return True
    return any(literal in lower for literal in _ALL_FOLDED) or is_assigned(lower)


def is_assigned(lower: str) -> bool:
    """Whether a word for a secret is followed by something that may give its value."""
    for stem in STEMS:
        at = lower.find(stem)
        while at >= 0:
            behind = lower[at : at + REACH]
            if any(sign in behind for sign in ASSIGNS):
                return True
            at = lower.find(stem, at + REACH)
    return False
