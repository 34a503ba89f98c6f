"""What a new statement means for the known ones."""
