"""The dictionary of the program: frozen records without input or output."""

# Modules by the names they had: importable for one version more, found last.
__path__.append(f"{__path__[0]}/../_former/model")
