"""Eight people over some weeks, and what a memory must hold, give and answer afterwards.

A plumber who dictates, a nurse who mixes two languages, a mother of three, a founder; a terse
lorry driver, a caretaker who keeps bees, a midwife, a teacher who rambles. Each was
written before anything was looked at that reads them; expectations are words, as in everyday
speech: of `words`, `answer`, `must` and the like one list has to be there, all its words.
"""
