"""The last operation taken back, an earlier text restored."""
