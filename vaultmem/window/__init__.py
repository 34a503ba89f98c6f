"""A window on the memory: pages to look at, and to decide in.

`serve.py` opens a vault for as long as the page is open; `door.py` lets one browser in; `app.py`
answers its requests; `pages.py` gathers what a page shows, and changes nothing; `decisions.py`
does what the person decides, by the operations of the command line, one commit each.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.window.report.write import Report, write_report
    from vaultmem.window.serve import Window

attach(
    __name__,
    {
        "report.write": "Report write_report",
        "serve": "Window",
    },
)
