"""A report: the memory as one page that loads nothing and runs nothing, to keep or to send.

Promises
* Its length does not grow with the vault: few lines of much, and what the rest comes to.
* With `--redact`, all text of notes passes through one `Words`; what does not is not on the page.

Never: loads or runs anything, and changes nothing.

Where is the rule for ...
    the verb                                    write_page.py
    what each section says                      contents.py
    what a stranger should not read             redact.py
    when things held, when they were learned    spans.py
"""
