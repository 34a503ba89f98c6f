"""The folder of a vault, watched."""
