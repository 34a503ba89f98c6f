"""What a question asks for, and whether a statement can answer it."""
