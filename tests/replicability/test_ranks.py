"""Ranks and intervals of a leaderboard, against enumeration and statsmodels."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

import reportkit
from reportkit.replicability.ranks import rank_intervals


def test_every_order_that_the_tests_allow_lies_in_the_intervals() -> None:
    """And the ends are reached: by enumeration of all orders of five systems."""
    better = {("a", "c"), ("a", "d"), ("b", "d"), ("c", "d"), ("a", "e")}
    systems = "abcde"
    orders = [order for order in permutations(systems) if all(order.index(x) < order.index(y) for x, y in better)]
    found = rank_intervals(systems, better)
    for name in systems:
        ranks = [1 + order.index(name) for order in orders]
        assert found[name] == (min(ranks), max(ranks))


def test_the_table_of_a_leaderboard_has_intervals_and_ranks() -> None:
    """Wilson's intervals at 1 - .05 / 4, and the ranks that follow from the marks; not where datasets are several."""
    rng = np.random.default_rng(4)
    rows = [
        (name, i, int(rng.random() < share))
        for name, share in zip("wxyz", (0.9, 0.8, 0.5, 0.2), strict=True)
        for i in range(80)
    ]
    frame = pd.DataFrame(rows, columns=["system", "instance", "score"])
    analysis = reportkit.compare(frame.assign(dataset="qa"))
    table = analysis.table("results")
    assert [column.header for column in table.columns[-2:]] == ["Interval", "Rank"]
    assert "winner's curse" in table.legend
    outcomes = analysis.outcomes
    for row, name in zip(table.rows, "wxyz", strict=True):
        right = frame[frame["system"] == name]["score"].sum()
        low, high = proportion_confint(right, 80, 0.05 / 4, method="wilson")
        assert row.cells[-2].text == f"[{100 * low:.1f}, {100 * high:.1f}]"
        won = outcomes[outcomes["identified"]]
        ends = 1 + (won["system_b"] == name).sum(), 4 - (won["system_a"] == name).sum()
        assert row.cells[-1].text == "–".join(map(str, dict.fromkeys(ends)))
    two = pd.concat([frame.assign(dataset="qa"), frame.assign(dataset="mt")])
    assert "Rank" not in [column.header for column in reportkit.compare(two).table("results").columns]
