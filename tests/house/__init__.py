"""The floor plan of the package, what is still owed to it, and how it is read."""
