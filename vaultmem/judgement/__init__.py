"""What a sentence is worth to the memory, by learned models and sure rules; each module is pure.

Words that end here: none; `remember`, each turn, bullet and import ask here, and `recall` does.

Promises
* The same sentence gets the same answer on every device: weights are packaged, no model is asked.
* About 1 ms a sentence, by the standard library alone.
* An end needs a cue, the same thing and the same person; in doubt both statements stay.

Never: reads a vault, a clock or a file of the person.

Where is the rule for ...
    whether a sentence is kept, is critical     sentence.py
    hard limits and illnesses by their form     limits.py, stakes.py
    fact, preference, task, belief ...          kinds.py
    what somebody else thinks, and is denied    refuted.py
    what a new sentence ends                    pairs/out_of_date.py, aspects.py
    whose words a part of a text is             whose/whose_words.py
    what an answer needs                        questions/answer_kind.py
    when two wishes are one                     wishes.py
    what is likely a wish for good              standing.py
    features and weights of the models          features.py, linear.py, meanings.py
    what `remember --explain` says              explain.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.judgement.aspects import (
        HOME,
        JOB,
        asked_by,
        names_day,
        says_change,
        told_of_speaker,
    )
    from vaultmem.judgement.explain import Explained, explain
    from vaultmem.judgement.features import talk_of, tokens_of, words_of
    from vaultmem.judgement.introductions import fold_accents
    from vaultmem.judgement.kinds import holder_of
    from vaultmem.judgement.limits import bars
    from vaultmem.judgement.linear import rarity, weights
    from vaultmem.judgement.meanings import Vector, meaning_of, nearness_of
    from vaultmem.judgement.pairs.again import again, stood_between
    from vaultmem.judgement.pairs.lifted import tells_lifted
    from vaultmem.judgement.pairs.marks import may_hold_others
    from vaultmem.judgement.pairs.out_of_date import (
        END,
        FLAG,
        Known,
        Outcome,
        is_likely_over,
        outcomes,
    )
    from vaultmem.judgement.pairs.rest import is_rest_of, rest_of
    from vaultmem.judgement.pairs.undone import undoes_plan
    from vaultmem.judgement.questions.answer_kind import asked_kind, lacks
    from vaultmem.judgement.questions.asks_ahead import (
        MEETINGS,
        TASKS,
        Agenda,
        agenda_of,
        announces,
        asks_for_agenda,
        bounds_hours,
        is_about,
        proposes_hour,
    )
    from vaultmem.judgement.questions.own_life import told_of_own
    from vaultmem.judgement.questions.short_answers import (
        is_answer,
        is_grave_answer,
        question_in,
        says_nothing,
        says_nothing_alone,
    )
    from vaultmem.judgement.refuted import is_claim, is_refuted_within, refutes
    from vaultmem.judgement.sentence import (
        Judgement,
        is_denial_order,
        is_grave,
        is_in_doubt,
        is_spelling,
        is_waved_off,
        judge_sentence,
        judge_worth,
    )
    from vaultmem.judgement.signs import signs_of
    from vaultmem.judgement.stakes import stakes_of
    from vaultmem.judgement.standing import asks_for_good, asks_politely, likely_wish
    from vaultmem.judgement.whose.leads import is_first_person, leaves_out_speaker
    from vaultmem.judgement.whose.whose_words import (
        Span,
        doubt_of,
        is_only_introduced,
        others_in,
        own_words,
        spans,
        why_of_others,
        without_others,
    )
    from vaultmem.judgement.wishes import (
        are_one,
        is_of_a_thing_here,
        is_of_answers,
        mood_of,
        wish_in,
    )

attach(
    __name__,
    {
        "aspects": "HOME JOB asked_by names_day says_change told_of_speaker",
        "explain": "Explained explain",
        "features": "talk_of tokens_of words_of",
        "introductions": "fold_accents",
        "kinds": "holder_of",
        "limits": "bars",
        "linear": "rarity weights",
        "meanings": "Vector meaning_of nearness_of",
        "pairs.again": "again stood_between",
        "pairs.marks": "may_hold_others",
        "pairs.out_of_date": "END FLAG Known Outcome is_likely_over outcomes",
        "pairs.rest": "is_rest_of rest_of",
        "pairs.lifted": "tells_lifted",
        "pairs.undone": "undoes_plan",
        "questions.asks_ahead": (
            "Agenda MEETINGS TASKS agenda_of announces asks_for_agenda bounds_hours is_about "
            "proposes_hour"
        ),
        "questions.answer_kind": "asked_kind lacks",
        "questions.own_life": "told_of_own",
        "questions.short_answers": (
            "is_answer is_grave_answer question_in says_nothing says_nothing_alone"
        ),
        "refuted": "is_claim is_refuted_within refutes",
        "sentence": (
            "Judgement is_denial_order is_grave is_in_doubt is_spelling is_waved_off "
            "judge_sentence judge_worth"
        ),
        "signs": "signs_of",
        "stakes": "stakes_of",
        "standing": "asks_for_good asks_politely likely_wish",
        "whose.leads": "is_first_person leaves_out_speaker",
        "whose.whose_words": (
            "Span doubt_of is_only_introduced others_in own_words spans why_of_others "
            "without_others"
        ),
        "wishes": "are_one is_of_a_thing_here is_of_answers mood_of wish_in",
    },
)
