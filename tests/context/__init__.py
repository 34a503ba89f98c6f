"""Tests of the way from memories to a text under a token budget."""
