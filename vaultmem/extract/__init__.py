"""A text becomes drafts of items.

Words that end here: `remember`, turns of sessions, imports and new bullets become drafts here.

Promises
* Each draft quotes its text: what stands in no turn, word for word, is rejected.
* A sentence that becomes no item is reported with the rule that says why.
* Without a model the same text gives the same drafts on every device.

Never: writes, reads the vault, or decides what a draft means for known items (`facts`).

Where is the rule for ...
    title, date, turns of a text                prepare.py
    sentences, clauses, who speaks              evidence.py
    why a sentence is no memory                 no_evidence.py
    which cue makes it one                      cue_patterns.py, rule_extractor.py
    which sentence needs the one before it      leaning.py
    'the user prefers' as 'I prefer'            of_user.py
    subject, predicate, object                  find_slots.py, named_things.py
    importance and the words of a draft         draft.py, shape.py
    from when and until when it holds           when_it_holds.py
    its stream and category                     route.py
    the item that it becomes                    items.py
    the words of a changed value                restating.py
    rules or a language model                   extractor.py, model/model_extractor.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.extract.cue_patterns import MONTHS_AND_DAYS, tokens_of, topics_by_word, words
    from vaultmem.extract.draft import names_in
    from vaultmem.extract.evidence import mask_inline
    from vaultmem.extract.extractor import Drafting, is_told
    from vaultmem.extract.items import (
        confidence_of,
        id_of,
        is_by_default,
        is_of_person,
        item_of,
        make_item,
        metadata_of,
        projects_of,
        reinforce,
        said_at,
        says,
        speaks_for_all,
        without_here,
    )
    from vaultmem.extract.model.asking import is_supported, is_turned_round, statement_in
    from vaultmem.extract.model.model_extractor import NONE_SET, mask_secrets
    from vaultmem.extract.named_things import Frame, frame_of, may_have_verb, plain
    from vaultmem.extract.no_evidence import is_question, is_secret
    from vaultmem.extract.prepare import (
        ROLE_NAMES,
        calls_in,
        is_conversation,
        parse,
        prepare,
        render,
        require_text,
    )
    from vaultmem.extract.restating import (
        Restated,
        entities_of,
        is_of_words,
        is_same_value,
        replace_value,
        with_statement,
        with_value,
    )
    from vaultmem.extract.route import category_of
    from vaultmem.extract.shape import LONGEST_STATEMENT

attach(
    __name__,
    {
        "cue_patterns": "MONTHS_AND_DAYS tokens_of topics_by_word words",
        "draft": "names_in",
        "evidence": "mask_inline",
        "extractor": "Drafting is_told",
        "items": (
            "confidence_of id_of is_by_default is_of_person item_of make_item metadata_of "
            "projects_of reinforce said_at says speaks_for_all without_here"
        ),
        "model.asking": "is_supported is_turned_round statement_in",
        "model.model_extractor": "NONE_SET mask_secrets",
        "named_things": "Frame frame_of may_have_verb plain",
        "no_evidence": "is_question is_secret",
        "prepare": "ROLE_NAMES calls_in is_conversation parse prepare render require_text",
        "restating": (
            "Restated entities_of is_of_words is_same_value replace_value with_statement with_value"
        ),
        "route": "category_of",
        "shape": "LONGEST_STATEMENT",
    },
)
