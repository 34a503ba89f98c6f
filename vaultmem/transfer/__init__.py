"""A vault as one file: written, read, judged, taken in; and what other programs exported.

An export (`transfer/export.py`) streams what the index knows of each file, its bytes, and the
versions of the past; bytes that are not those the index saw stop it. An import reads such a
document (`transfer/read.py`) and passes each entry through four questions: may it be a note at
all, whose words are they and in what form may they be written (`transfer/foreign_notes.py`), what
is it beside what is here, and where may it lie (`transfer/decide.py`, lists in
`transfer/importing.py`). Only then does `transfer/importing.py` put it on the workbench, with
files of conversations that are no notes (`transfer/session_notes.py`), and one plan is applied.
Bytes that a note of the first-parent
chain ever had are the vault's own and come back unmarked: that is a fact of the history, where a
vault id in the document would be a claim. Which of two texts is newer is taken from histories
first, and from record times only when both sides changed.

Exports of other programs come in another way: `transfer/importers/` reads them (pure), and
`transfer/import_products.py` keeps each conversation as a text that `remember` takes in.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.transfer.export import atomic_file, export, require_place
    from vaultmem.transfer.import_products import import_files
    from vaultmem.transfer.importers.inputs import HEAD, input_of_bytes, inputs_of
    from vaultmem.transfer.importers.product import OWN, PRODUCTS, format_of, product_of
    from vaultmem.transfer.importing import import_document
    from vaultmem.transfer.read import read_file

attach(
    __name__,
    {
        "export": "atomic_file export require_place",
        "import_products": "import_files",
        "importers.inputs": "HEAD input_of_bytes inputs_of",
        "importers.product": "OWN PRODUCTS format_of product_of",
        "importing": "import_document",
        "read": "read_file",
    },
)
