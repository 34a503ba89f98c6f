"""What coding assistants tell at their hooks is kept, and they are told what is known.

`events` reads the JSON of a client and writes its answer, `sessions/own_words.py` cuts out what is
not the person's (both pure). `answer` is one call of `vaultmem hook`: words are put into the
waiting room (`waiting`, durable when the hook returns), memories are answered. `keep` is the child
that nobody waits for: it makes turns of a session (`sessions/`) of what waits, one commit each, and
ends the session. What it cannot keep now, as while another process holds the vault, waits for the
next one.
"""
