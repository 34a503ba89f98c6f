"""Raw text to drafts of items."""
