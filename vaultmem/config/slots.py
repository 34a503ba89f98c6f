"""Which slots have one value at a time, and which many, unless the settings say otherwise."""

from __future__ import annotations

_SINGLE = (
    "name full_name works_at lives_in located_in uses_database uses_cache timezone time_zone "
    "birthday date_of_birth age address email phone job job_title role employer wife husband "
    "spouse port version status due hosted_on deployed_on owned_by led_by favourite_* "
    "favorite_*"
)
_MULTIPLE = (
    "uses uses_* likes dislikes prefers knows owns speaks plays studies teaches leads "
    "maintains maintained_by written_in allergic_to comes_from friend sister brother son "
    "daughter child pet dog cat colleague goal goals dream hobby hobbies passion thinks"
)
SINGLE = tuple(_SINGLE.split())
MULTIPLE = tuple(_MULTIPLE.split())
