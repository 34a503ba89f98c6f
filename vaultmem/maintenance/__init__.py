"""What is due, and what has had its time: pure functions."""
