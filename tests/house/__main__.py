"""Write down what the package still owes to its floor plan: `python -m tests.house`.

The list may only shrink; `--anew` writes it all the same, for a move that renames what is owed.
"""

from __future__ import annotations

import sys

from tests.house import plan


def main() -> int:
    before = set(plan.OWED.read_text(encoding="utf-8").splitlines())
    now = plan.owed()
    new = sorted(set(now) - before)
    if new and "--anew" not in sys.argv:
        print(*new, sep="\n")
        return 1
    plan.OWED.write_text("".join(f"{line}\n" for line in now), encoding="utf-8")
    print(f"{len(now)} owed, {len(before)} before")
    return 0


if __name__ == "__main__":
    sys.exit(main())
