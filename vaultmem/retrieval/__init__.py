"""Pure functions over what the index found."""
