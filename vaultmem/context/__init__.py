"""Ranked memories into text under a token budget."""
