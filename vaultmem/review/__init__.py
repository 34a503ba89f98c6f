"""What waits for the person."""
