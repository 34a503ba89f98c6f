"""Whether a vault is sound, and what can be mended."""
