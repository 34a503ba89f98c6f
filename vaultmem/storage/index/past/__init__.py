"""What the index keeps of the past: every version of a note."""
