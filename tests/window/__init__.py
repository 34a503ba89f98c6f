"""The pages of `vaultmem view`, asked as a browser asks."""
