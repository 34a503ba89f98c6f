"""A canvas: a part of the memory as boxes and lines, for Obsidian and other programs.

Promises
* The file is JSON Canvas 1.0; the same memory gives the same bytes; no two boxes overlap.
* A file that vaultmem did not draw, or that a person changed since, is not written over.
* What has no room is counted on the canvas.

Never: changes the memory, or shows a stranger's note so that something of it is loaded.

Where is the rule for ...
    the verb; which file may be written over    draw.py
    which notes, and what leads to which        neighbours.py
    where each lies; JSON; the digest           neighbours.py
"""
