"""What is taken out of the memory."""
