"""Groups in which no two differ: the largest of them, which no further member fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set


def maximal_cliques(neighbours: Mapping[int, Set[int]]) -> Iterator[tuple[int, ...]]:
    """Maximal cliques of an undirected graph, each once, its members in rising order.

    Parameters
    ----------
    neighbours : mapping of int to set of int
        Of every node; symmetric, no node its own neighbour.

    Notes
    -----
    Bron and Kerbosch (1973), "Algorithm 457: finding all cliques of an undirected graph", with the pivot of Tomita,
    Tanaka and Takahashi (2006). There can be 3^(n/3) of them, so they are yielded one by one.

    Examples
    --------
    >>> sorted(maximal_cliques({0: {1, 2}, 1: {0, 2}, 2: {0, 1, 3}, 3: {2}}))
    [(0, 1, 2), (2, 3)]
    """
    stack: list[tuple[frozenset[int], frozenset[int], frozenset[int]]] = [
        (frozenset(), frozenset(neighbours), frozenset())
    ]
    while stack:
        chosen, candidates, excluded = stack.pop()
        if not candidates:
            if not excluded and chosen:
                yield tuple(sorted(chosen))
            continue
        pivot = max(sorted(candidates | excluded), key=lambda node: len(candidates & neighbours[node]))
        for node in sorted(candidates - neighbours[pivot]):
            stack.append((chosen | {node}, candidates & neighbours[node], excluded & neighbours[node]))
            candidates, excluded = candidates - {node}, excluded | {node}
