"""Lists of bullets and the notes that they stand for, kept level both ways."""
