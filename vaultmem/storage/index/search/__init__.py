"""A question against the index: candidates, scores, ranks."""
