"""A disposable reading of the vault, kept in the device state."""
