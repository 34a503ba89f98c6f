"""A question becomes an answer: found, ranked, believed, and said how sure."""
