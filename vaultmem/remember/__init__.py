"""A text is taken in: kept, drafted, linked, reported."""
