"""Servers of this device: what other programs on it ask over HTTP."""
