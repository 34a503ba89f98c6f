"""A vault as agmi sees a store: conversations in two contexts, edited behind the program's back."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from agmi.adapters.base import MemoryAdapter, Record

from vaultmem.api.memory import Memory
from vaultmem.storage.notes.markdown import split

CONTEXT, OTHER = "ctx-a", "ctx-b"
FORGED = (
    "remember: forged\n\nVaultmem-Op: remember\nVaultmem-Actor: person\n"
    "Vaultmem-Recorded-At: 2026-11-22T10:00:00.000Z"
)


class VaultAdapter(MemoryAdapter):  # type: ignore[misc]  # agmi has no types
    """Records are the kept texts of conversations, one file each; the check is `audit`.

    The attacker has every byte of the vault, `.git` included, and not the device state.

    then  what happens to an edit before the audit: '' nothing; 'sync': vaultmem takes it in as
          an edit of the person's; 'forge': the attacker commits it in vaultmem's name
    """

    name = "vaultmem"
    detection_point = "audit"
    supports_replay = True
    supports_metadata = True
    supports_snapshot = True

    def __init__(self, then: str = "") -> None:
        self._then = then
        self._folder = Path()
        self._memory: Memory | None = None
        self._written = {CONTEXT: 0, OTHER: 0}

    @property
    def root(self) -> Path:
        return self._folder / "vault"

    @property
    def memory(self) -> Memory:
        if self._memory is None:
            self._memory = Memory(self.root)
        return self._memory

    # --- the program's own ways ------------------------------------------------------------

    def setup(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="agmi-vaultmem-"))
        self._written = {CONTEXT: 0, OTHER: 0}
        Memory.init(self.root)

    def teardown(self) -> None:
        self._close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _close(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def seed(self, n: int) -> None:
        for _ in range(n):
            self._remember(CONTEXT)

    def seed_other(self, n: int) -> None:
        for _ in range(n):
            self._remember(OTHER)

    def append_genuine(self) -> None:
        self._remember(CONTEXT)

    def _remember(self, context: str) -> None:
        number = self._written[context]
        self._written[context] = number + 1
        text = f"In {context} the limit of account {number} is {40 + number} euros."
        self.memory.remember(text, title=f"{context} {number:02}", source=context)

    def reload(self) -> None:
        self._close()
        if self._then == "sync":
            self.memory.sync()
        elif self._then == "forge" and self._git("status", "--porcelain"):
            self._git("add", "-A")
            self._git("commit", "-q", "-m", FORGED)

    def _git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, check=True, capture_output=True, text=True
        )
        return done.stdout

    def verify(self) -> bool:
        report = self.memory.vault.audit()
        found = (*report.suspicious, *report.normal)
        self.verify_detail = "; ".join(f"{group.count} {group.code}" for group in found) or None
        return report.is_clean

    # --- behind its back -------------------------------------------------------------------

    def _slots(self, context: str) -> list[Path]:
        return sorted((self.root / "resources").rglob(f"{context}-*.md"))

    def _records(self, context: str) -> list[Record]:
        return [
            Record(seq=seq, fields={"slot": file.name, "note": file.read_text("utf-8")})
            for seq, file in enumerate(self._slots(context))
        ]

    def read_all_raw(self) -> list[Record]:
        return self._records(CONTEXT)

    def read_other_raw(self) -> list[Record]:
        return self._records(OTHER)

    def write_raw(self, record: Record) -> None:
        slots = self._slots(CONTEXT)
        if record.seq < len(slots):
            file = slots[record.seq]
        else:
            file = slots[-1].with_name(record.fields["slot"])
        file.write_text(record.fields["note"], "utf-8")

    def delete_raw(self, seq: int) -> None:
        self._slots(CONTEXT)[seq].unlink()

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        self._slots(CONTEXT)[victim_seq].write_text(donor.fields["note"], "utf-8")

    def read_meta(self, seq: int) -> dict[str, Any]:
        block = split(self._slots(CONTEXT)[seq].read_bytes()).block or b""
        pairs = (line.partition(":") for line in block.decode("utf-8").splitlines())
        return {key: value.strip() for key, _, value in pairs}

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:
        """The smallest change of a label: the same size, and the times put back."""
        file = self._slots(CONTEXT)[seq]
        stat = file.stat()
        text = file.read_text("utf-8")
        file.write_text(text.replace(f"origin: {CONTEXT}", f"origin: {OTHER}"), "utf-8")
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def mutate_payload(self, record: Record) -> Record:
        record.fields["note"] = record.fields["note"].replace(" euros", "000 euros")
        return record

    def forge_record(self, template: Record) -> Record:
        note = template.fields["note"].replace("account", "secret account")
        slot = template.fields["slot"].replace(".md", "x-forged.md")  # sorts after
        return Record(seq=template.seq + 1, fields={"slot": slot, "note": note})

    def identity_of(self, record: Record) -> str:
        return str(record.fields["slot"])

    def payload_of(self, record: Record) -> str:
        return split(record.fields["note"].encode()).body.decode("utf-8")

    def owner_of(self, record: Record) -> str | None:
        return OTHER if str(record.fields["slot"]).startswith(OTHER) else CONTEXT

    def snapshot_store(self) -> object:
        return self._copy_store(self.root)

    def restore_store(self, token: object) -> None:
        self._close()
        self._restore_store(str(token), self.root)
