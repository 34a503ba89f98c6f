"""Thin adapters from the suites of vectors.json to the product's own functions, by subject."""
