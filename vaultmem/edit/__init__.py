"""What a person saved takes effect."""
