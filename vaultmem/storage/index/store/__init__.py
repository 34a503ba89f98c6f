"""Rows of the index: written, sealed, and held against the files."""
