"""Is this text an attack? Instructions, stuffing, and how text is made inert."""
