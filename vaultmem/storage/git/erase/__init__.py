"""A history rewritten without what must not stay in it.

Promises
* Each commit stays, with author, dates and trailers; one without the words keeps its id.
* The old repository is whole until a durable note says what is to be, the new one after it.

Never: leaves an object, a log or a reference that still reaches the words.

Where is the rule for ...
    what becomes of each object                 rewrite.py
    how rewritten commits are known again       rewrite.py
    how the new history takes its place         replace.py
"""
