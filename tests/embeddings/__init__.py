"""Vectors beside words: the model server, the file, and what recall makes of them."""
