"""What other programs export, read as conversations, memories and pages; nothing is written here.

`inputs.py` opens what a person names (files, folders, ZIP archives) within bounds, `json_stream.py`
reads JSON of any length piece by piece, `product.py` finds out by the content whose export a file
is. Each other module reads one family of products and yields records (`imported_records.py`), in
which code has decided whose words each turn is: by the role that the product gave it, never by
what it says. `transfer/import_products.py` keeps the records through `remember`.
"""
