"""In which order hits are given, and why.

A plain `recall` loads none of this: `--preset`, `--diverse`, `--expand`, `feedback` and `links` do.

Promises
* The components of a preset lie in 0..1; their weights and their sum are shown by `--explain`.
* The graph is read anew for each question: a cached one would rank by facts that ended.
* Judgements and uses are united by joins, so devices may exchange them in any order.

Never: brings in a note that does not hold, and keeps no word of a question.

Where is the rule for ...
    a preset and its components                 presets.py
    notes that say the same                     diversity.py
    what a note is linked with                  linking.py, graph.py
    weights that judged answers teach           learned_weights.py
    what was answered on this device            served.py

Our own: networkx (19 MB, .13 s of CPU to import) has the walk over the graph, which is 40 lines.
"""
