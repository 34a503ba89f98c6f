"""Detectors of habits, one kind each."""
