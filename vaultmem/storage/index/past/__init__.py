"""What the index keeps of the past: every version of a note.

`past.sqlite` beside the index: made when a question about another time is first asked.

Promises
* Every version that a note had on the first-parent chain, with the time when it was known.
* The same bytes at another path are the same version, moved.
* What a shallow or partial clone lacks is kept as lacking, and never guessed.

Never: opened by remembering, syncing or recalling what holds now.

Where is the rule for ...
    which commits and texts are added           past_index.py
    chain, texts and stays                      tables.py
    asking a commit as the index is asked       view.py
"""
