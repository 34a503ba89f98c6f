"""A question against the index: candidates, scores, ranks.

Words that end here: `recall`, `search`, `context`; rounds and tiers (`recall/`) ask several times.

Promises
* The parts of a score add up to it; each is a field of `Scoring`, shows in `--explain`, can be 0.
* A process with one question loads no numpy; one that stays uses arrays. Scores are the same to the
  last bit: who changes `score.py` changes `numpy_twin.py` (tests/storage/index/test_arrays.py).
* Ties have an order, so the same vault and question give the same list.

Never: writes, and never decides what is true or whether an answer is enough (`recall/enough.py`).

Where is the rule for ...
    what a question asks for                    question.py
    its words: stems, names, repairs            lookup.py, terms.py
    words that stand for others                 related.py, concepts.py
    times in a question                         dates.py
    which passages are scored                   candidates.py
    a score and its parts                       score.py, bm25.py
    the same by arrays                          arrays_ranking.py, numpy_twin.py
    likeness by vectors, by senses              meaning.py, senses.py
    rows of the best, and who quotes them       search.py

Our own: FTS5 of SQLite and tantivy answer sooner (.5 and .1 ms warm at 10,000 passages, we 4.4)
and find less: BM25 over passages has .638 of LoCoMo's evidence among ten, this .834.
"""
