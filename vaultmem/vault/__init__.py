"""Files and Git: the truth."""
