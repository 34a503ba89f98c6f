"""A report: the memory as one page that loads nothing and runs nothing, to keep or to send.

`write.py` is the verb; `gather.py` collects what the page says, in numbers that do not grow with
the vault; `spans.py` draws when things held and when the vault learned them; `redact.py` takes out
what a stranger should not read. All text of notes passes through one `Words`: what is not sent
through it does not come onto the page.
"""
