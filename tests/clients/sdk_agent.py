"""An agent of the OpenAI Agents SDK with this memory as its tools: `python sdk_agent.py PROMPT`.

It runs in the environment of the SDK, and starts the `vaultmem` of the PATH.
"""

from __future__ import annotations

import asyncio
import os
import sys

from agents import Agent, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio


async def main(prompt: str) -> None:
    """One run, from the start of the server to its end."""
    set_tracing_disabled(True)
    params = {"command": "vaultmem", "args": ["mcp"], "env": dict(os.environ)}
    async with MCPServerStdio(params=params, client_session_timeout_seconds=60) as memory:
        agent = Agent(name="agent", instructions="", mcp_servers=[memory], model="scripted")
        print((await Runner.run(agent, prompt)).final_output)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
