"""A history rewritten without what must not stay in it."""
