"""A language model reads a text; its reply is not trusted.

Promises
* What a model offers is kept only as far as a quotation of the text bears it out.
* A call that fails loses nothing: the rules read that piece, and the report says so.

Never: sends what `privacy` found, and obeys nothing that the text says.

Where is the rule for ...
    what is asked, piece by piece               asking.py
    what of an offer is believed                asking.py
    a model that fails                          model_extractor.py
"""
