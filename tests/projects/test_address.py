"""All addresses of one remote are one spelling, without who logs in."""

from __future__ import annotations

import pytest

from tests.projects.repositories import HERON
from vaultmem.projects import address_of


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:acme/heron.git",
        "github.com:acme/heron",
        "ssh://git@github.com/acme/heron.git",
        "ssh://git@ssh.github.com:443/acme/heron.git",
        "https://github.com/acme/heron",
        "HTTPS://GitHub.COM/acme/heron.git/",
        "https://ada:secret@github.com/acme/heron.git",
        "https://ghp_0123456789abcdef0123456789abcdef0123@github.com:443/acme/heron",
        "https://github.com/acme/heron.git?access_token=secret#secret",
        "git://github.com/acme/heron.git",
    ],
)
def test_every_spelling_of_a_remote_is_one_address(url: str) -> None:
    assert address_of(url) == HERON


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/heron.git",
        "../heron",
        "C:/work/heron",
        "file:///srv/git/heron.git",
        "ext::sh -c evil",
        "https://github.com/",
        "https://github.com/../heron",
        "git@github.com:acme/`x`",
        "https://github.com/acme/heron\nproject: other",
        "https://github.com/acme/[[Bank]]",
        "https://github.com/" + "a" * 3_000,
    ],
)
def test_what_is_no_address_of_a_server_names_no_project(url: str) -> None:
    assert address_of(url) == ""


def test_another_path_is_another_address() -> None:
    assert address_of("git@github.com:acme/stork") != HERON
    assert address_of("git@git.example.org:2222/acme/heron") != HERON
