"""The format of a note: front matter, body, lists, summaries."""
