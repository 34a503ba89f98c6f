"""Language models: the client, its faults, and what the memory makes of replies."""
