"""Standing in a graph: PageRank, and the same from the point of view of a few of its nodes.

Algorithms.md 3.9 and 5.7. Brin and Page 1998; personalised as HippoRAG (Gutierrez et al. 2024)
uses it. Needs numpy, so nothing on the way to a plain answer imports it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vaultmem.base.errors import BadInputError

DAMPING = 0.85
ENTITY_DAMPING = 0.5  # HippoRAG's: stay near what the question names
TOLERANCE = 1e-9
_MOST_ROUNDS = 10_000

Edge = tuple[int, int, float]  # from, to, weight >= 0


def pagerank(
    nodes: int,
    edges: Sequence[Edge],
    *,
    damping: float = DAMPING,
    teleport: Sequence[float] | None = None,
    tolerance: float = TOLERANCE,
) -> list[float]:
    """The standing of nodes 0..nodes-1, not below 0, together 1; empty without nodes.

    edges      several between the same two add up; an edge to itself counts
    damping    0 <= d < 1: the share that follows edges; the rest goes back to `teleport`
    teleport   (nodes,) not below 0: where a walk begins again; None or all 0: anywhere alike
    tolerance  largest change (summed) at which the ranking has settled
    raises     BadInputError for a node that is not there, a weight or a damping out of its range

    A node without edges gives its standing back to `teleport`. What no walk from there reaches has
    exactly 0.
    """
    if not 0 <= damping < 1:
        raise BadInputError(f"damping lies between 0 and 1 (not 1 itself), not at {damping:g}")
    if nodes == 0:
        return []
    home = _home(nodes, teleport)
    sources, targets, weights = _checked(nodes, edges)
    given = np.bincount(sources, weights=weights, minlength=nodes)
    dangles = given == 0
    shares = weights / np.where(dangles, 1.0, given)[sources]
    standing = home
    for _ in range(_MOST_ROUNDS):
        walked = np.bincount(targets, weights=standing[sources] * shares, minlength=nodes)
        after = (1 - damping) * home + damping * (walked + standing[dangles].sum() * home)
        change = float(np.abs(after - standing).sum())
        standing = after
        if change <= tolerance * (1 - damping):  # what is still to come is at most this / (1 - d)
            break
    return [float(value) for value in standing]


_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


def _home(nodes: int, teleport: Sequence[float] | None) -> _Floats:
    if teleport is None:
        return np.full(nodes, 1 / nodes)
    home = np.asarray(teleport, dtype=np.float64)
    if home.shape != (nodes,) or (home < 0).any() or not np.isfinite(home).all():
        raise BadInputError("teleport has one weight a node, none below 0")
    total = float(home.sum())
    return home / total if total else np.full(nodes, 1 / nodes)


def _checked(nodes: int, edges: Sequence[Edge]) -> tuple[_Ints, _Ints, _Floats]:
    sources = np.asarray([edge[0] for edge in edges], dtype=np.int64)
    targets = np.asarray([edge[1] for edge in edges], dtype=np.int64)
    weights = np.asarray([edge[2] for edge in edges], dtype=np.float64)
    ends = np.concatenate((sources, targets))
    if ends.size and (ends.min() < 0 or ends.max() >= nodes):
        raise BadInputError(f"an edge leads to a node that is not among the {nodes}")
    if (weights < 0).any() or not np.isfinite(weights).all():
        raise BadInputError("the weight of an edge is not below 0")
    held = weights > 0
    return sources[held], targets[held], weights[held]
