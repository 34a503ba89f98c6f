"""What a person can attach or call up themselves: resources and prompts. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import Any

MARKDOWN = "text/markdown"
PROFILE, REVIEW, ITEM = "memory://profile", "memory://review", "memory://item/"
USUAL_DAYS, MOST_DAYS = 7, 3_650

RESOURCES: tuple[Mapping[str, Any], ...] = (
    {
        "uri": PROFILE,
        "name": "profile",
        "title": "Who you are to your memory",
        "description": "What is given to an assistant whatever is asked: who the user is, what "
        "must hold, what is current.",
        "mimeType": MARKDOWN,
    },
    {
        "uri": REVIEW,
        "name": "review",
        "title": "What waits for you",
        "description": "Memories and requests that wait until the user has looked at them.",
        "mimeType": MARKDOWN,
    },
)
TEMPLATES: tuple[Mapping[str, Any], ...] = (
    {
        "uriTemplate": f"{ITEM}{{id}}",
        "name": "item",
        "title": "One memory",
        "description": "A memory in full, by its id.",
        "mimeType": MARKDOWN,
    },
)
PROMPTS: tuple[Mapping[str, Any], ...] = (
    {
        "name": "recall",
        "title": "Answer from my memory",
        "description": "Puts what is known about a question before the assistant.",
        "arguments": [{"name": "query", "description": "The question.", "required": True}],
    },
    {
        "name": "review",
        "title": "What waits for me",
        "description": "Goes through what waits for the user's decision.",
        "arguments": [],
    },
    {
        "name": "what-changed",
        "title": "What my memory learned",
        "description": "What was learned, changed and dropped in the last days.",
        "arguments": [
            {
                "name": "days",
                "description": f"How many days, {USUAL_DAYS} if left out.",
                "required": False,
            }
        ],
    },
)
