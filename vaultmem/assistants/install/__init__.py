"""Assistants are told where vaultmem is, and that is taken back again.

Promises
* Each change can be shown before it is made; `uninstall` takes out just that.
* We only ever insert: comments, order and every other byte of a settings file stay.

Never: changes a file that cannot be read for sure: it says what to insert by hand.

Where is the rule for ...
    which file of which client is told what     clients.py
    an insertion into JSON with comments        jsonc.py
    what would change, and how to take it back  planned_edits.py
    install, uninstall, still there?            install_verbs.py
    Claude Code's own memory                    install_verbs.py
"""
