"""Servers of this device."""
