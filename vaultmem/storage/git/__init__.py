"""The one door to Git."""
