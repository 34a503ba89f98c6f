"""A window on the memory: pages to look at, and to decide in.

Words that end here: `view`, `report`, `canvas`.

Promises
* One browser is let in, by a link that works once; the page loads nothing from elsewhere.
* A decision is an operation of the command line, one commit, for the version that was seen.
* What a page shows is gathered in proportion to what it shows.

Never: changes anything by looking, and shows a text of a note unescaped.

Where is the rule for ...
    who may look                                guard.py
    serving; which page answers a request       app.py
    what a page shows                           pages.py
    what is decided there                       decisions.py
    how text becomes HTML                       html.py
    when a page is told of a change             app.py
    the page to keep or send                    report.py, report_contents.py
    when things held, when they were learned    spans.py
    whom and what a memory is about             names.py
    what a stranger should not read             redact.py
    the canvas for Obsidian                     canvas.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.window.app import Window
    from vaultmem.window.canvas import Canvas, write_canvas
    from vaultmem.window.report import Report, write_report

attach(
    __name__,
    {
        "canvas": "Canvas write_canvas",
        "report": "Report write_report",
        "app": "Window",
    },
)
