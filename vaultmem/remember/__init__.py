"""A text is taken in: kept, drafted, linked, reported.

Words that end here: `remember`, `summarise`; `import`, `session end` and tools remember here, too.

Promises
* The text is kept word for word, whatever is made of it. The same text twice changes nothing.
* One text is one commit: text, items, bullets and category lines together.
* A statement that is known already is not kept twice; said again by the person it is surer.
* What hides something or talks to an assistant waits for `review`.

Never: asks a model while a lock is held: it is asked first, and the plan is made again under it.

Where is the rule for ...
    the order of work on a text                 one_text.py
    what meets what on the working copy            take_in.py
    what waits for the person                   quarantine.py
    what a model is asked first                 one_text.py
    links of a new note                         suggest_links.py
    summaries of categories                     category_summaries.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.remember.category_summaries import summarise, taken_in
    from vaultmem.remember.one_text import (
        ask_model,
        read,
        remember,
        remember_many,
        remember_ready,
        with_advice,
    )
    from vaultmem.remember.quarantine import RULE, contradiction
    from vaultmem.remember.take_in import PlannedText, TakingIn

attach(
    __name__,
    {
        "quarantine": "RULE contradiction",
        "one_text": "ask_model read remember remember_many remember_ready with_advice",
        "category_summaries": "summarise taken_in",
        "take_in": "PlannedText TakingIn",
    },
)
