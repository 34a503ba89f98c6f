"""What is erased from every commit and every file."""
