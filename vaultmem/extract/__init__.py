"""A text becomes drafts of items."""
