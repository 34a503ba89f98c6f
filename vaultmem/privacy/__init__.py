"""What must not be written by accident: secrets (keys, tokens, passwords) and personal data."""
