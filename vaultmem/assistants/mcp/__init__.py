"""The Model Context Protocol over standard input and output, without a library of its own.

`revisions.py` has the table of protocol revisions, `wire.py` reads and writes the lines,
`respond.py` answers them, `stdio.py` is the process. `tool_table.py` says which tools there are;
what they do is in `desk.py` (finding), `keep.py` (remembering) and `consent.py` (what only the
person may change: it asks them, and leaves a request in `vaultmem review` where nobody answers).
`fence.py` makes data of stored words, for every text that a model reads.

Nothing but `revisions`, `wire`, `respond` and `tool_table` is loaded before a tool is called.
"""
