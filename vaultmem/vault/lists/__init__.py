"""Lists of bullets and the notes that they stand for, kept level both ways.

Promises
* Three states are compared: lists as last settled, lists on disk, items on disk. An edit in an
  editor, a crash between two files and a pull are the same case.
* Where bullet and item were both edited, differently, nothing is changed: `check` shows both.

Never: writes. `edit/settle.py` carries out what is found here.

Where is the rule for ...
    what an edit of a list or a note means      two_way.py
    an item's note, bullet and category line    listed_items.py
    what the index answers until then           shown.py
"""
