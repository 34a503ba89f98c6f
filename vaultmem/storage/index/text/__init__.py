"""What the index keeps of a text: passages, words, postings.

Promises
* A passage has at most 80 words; a turn, a paragraph and a statement are each found alone.
* Postings are arrays in blobs, which a cold command reads without numpy.

Never: stores a score. Scores are worked out when a question is asked.

Where is the rule for ...
    how a note is cut into passages             passages.py
    words, ids and stems                        index_words.py
    which passages hold a word                  postings.py
    length and traits of a passage              traits.py
"""
