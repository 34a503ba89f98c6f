"""A coding assistant that calls our hooks, as the recorded ones do."""

from __future__ import annotations

import json
from pathlib import Path

from vaultmem.api import Memory
from vaultmem.assistants import Hook, answer_hook, keep_waiting
from vaultmem.config import Settings

_NAMES = {
    "claude": ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"),
    "codex": ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"),
    "opencode": ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"),
    "gemini": ("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"),
    "cursor": ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "sessionEnd"),
}
_REPLY_KEY = {"gemini": "prompt_response", "cursor": "text"}


class Assistant:
    """One session of a client in a folder, whose words go to one vault."""

    def __init__(
        self,
        vault: Path,
        folder: Path,
        *,
        client: str = "claude",
        session: str = "4f1c0911-7c5e-4a11-9d00-0123456789ab",
        **environ: str,
    ) -> None:
        self.vault, self.folder, self.client, self.session = vault, folder, client, session
        self.environ = {"HOME": str(folder), **environ}
        self.started: list[Settings] = []  # children that were to be started
        state = vault.parent / "state"
        self.environ.setdefault("VAULTMEM_STATE", str(state))

    def hook(self, name: str, **more: object) -> str:
        """The bytes that the client is answered."""
        event = {"hook_event_name": name, "session_id": self.session, "cwd": str(self.folder)}
        return self.raw(json.dumps({**event, **more}).encode())

    def raw(self, data: bytes) -> str:
        return answer_hook(
            Hook(
                client=self.client,
                data=data,
                vault=str(self.vault),
                environ=self.environ,
                start=self.started.append,
            )
        )

    def start(self, source: str = "startup") -> str:
        return self.hook(_NAMES[self.client][0], source=source)

    def prompt(self, text: str) -> str:
        return self.hook(_NAMES[self.client][1], prompt=text)

    def reply(self, text: str = "Done.") -> str:
        key = _REPLY_KEY.get(self.client, "last_assistant_message")
        return self.hook(_NAMES[self.client][2], **{key: text})

    def end(self) -> str:
        return self.hook(_NAMES[self.client][3], reason="exit")

    def say(self, *prompts: str) -> None:
        """A whole session, kept."""
        self.start()
        for text in prompts:
            self.prompt(text)
            self.reply()
        self.end()
        self.keep()

    def keep(self) -> int:
        """What the child does."""
        return keep_waiting(self.settings)

    @property
    def settings(self) -> Settings:
        from vaultmem.config import load_settings

        return load_settings(self.vault, environ=self.environ)

    def items(self) -> list[str]:
        with Memory(settings=self.settings) as memory:
            return sorted(row.statement for row in memory.list() if row.type == "item")

    def everything(self) -> str:
        """All that the vault holds and that waits for it, as one text."""
        state = Path(self.environ["VAULTMEM_STATE"])
        files = [*self.vault.rglob("*.md"), *state.rglob("waiting/*")]
        return "\n".join(each.read_text(encoding="utf-8") for each in files)
