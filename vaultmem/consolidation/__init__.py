"""What conversations teach: patterns that come back become rules (algorithms 4). Pure."""
