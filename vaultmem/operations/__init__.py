"""Verbs: what a user asks for, read top to bottom."""
