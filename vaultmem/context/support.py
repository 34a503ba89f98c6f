"""Whether a pattern of zeros leaves room for given row and column sums: a flow through it.

Transport with forbidden cells is feasible exactly if a maximal flow from the rows to the columns
carries all mass (Gale 1957). For sums of 1 that is a perfect matching, a positive diagonal.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_SHARE = 1e-9  # of the total that may stay behind: float sums, not a missing way

Floats = npt.NDArray[np.float64]


def has_support(kernel: Floats, rows: Floats, columns: Floats) -> bool:
    """Whether some matrix that is 0 where the kernel is has these sums.

    kernel  (n, m), not below 0; rows (n,) and columns (m,) above 0, of one total
    """
    allowed = kernel > 0
    if allowed.all():
        return True
    if not (allowed.any(axis=1).all() and allowed.any(axis=0).all()):
        return False
    spare, open_to = rows.astype(np.float64), columns.astype(np.float64)
    flow = _first_fit(allowed, spare, open_to)
    least = _SHARE * float(rows.sum())
    while float(spare.sum()) > least and _augment(allowed, flow, spare, open_to, least):
        pass
    return float(spare.sum()) <= least


def _first_fit(allowed: npt.NDArray[np.bool_], spare: Floats, open_to: Floats) -> Floats:
    """A flow that takes, row by row, what is still open; `spare` and `open_to` go down by it."""
    flow = np.zeros(allowed.shape)
    for i in range(allowed.shape[0]):
        for j in np.flatnonzero(allowed[i] & (open_to > 0)):
            sent = min(spare[i], open_to[j])
            flow[i, j] += sent
            spare[i] -= sent
            open_to[j] -= sent
            if spare[i] <= 0:
                break
    return flow


def _augment(
    allowed: npt.NDArray[np.bool_], flow: Floats, spare: Floats, open_to: Floats, least: float
) -> bool:
    """Send more along one shortest way from a row with mass to an open column, if there is one."""
    tiny = least / max(allowed.shape)
    came_to = np.full(allowed.shape[1], -1)  # the row that a column was reached from
    back_to = np.full(allowed.shape[0], -1)  # the column whose flow a row could take back
    rows = np.flatnonzero(spare > tiny)
    seen = np.zeros(allowed.shape[0], dtype=bool)
    seen[rows] = True
    while rows.size:
        fresh: list[int] = []
        for i in rows:
            reached = np.flatnonzero(allowed[i] & (came_to < 0))
            came_to[reached] = i
            for j in reached:
                if open_to[j] > tiny:
                    _send(flow, spare, open_to, came_to, back_to, int(j))
                    return True
                owners = np.flatnonzero((flow[:, j] > tiny) & ~seen)
                seen[owners] = True
                back_to[owners] = j
                fresh.extend(int(owner) for owner in owners)
        rows = np.asarray(fresh, dtype=np.int64)
    return False


def _send(
    flow: Floats,
    spare: Floats,
    open_to: Floats,
    came_to: npt.NDArray[np.int64],
    back_to: npt.NDArray[np.int64],
    end: int,
) -> None:
    way: list[tuple[int, int]] = []  # (row, column) forward; the flow taken back lies between
    j = end
    while True:
        i = int(came_to[j])
        way.append((i, j))
        if back_to[i] < 0:
            break
        j = int(back_to[i])
    sent = min(float(spare[way[-1][0]]), float(open_to[end]))
    sent = min([sent, *(float(flow[i, back_to[i]]) for i, _ in way[:-1])])
    for i, j in way:
        flow[i, j] += sent
        if back_to[i] >= 0:
            flow[i, back_to[i]] -= sent
    spare[way[-1][0]] -= sent
    open_to[end] -= sent
