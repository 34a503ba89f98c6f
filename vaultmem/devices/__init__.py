"""Several devices, one memory."""
