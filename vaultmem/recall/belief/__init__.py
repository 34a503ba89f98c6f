"""How far an answer is believed: confidence, contradictions, corrections.

Promises
* Confidence fades on read and is stored nowhere; what is said again is surer.
* A text stays as it was written; the sentences that are not so any more are marked in the answer.
* Who is given one of several competing facts is told the others.

Never: changes a note, and hides the person's own words.

Where is the rule for ...
    what text from outside counts               believed.py
    how sure a memory is today                  sureness.py
    which sentences are not so any more         corrected.py
    which facts compete                         rivals.py
"""
