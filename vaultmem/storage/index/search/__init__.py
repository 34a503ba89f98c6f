"""A question against the index: candidates, scores, ranks.

`storage/index/search/question.py` takes a question apart, `storage/index/search/lookup.py` finds
its words (stems, names, repairs), `storage/index/search/candidates.py` picks candidates,
`storage/index/search/score.py` scores them.

There are two ways to do that, and `ranking.py` says what both are asked. A process that answers
one question reads postings as dictionaries and loads no numpy. One that stays asks
`storage/index/search/arrays_ranking.py`: postings, norms and traits are arrays, kept until
somebody writes (at most 4 million postings), and `storage/index/search/numpy_twin.py` takes the
steps of `storage/index/search/candidates.py` and `storage/index/search/score.py` in the same
order, many passages at a time, so that scores are the same to the last bit and ties stay ties.
Whoever changes one changes the other; tests/storage/index/test_arrays.py compares them. The parts
of a score are worked out for the hits that are shown, by `Scorer` in both. With `--no-sync` the
repository is not opened at all (`vault/fresh_index.py`).

* Words weigh by BM25 over a window: those of the neighbours in the same note count with the
  passage's own, inside one saturation, and the less the longer the passage is; half of a
  question's words count for the answer that follows it. BM25 of the note as a whole, against its
  length, adds three tenths.
* Title, aliases, tags, entities and category words count once more with the first passage; so do
  the properties of a page and the name of its folder; it is found by its title where it has no
  text. A note with two names (`aliases`), or a link of the person's that calls it so
  (`[[elise|Kate]]`, `storage/index/store/called.py`), makes both the same person: questions with
  one find what is said by or about the other.
* `storage/index/search/related.py` gives words groups that stand for them: other forms, and what
  goes by a general word (a dog for "pets"). A group counts as one word more, for half the weight:
  a long list weighs no more than a short one.
* `storage/index/search/search.py` gives one group more, of English words that mean about the
  same: a file of text, distilled once from word vectors, in which a stem is found without reading
  a line too many. No model is needed.
* `storage/index/search/search.py` adds groups in seven languages:
  `storage/index/search/concepts.py` reads a table written by hand (other words for it, kinds of
  it, what it is a kind of; tests/bench/everyday_words), `storage/index/search/near.py` words of
  like sense (tests/bench/neighbours.py). `storage/index/search/question.py` knows a question for
  leave, which items marked critical answer (a posting of their own).
* Small words of German, Spanish, French, Italian, Dutch, Portuguese and Russian
  (`storage/index/text/function_words.py`) count in no question of these languages: among English
  notes they would weigh like names.
* `storage/index/search/dates.py` reads the times that a question names ("in May 2023", "last
  week", counted from when it is asked). A passage of that time gains as much as by a rare word,
  one of the days after nearly as much, since people tell of things later; where they are few, all
  of them are candidates.
* Factors: the one who is named, a time where a time is asked for, and for turns of a conversation
  how much they say (length, first person, names, times, asking). Traits are worked out when a
  note is put, two bytes a passage.

Every part is a field of `Scoring`, shows in `--explain`, and can be set to 0; the parts add up to
the score. The past uses the same code on its own file.

A recall in rounds is `recall/rounds.py`: it asks `asking.passages_for` several times and gives
back what one time gives. `recall/rounds.py` takes questions apart, `recall/rounds.py` says what
to ask next, `recall/fusing.py` puts the lists together; none of it is loaded for one round.

`recall --tiered` is `recall/tiers.py`, which takes the place of `recall.answer` and asks it for
each deeper tier. It decides nothing: `recall/tiers.py` does, over words. A summary is what the
index has of a category (the person's words) and the lines of its managed block, which the index
leaves to their items; a line is read only if its item may answer, which is looked up for lines
with a word of the question alone. So the work grows with the categories that are read, not with
the vault.
"""
