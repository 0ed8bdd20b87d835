"""Maximal cliques against the definition: every subset of the nodes is tried."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.figures.cliques import maximal_cliques


def by_definition(n: int, edges: set[tuple[int, int]]) -> list[tuple[int, ...]]:
    """All subsets whose members are joined pairwise, and that no further node fits."""

    def joined(nodes: tuple[int, ...]) -> bool:
        return all(pair in edges for pair in combinations(nodes, 2))

    every = [nodes for size in range(1, n + 1) for nodes in combinations(range(n), size) if joined(nodes)]
    return sorted(nodes for nodes in every if not any(set(nodes) < set(other) for other in every))


@given(st.integers(1, 8), st.data())
@settings(deadline=None, max_examples=120)
def test_cliques_are_those_of_the_definition(n: int, data: st.DataObject) -> None:
    """On random graphs of up to eight nodes, each clique once."""
    possible = list(combinations(range(n), 2))
    edges = set(data.draw(st.lists(st.sampled_from(possible), unique=True))) if possible else set()
    neighbours = {node: {a + b - node for a, b in edges if node in (a, b)} for node in range(n)}
    assert sorted(maximal_cliques(neighbours)) == by_definition(n, edges)


def test_there_is_none_without_nodes() -> None:
    """An empty graph has no clique, not an empty one."""
    assert list(maximal_cliques({})) == []
