"""Vaults from strangers: nothing in them runs, nothing connects, nothing outside is touched."""
