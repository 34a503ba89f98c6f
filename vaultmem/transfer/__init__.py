"""A vault as one file: written, read, judged, taken in; and what other programs exported.

Words that end here: `export`, `import`.

Promises
* An export has every note as it lies on disk and every version of the past; nothing of the device.
* An import of our document is one commit; nothing comes twice, nothing newer is written over.
* Exports of other programs become texts that `remember` keeps: each conversation once, and a later
  export adds what was said since.
* Who vouches for a document is said by the caller, never by the document.

Never: follows a path out of the vault, and believes what a document says of its own trust. What
the history of this vault had comes back unmarked: that is a fact, not a claim.

Where is the rule for ...
    what an export holds                        export.py
    which entries are notes at all              read.py, foreign_notes.py
    which of two texts is newer; its place      decide.py
    lists in a document                         importing.py
    conversations in a document                 session_notes.py
    exports of other programs                   import_products.py, importers/product.py
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
