"""A question against the index: candidates, scores, ranks.

`question.py` takes a question apart, `lookup.py` finds its words (stems, names, repairs),
`candidates.py` picks candidates, `score.py` scores them, `search.py` makes rows of the best.

There are two ways to do that (`score.py` says what both are asked). A process that answers one
question reads postings as dictionaries and loads no numpy. One that stays asks
`arrays_ranking.py`: postings, norms and traits are arrays, kept until somebody writes (at most 4
million postings), and `numpy_twin.py` takes the steps of `candidates.py` and `score.py` in the same
order, many passages at a time, so that scores are the same to the last bit and ties stay ties.
Whoever changes one changes the other; tests/storage/index/test_arrays.py compares them. With
`--no-sync` the repository is not opened at all (`vault/fresh_index.py`).

* Words weigh by BM25 over a window (`bm25.py`): those of the neighbours in the same note count with
  the passage's own, inside one saturation, and the less the longer the passage is; half of a
  question's words count for the answer that follows it. BM25 of the note as a whole, against its
  length, adds three tenths.
* Title, aliases, tags, entities and category words count once more with the first passage; so do
  the properties of a page and the name of its folder; it is found by its title where it has no
  text. A note with two names (`aliases`), or a link of the person's that calls it so
  (`[[elise|Kate]]`, `storage/index/store/called.py`), makes both the same person.
* Groups of words stand for a word, each as one word more for half its weight, so a long list weighs
  no more than a short one: other forms and what goes by a general word (`related.py`), words for
  the same and kinds of it in seven languages, by hand (`concepts.py`; tests/bench/everyday_words),
  words of like sense, distilled from word vectors (`concepts.py`; tests/bench/neighbours.py). None
  needs a model; `senses.py` is how like whole passages are by the senses of their words.
* A question for leave (`question.py`) is answered by items marked critical, a posting of their own.
* Small words of German, Spanish, French, Italian, Dutch, Portuguese and Russian
  (`storage/index/search/question.py`) count in no question of these languages: among English
  notes they would weigh like names.
* `dates.py` reads the times that a question names ("in May 2023", "last week", counted from when it
  is asked). A passage of that time gains as much as by a rare word, one of the days after nearly as
  much, since people tell of things later; where they are few, all of them are candidates.
* Factors (`score.py`): the one who is named, a time where a time is asked for, and for turns of a
  conversation how much they say. Traits are worked out when a note is put, two bytes a passage.

Every part is a field of `Scoring`, shows in `--explain`, and can be set to 0; the parts add up to
the score. The past uses the same code on its own file. Rounds (`recall/rounds.py`,
`recall/fusing.py`) and tiers (`recall/tiers.py`) ask this several times, from above.

Our own: FTS5 of SQLite and tantivy answer sooner (.5 and .1 ms warm at 10,000 passages, we 4.4)
and find less: BM25 over passages has .638 of LoCoMo's evidence among ten, this .834.
"""
