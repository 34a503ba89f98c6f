"""In which order hits are given, and why."""
