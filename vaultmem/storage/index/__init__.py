"""The disposable reading of a vault, in SQLite."""
