"""The decision tables as data."""

import itertools

from reportkit.scores.shapes.sample import SHAPES
from reportkit.significance.choose import Design
from reportkit.significance.decision_tables import DECISION_TABLES


def test_every_row_can_be_reached():
    """No rule stands behind another one that matches all its designs."""
    flags = (False, True)
    designs = [
        Design(
            shape=shape,
            kind=kind,
            identical=identical,
            clustered=clustered,
            weighted=weighted,
            skewed=skewed,
            rated=rated,
            constant=constant,
            few_differ=few_differ,
            beyond_half=beyond_half,
            unit=unit,
            n_tables=n_tables,
            n=10_000,
            n_units=n_units,
        )
        for shape in SHAPES
        for kind in ("binary", "continuous", "ordinal", "count")
        for n_units in (1, 2, 7, 15, 25, 200, 5_000)
        for unit, n_tables in (("instance", 0), ("instance", 10**12), ("dataset", 0))
        for identical, clustered, weighted, skewed, rated, constant in itertools.product(flags, repeat=6)
        for few_differ, beyond_half in itertools.product(flags if shape == "corpus" else flags[:1], repeat=2)
    ]
    for rules in DECISION_TABLES.values():
        shapes = {rule.shape for rule in rules}
        here = [design for design in designs if design.shape in shapes]
        reached = {id(next(rule for rule in rules if rule.matches(design))) for design in here}
        assert reached == {id(rule) for rule in rules}
