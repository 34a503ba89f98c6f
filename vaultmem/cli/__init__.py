"""The command line.

One file a command, or a family of them (`FAMILIES` in `main.py`); the verbs are in their rooms.

Promises
* Results go to stdout, all else to stderr; `--json` gives the record of the verb.
* No text of a note acts on the terminal.
* An error is one message and a hint, with an exit code of `base/errors.py`.
* `remember`, `recall`, `context` and a hook start without click.

Never: decides anything about a memory.

Where is the rule for ...
    which commands there are                    main.py
    commands that are answered without click    quick.py
    options that several commands share         options.py
    from an error to message, hint, exit code   failures.py
    what is printed, and how safely             output.py
    answers, notes and reports as lines         answer_lines.py, note_lines.py, report_lines.py
    which vault, which clock                    open_vault.py
    pages of help, `init`, `config`             setup.py
    keys of `--json`, methods of `Memory`       help_tables.py
"""
