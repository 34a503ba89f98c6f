"""vaultmem under the attacks of the agent-memory-integrity suite (`agmi`)."""
