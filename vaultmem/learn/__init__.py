"""What repeats becomes a rule, a profile, an overview."""
