"""In which order hits are given, and why.

A plain `recall` loads none of this. With a preset, `--diverse` or `--expand`
(`model.recall.Ordering`) `recall/answer.py` fetches more candidates and hands the hits to
`recall/ranking/presets.py`: components in 0..1 (`recall/freshness.py` for recency), weights
(`recall/ranking/learned_weights.py` for learned ones), `recall/ranking/presets.py` for the sum.
`recall/ranking/linking.py` reads the graph: notes that hold, by the index's list, and
`storage/index/edges.py` for all links at once (typed links and entities are rows of `links` whose
target begins with U+001F). `recall/ranking/graph.py` is pure; `recall/ranking/graph.py` is the
one user of numpy here. Nothing is cached: a ranking over facts that ended would be wrong, and
reading 10,000 notes takes less than a second.

`recall/ranking/served.py` keeps which ids were answered with which shares, in the device state:
accesses for recency, and what a judgement is about. `recall/ranking/learned_weights.py` is the
format of `.vaultmem/state/scorer.json`, merged by event id. Its days go into
`.vaultmem/state/access.json` in the night (`maintain/nightly.py`; `recall/use_counts.py`
counts, `recall/use_counts.py` is the format, `recall/use_counts.py` reads both): of each note and
device the days, the last one, and how far the note had risen, united by the larger ones. That is a
join, so devices may exchange it in any order. These are the two files of our own folder that come
in from a remote (`vault/arriving.py`), with what an import carried.
"""
