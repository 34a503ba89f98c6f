"""Programs ask over HTTP."""
