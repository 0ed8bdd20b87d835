"""What the choice of a test depends on."""

from reportkit.significance.design import Design

A, B = [1, 1, 0, 1, 0, 1], [0, 1, 1, 0, 0, 0]
CLUSTERS, WEIGHTS = {"clusters": [0, 0, 1, 1, 2, 2]}, {"weights": [1, 2, 3, 1, 2, 3]}


def test_a_design_says_what_the_choice_depends_on(pair):
    """Conditions are computed once."""
    assert Design.of(pair(A, B, kind="count", **CLUSTERS)) == Design(
        shape="paired", kind="count", identical=False, clustered=True, weighted=False, n=6, n_units=3
    )
    assert Design.of(pair(A, A, **WEIGHTS)) == Design(
        shape="paired", kind="continuous", identical=True, clustered=False, weighted=True, n=6, n_units=6
    )
