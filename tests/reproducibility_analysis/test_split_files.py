"""Split tables."""

from __future__ import annotations

import numpy as np

from reportkit.reproducibility_analysis import BlockedCV, split_tables


def test_tables_are_the_splits_of_the_splitter():
    """Re-partition r of the table is BlockedCV with repartition=r."""
    tables = split_tables(BlockedCV(3, rng=3), np.arange(20), repartitions=2)
    for r, table in enumerate(tables):
        splits = list(BlockedCV(3, rng=3, repartition=r).split(range(20)))
        for fold, (_, first), (_, second) in zip((1, 2, 3), splits[::2], splits[1::2], strict=True):
            assert np.flatnonzero(table[f"fold_{fold}"] == 1).tolist() == first.tolist()
            assert np.flatnonzero(table[f"fold_{fold}"] == 2).tolist() == second.tolist()
