"""What is sent to a remote and fetched from it."""
