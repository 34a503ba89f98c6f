"""A vault as one file: written, read, judged, taken in.

An export (`transfer/export.py`) streams what the index knows of each file, its bytes, and the
versions of the past; bytes that are not those the index saw stop it. An import passes each entry
through four questions, each a module that knows nothing of the next: may it be a note at all
(`transfer/foreign_notes.py`: names, types, ids; reads nothing of the vault), whose words is it and
in what form may they be written (`transfer/foreign_notes.py`), what is it beside what is here
(`transfer/decide.py`, `transfer/merge_lists.py`), where may it lie (`transfer/decide.py`). Only
then does `transfer/importing.py` put it on the workbench, with files of conversations that are no
notes (`transfer/session_notes.py`); what items said before stays in the document, as a vault tells
only what it knew itself. `edit/follow.py` lets lists and items follow, and one plan is
applied. Bytes that a note of the first-parent chain ever had are the vault's own and come back
unmarked: that is a fact of the history, where a vault id in the document would be a claim. The
order of two texts is taken from histories first (`blob` of former versions; the `Vaultmem-Source`
of the import that brought what is here), and from record times only when both sides changed.
Another format of a whole vault is another reader in `transfer/read.py`: `READERS`.

Exports of other programs come in another way: `transfer/importers/` reads them (pure), and
`transfer/import_products.py` keeps each conversation as a text that `remember` takes in.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.transfer.export import export
    from vaultmem.transfer.import_products import import_files
    from vaultmem.transfer.importers.inputs import HEAD, input_of_bytes, inputs_of
    from vaultmem.transfer.importers.product import OWN, PRODUCTS, format_of, product_of
    from vaultmem.transfer.importing import import_document
    from vaultmem.transfer.read import read_file

attach(
    __name__,
    {
        "export": "export",
        "import_products": "import_files",
        "importers.inputs": "HEAD input_of_bytes inputs_of",
        "importers.product": "OWN PRODUCTS format_of product_of",
        "importing": "import_document",
        "read": "read_file",
    },
)
