"""The Model Context Protocol over standard input and output, without a library of its own.

Promises
* Both eras of the protocol are answered, over standard input and over HTTP.
* No vault is opened, and no more than `wire`, `respond` and `tool_table` loaded, before a tool is
  called.
* Stored words are fenced as data in every text that a model reads.
* What only the person may do is put to them in a form, or waits in `vaultmem review`.

Never: puts the question for consent to the model.

Where is the rule for ...
    which tools there are                       tool_table.py
    lines, revisions of the protocol            wire.py
    what is answered to each message            respond.py, http_app.py
    finding, remembering                        desk.py, write_tools.py
    `change` and `forget`                       write_tools.py
    the fence                                   fence.py
    when the vault is opened                    desk.py
"""
