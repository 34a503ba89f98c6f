"""Models: what asks one, here or elsewhere. Nothing of vaultmem needs one."""
