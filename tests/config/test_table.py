"""Every setting once, in one table, and on one page."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.config.files import Environ, messages, person, settings_of
from tests.house import plan
from vaultmem.base.errors import UnsafePathError
from vaultmem.config import settings_table, values
from vaultmem.config.llm import (
    ROLES,
    ReflectionSettings,
    learning_settings,
    model_settings,
    reflection_settings,
    session_settings,
    upstream_settings,
)
from vaultmem.config.setting import BOTH, PERSON, VAULT, Knob, Value
from vaultmem.config.settings import load_settings, named_vaults, open_settings, person_file
from vaultmem.config.settings_table import knob_by_key, knobs
from vaultmem.config.state import CODE
from vaultmem.config.values import check

MODELS = ("llm.", "proxy.", "reflection.")
LEARNING = (*("consolidation.", "procedures.", "profile."),)
SESSIONS = "sessions."
BY_PART = (
    *MODELS,
    *LEARNING,
    SESSIONS,
)  # read by functions of their own, so no attributes of Settings
UPSTREAMS = ("openai", "anthropic")
IN_USE = knobs()


def source_of(rooms: set[str]) -> str:
    """All the code of some rooms of the package."""
    files = [file for name, file in plan.modules().items() if plan.room_of(name) in rooms]
    return "".join(file.read_text("utf-8") for file in files)


def models_of(values: Mapping[str, Value]) -> list[object]:
    """Those of the person, and those behind the proxy."""
    roles = [model_settings(values, role) for role in ROLES]
    return [*roles, *(upstream_settings(values, kind) for kind in UPSTREAMS)]


def reflections(values: Mapping[str, Value]) -> list[ReflectionSettings]:
    """The long one and the quick one."""
    return [reflection_settings(values, quick=quick) for quick in (False, True)]


class TestTheTable:
    """Every knob with unit, default and reason."""

    @pytest.mark.parametrize("knob", knobs(), ids=lambda knob: str(knob.key))
    def test_every_knob_has_a_reason_and_accepts_its_own_default(self, knob: Knob) -> None:
        assert knob.why
        assert not knob.why.endswith(".")
        assert knob.where in (VAULT, PERSON, BOTH)
        raw = list(knob.default) if isinstance(knob.default, tuple) else knob.default
        assert check(knob, raw, file="", line=None) == knob.default

    def test_no_two_knobs_share_a_name(self) -> None:
        names = [name for knob in knobs() for name in (knob.key, *knob.origin)]
        assert len(names) == len(set(names))

    def test_every_knob_in_use_is_an_attribute_of_its_type(
        self, vault: Path, environ: Environ
    ) -> None:
        settings = load_settings(vault, environ=environ)
        own = {"root", "state", "disabled_by", "values", "sources", "warnings"}
        attributes = {field.name for field in dataclasses.fields(settings)} - own
        in_use = {
            k.attribute: k
            for k in IN_USE
            if k.key not in ("format", "default_vault") and not k.key.startswith(BY_PART)
        }
        assert attributes == in_use.keys()
        for name, knob in in_use.items():
            assert type(getattr(settings, name)) is type(knob.default)

    def test_every_knob_in_use_is_read_somewhere(self) -> None:
        source = source_of({*plan.FLOORS} - {"config"})
        own = {"format", "default_vault", "privacy.local_only"}  # read by the settings themselves
        used = [k for k in IN_USE if not k.key.startswith(BY_PART)]
        unread = [k.key for k in used if f"settings.{k.attribute}" not in source]
        assert set(unread) <= own

    def test_every_knob_of_models_makes_a_difference_to_one(self) -> None:
        """These are read by role (config_llm.py), so that what one leaves open is the other's."""
        values = {knob.key: knob.default for knob in knobs()}
        values |= {f"proxy.{kind}_base_url": "http://127.0.0.1:9/v1" for kind in UPSTREAMS}
        usual = [*models_of(values), *reflections(values)]
        of_models = [knob for knob in IN_USE if knob.key.startswith(MODELS)]
        assert of_models
        for knob in of_models:
            is_text = isinstance(knob.default, str)
            other = (*knob.choices, "other")[-2 if knob.choices else -1] if is_text else 7
            chosen = values | {knob.key: other}
            assert [*models_of(chosen), *reflections(chosen)] != usual, knob.key

    def test_every_knob_of_learning_makes_a_difference(self) -> None:
        values = {knob.key: knob.default for knob in knobs()}
        of_learning = [knob for knob in IN_USE if knob.key.startswith(LEARNING)]
        assert of_learning
        for knob in of_learning:
            default = knob.default
            other: Value = (5,) if isinstance(default, tuple) else 0.37
            if isinstance(default, int):
                other = default + 1
            elif knob.choices:
                other = knob.choices[0]
            chosen = values | {knob.key: other}
            assert learning_settings(chosen) != learning_settings(values), knob.key

    def test_every_knob_of_learning_is_read_somewhere(self) -> None:
        source = source_of({*plan.FLOORS} - {"config"})
        for knob in IN_USE:
            if knob.key.startswith(LEARNING):
                assert f".{knob.attribute}" in source, knob.key

    def test_every_knob_of_sessions_is_read_somewhere(self) -> None:
        values = {knob.key: knob.default for knob in knobs()}
        found = session_settings(values)
        of_sessions = {k.attribute: k for k in IN_USE if k.key.startswith(SESSIONS)}
        names = {f"sessions_{each.name}" for each in dataclasses.fields(found)}
        assert names == of_sessions.keys()
        source = source_of({"sessions", "cli"})
        for name in names:
            short = name.removeprefix("sessions_")
            assert f"limits.{short}" in source or f".values).{short}" in source, name

    def test_a_table_that_was_changed_is_read_anew(self) -> None:
        """What is kept is known by the files that it was made with; one of them had been renamed.

        A setting more in the same version was an error of the program (KeyError) until then.
        """
        assert set(CODE) == {settings_table.__file__, values.__file__}

    def test_the_values_hold_every_knob(self, vault: Path, environ: Environ) -> None:
        assert load_settings(vault, environ=environ).values.keys() == knob_by_key().keys()


class TestTwoPlaces:
    """The vault's file is display and policy; the rest is the person's."""

    def test_defaults_hold_where_nothing_is_said(self, vault: Path, environ: Environ) -> None:
        settings = load_settings(vault, environ=environ)
        assert settings.recall_k == 5
        assert settings.watch_commit_after_seconds == 60
        assert settings.sync_lock_wait_seconds == 5
        assert settings.name == "notes"
        assert settings.enabled
        assert settings.warnings == ()

    def test_the_vault_wins_over_the_person(self, vault: Path, environ: Environ) -> None:
        person(environ, "[recall]\nk = 9\n[search]\nlimit = 50\n")
        settings = settings_of(vault, environ, "[recall]\nk = 3\n")
        assert (settings.recall_k, settings.search_limit) == (3, 50)
        assert settings.sources["recall.k"] == f"'{vault / 'vaultmem.toml'}' line 2"

    @pytest.mark.parametrize("where", ["vault", "person"])
    def test_switched_off_in_either_place_is_switched_off(
        self, vault: Path, environ: Environ, where: str
    ) -> None:
        texts = {"vault": "enabled = true\n", "person": "enabled = true\n"}
        texts[where] = "enabled = false\n"
        person(environ, texts["person"])
        settings = settings_of(vault, environ, texts["vault"])
        assert not settings.enabled
        expected = person_file(environ) if where == "person" else str(vault / "vaultmem.toml")
        assert settings.disabled_by == f"'{expected}' line 1"

    def test_privacy_asked_for_in_either_place_holds(self, vault: Path, environ: Environ) -> None:
        person(environ, "[privacy]\nlocal_only = true\n")
        settings = settings_of(vault, environ, "[privacy]\nlocal_only = false\n")
        assert settings.values["privacy.local_only"] is True

    @pytest.mark.parametrize(
        "line",
        [
            'llm.base_url = "http://127.0.0.1:9"',
            'llm.api_key = "x"',
            'llm.anything = "x"',
            "recall.rerank = true",
            "recall.rerank_timeout = 600.0",
            'remotes.origin = "ext::sh"',
            'commands.editor = "rm"',
            'secrets = "x"',
            'vaults.work = "/"',
            'device = "theirs"',
            'default_vault = "work"',
        ],
    )
    def test_a_vault_cannot_set_endpoints_keys_remotes_or_commands(
        self, vault: Path, environ: Environ, line: str
    ) -> None:
        settings = settings_of(vault, environ, f"format = 1\n{line}\n")
        key = line.split(" = ")[0]
        (warning,) = settings.warnings
        assert warning.message.startswith(f"'{key.split('.')[0]}")
        assert warning.message.endswith("is ignored: only your own settings may say so")
        assert warning.line == 2
        defaults = {knob.key: knob.default for knob in knobs()}
        assert {k: v for k, v in settings.values.items() if v != defaults[k]} == {}
        assert settings.device == "laptop"
        assert named_vaults(environ) == ({}, "")

    def test_what_belongs_to_a_vault_is_ignored_in_the_persons_file(
        self, vault: Path, environ: Environ
    ) -> None:
        person(environ, 'id = "v-1"\n')
        settings = load_settings(vault, environ=environ)
        assert settings.id == "v-0000000001"
        assert messages(settings) == ["'id' is ignored: it belongs to a vault"]

    def test_a_settings_file_that_is_a_link_is_refused(
        self, vault: Path, environ: Environ, tmp_path: Path
    ) -> None:
        (tmp_path / "elsewhere.toml").write_text("format = 1\n")
        (vault / "vaultmem.toml").unlink()
        (vault / "vaultmem.toml").symlink_to(tmp_path / "elsewhere.toml")
        with pytest.raises(UnsafePathError):
            open_settings(vault, environ=environ)

    @pytest.mark.parametrize(
        ("text", "commits"),
        [("", False), ("watch.autocommit = true\n", True), ("watch.autocommit = false\n", False)],
    )
    def test_a_git_plugin_of_obsidian_leaves_committing_to_it_unless_told_otherwise(
        self, vault: Path, environ: Environ, text: str, commits: bool
    ) -> None:
        (vault / ".obsidian" / "plugins" / "obsidian-git").mkdir(parents=True)
        settings = settings_of(vault, environ, text)
        assert settings.watch_autocommit is commits
        assert "watch.autocommit" in settings.sources
