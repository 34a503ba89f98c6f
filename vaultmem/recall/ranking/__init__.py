"""In which order hits are given, and why.

A plain `recall` loads none of this. With a preset, `--diverse` or `--expand`
(`model.recall.Ordering`) `recall/answer.py` fetches more candidates and hands the hits to
`recall/ranking/presets.py`: components in 0..1, weights (`recall/ranking/learned_weights.py` for
those that judged answers taught), and their sum. `recall/ranking/diversity.py` lets notes that say
the same wait. `recall/ranking/linking.py` reads the graph of what holds and
`recall/ranking/graph.py`, pure, walks over it. Nothing is cached: a ranking over facts that ended
would be wrong, and reading 10,000 notes takes less than a second.

`recall/ranking/served.py` keeps which ids were answered with which shares, in the device state:
accesses for recency, and what a judgement is about. Its days go into `.vaultmem/state/access.json`
in the night, by note and device, united by the larger ones (`recall/use_counts.py`): that is a
join, so devices may exchange it in any order.

Our own: networkx (19 MB, .13 s of CPU to import) has the walk over the graph, which is 40 lines.
"""
