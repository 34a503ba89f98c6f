"""What a question asks for, and whether a statement can answer it.

Promises
* A memory that shares words with a question answers it only if it is of the kind asked for.
* Seven languages, by lists of words; where nothing is certain, nothing is refused.

Never: looks into the index. It judges a question and a text.

Where is the rule for ...
    what an answer has to have                  answer_kind.py
    whether somebody asks what is due           asks_ahead.py
    whose home or job a memory tells            own_life.py
    "Mollie." after a question                  short_answers.py
"""
