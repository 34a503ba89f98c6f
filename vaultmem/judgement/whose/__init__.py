"""Whose words they are: the speaker's, somebody else's, or a pasted text's.

Promises
* What is introduced, quoted, addressed or signed as a letter is another's.
* Where nothing tells, a part is doubtful: it waits for the person and ends nothing.

Never: takes a speaker's own words for another's because of their topic; only form counts.

Where is the rule for ...
    whose words each part of a turn is          whose_words.py
    what "Bob wrote me:" says of what follows   leads.py
    fences, quotations, mails, signatures       blocks.py
"""
