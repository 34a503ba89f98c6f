"""The memory of one conversation: base truth, turn log, raw window, artifacts. Pure functions."""
