"""The words by which rules know a statement."""
