"""The dictionary of the program: frozen records without input or output."""
