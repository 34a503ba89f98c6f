"""Detectors of habits, one kind each.

Promises
* Only the person's own statements are looked at: quotations and code are opaque words.
* Cues are data: a language is a file in `learn/detect/cues`.

Never: makes a rule. It gives sightings; `learn/patterns.py` joins them.

Where is the rule for ...
    which clauses are the speaker's own         own_statements.py
    preferences and decisions                   preferences.py
    what the assistant had wrong                corrections.py
    conventions of files, sequences of tools    conventions.py
"""
