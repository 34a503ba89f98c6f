"""The words of conversations: turns, messages, summaries.

Promises
* Records hold what was said and what was made of it; each says its units.

Never: reads a file. `sessions` does.

Where is the rule for ...
    turns, views and reports of a session       session_files.py
    how a conversation that ended is named      episode.py
    what a model did for the memory             summaries.py
"""
