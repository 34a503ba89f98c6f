"""What a new statement does to a known one: replaces it, ends it, or leaves it."""
