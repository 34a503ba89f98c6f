"""The Model Context Protocol over standard input and output, without a library of its own.

`wire.py` reads and writes the lines and has the table of protocol revisions, `respond.py` answers
them and is the process over standard input, `http_app.py` is the same over HTTP.
`tool_table.py` says which tools, resources and prompts there are;
`desk.py` opens the vault for them. What they do is in `look_up.py` (finding), `write_tools.py`
(remembering) and `consent.py` (what only the person may change: they are asked, or a request waits
in `vaultmem review`).
`fence.py` makes data of stored words, for every text that a model reads.

Nothing but `wire`, `respond` and `tool_table` is loaded before a tool is called.
"""
