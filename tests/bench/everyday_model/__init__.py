"""Everyday speech with a capable model: what of one person is held, given and answered."""
