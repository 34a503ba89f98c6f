"""What has no word of a user's: files, notes, Git, merging, the index."""
