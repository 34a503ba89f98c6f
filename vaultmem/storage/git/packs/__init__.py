"""Objects and packs of Git, made aside and put in their place."""
