"""What the index keeps of a text: passages, words, postings."""
