"""What a setting is: key, default, unit, range, where it may be set, and why it is so."""

from __future__ import annotations

from vaultmem.base import dataclass

Value = bool | int | float | str | tuple[str, ...] | tuple[int, ...]

VAULT = "vault"  # only vaultmem.toml in the vault
PERSON = "person"  # only the person's own config.toml: it would be unsafe, or belongs to no vault
BOTH = "both"  # either; the vault's value wins, as the more special one

DURATIONS = ("seconds", "minutes", "hours", "days", "years")

# A vault may come from anybody. Nothing in these sections is ever read from inside one, known key
# or not: whoever sets an endpoint reads every note that is sent there (reliability.md T15, T16).
PERSON_SECTIONS = ("llm", "proxy", "embeddings", "remotes", "commands", "secrets", "vaults")


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One setting. Its TOML type is the type of the default; a whole number serves as a float."""

    key: str  # 'section.name', or 'name' at the top of the file
    default: Value
    why: str  # what it does, clear without the rows around it; further reasons are comments
    unit: str = ""
    low: float | None = None  # smallest value allowed; None: no bound
    high: float | None = None
    choices: tuple[str, ...] = ()  # empty: any text
    where: str = BOTH
    wins: bool | None = None  # set in both files: this value wins, whoever says it
    origin: tuple[str, ...] = ()  # names of the same number in the systems vaultmem joins

    @property
    def attribute(self) -> str:
        """Name of the typed attribute of `Settings`: durations end in their unit."""
        name = self.key.replace(".", "_")
        if self.unit in DURATIONS and not name.endswith(self.unit):
            return f"{name}_{self.unit}"
        return name

    @property
    def type_name(self) -> str:
        """What a person must write, in words."""
        if isinstance(self.default, tuple):
            inner = "whole numbers" if self.default and _is_int(self.default[0]) else "texts"
            return f"a list of {inner}"
        return TYPE_NAMES[type(self.default)]

    @property
    def allowed(self) -> str:
        """What may be written, where the default does not show it: any text, a list, from 0 on."""
        if self.choices:
            return ", ".join(choice or '""' for choice in self.choices)
        if self.high is not None:
            return f"{self.low or 0:g}..{self.high:.10g}"
        return f"from {self.low:.10g}" if self.low else ""


TYPE_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
