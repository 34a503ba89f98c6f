"""What is promised of the faces of rooms (base/faces.py)."""

from __future__ import annotations

import subprocess
import sys

import pytest


def _printed(code: str) -> str:
    """What a program prints that has imported nothing of ours before."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_a_room_is_loaded_when_it_is_first_asked_for_a_name() -> None:
    told = _printed(
        "import sys\n"
        "from vaultmem import language\n"
        "before = 'vaultmem.language' in sys.modules\n"
        "language.fold('x')\n"
        "print(before, 'vaultmem.language' in sys.modules, 'vaultmem.language.time' in sys.modules)"
    )
    assert told == "False True False"


def test_whoever_imported_a_room_before_has_the_same_one_as_who_imports_it_after() -> None:
    told = _printed(
        "import sys, importlib\n"
        "from vaultmem import language as early\n"
        "import vaultmem.language.text\n"
        "from vaultmem import language as late\n"
        "print(early is late, early is sys.modules['vaultmem.language'],"
        " early is importlib.import_module('vaultmem.language'), early.text is late.text,"
        " early.__file__ == late.__spec__.origin)"
    )
    assert told == "True True True True True"


def test_threads_that_import_a_room_at_once_all_get_its_names() -> None:
    told = _printed(
        "import sys, threading\n"
        "sys.setswitchinterval(1e-6)\n"
        "from vaultmem import facts, language, model, recall, sessions, vault\n"
        "gate, failed = threading.Barrier(8), []\n"
        "def use():\n"
        "    gate.wait()\n"
        "    try:\n"
        "        from vaultmem.language import fold\n"
        "        from vaultmem.model import Answer\n"
        "        from vaultmem.recall import search\n"
        "        sessions.start, facts.want_new, vault.open_with_recoveries, recall.links\n"
        "    except (ImportError, AttributeError) as error: failed.append(error)\n"
        "threads = [threading.Thread(target=use) for _ in range(8)]\n"
        "[each.start() for each in threads]; [each.join() for each in threads]\n"
        "print(failed)"
    )
    assert told == "[]"


def test_a_name_that_a_room_does_not_have_is_an_error_of_that_room() -> None:
    told = _printed(
        "from vaultmem import language, cli\n"
        "for room in (language, cli):\n"
        "    try: room.nothing\n"
        "    except AttributeError as error: print(error)"
    )
    assert told.splitlines() == [
        "module 'vaultmem.language' has no attribute 'nothing'",
        "module 'vaultmem.cli' has no attribute 'nothing'",
    ]


def test_a_room_on_a_shelf_is_loaded_when_it_is_first_asked_for_a_name() -> None:
    told = _printed(
        "import sys\n"
        "from vaultmem.storage import merging\n"
        "before = 'vaultmem.storage.merging' in sys.modules\n"
        "merging.merge_note\n"
        "print(before, merging is sys.modules['vaultmem.storage.merging'])"
    )
    assert told == "False True"


def test_there_is_no_room_that_has_no_folder() -> None:
    import vaultmem

    with pytest.raises(AttributeError, match="module 'vaultmem' has no attribute 'attic'"):
        getattr(vaultmem, "attic")  # noqa: B009 (type checkers would refuse the plain form)
    with pytest.raises(ImportError):
        exec("from vaultmem import attic")


def test_a_module_that_was_loaded_does_not_hide_the_verb_of_its_name() -> None:
    told = _printed(
        "from vaultmem import learn\n"
        "import vaultmem.learn.rules\n"
        "import vaultmem.learn.consolidate\n"
        "print(type(learn.rules).__name__, type(learn.consolidate).__name__)"
    )
    assert told == "function function"
