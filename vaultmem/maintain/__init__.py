"""Housekeeping: archive, duplicates, timers."""
