"""What a new statement does to a known one: replaces it, ends it, or leaves it.

A learned model nominates; what is said in so many words decides (`judgement/aspects.py`).

Promises
* A wrong end counts as worse than a missed one: what is likely is marked, what is said ends.
* What still holds of a statement is said in the person's own words; none is added.

Never: ends a statement about another person or another thing.

Where is the rule for ...
    which known statements end, or are marked   out_of_date.py
    whether one sentence says another is over   is_over.py
    who is next: a boss, the holder of a role   successors.py
    a task that is done, who stays after all    undone.py
    which rare words two statements share       shared_words.py
    where a phrase of an end or a home stands   cue_phrases.py
    what still holds of a statement             rest.py
    of whom an age, home or job is told         persons.py
    "again", after something else               again.py
    numbers in words                            numbers.py
    the quick look for words of others          marks.py
"""
