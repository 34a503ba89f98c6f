"""`Memory`: the one place where the rooms meet."""
