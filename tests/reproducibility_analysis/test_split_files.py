"""Split tables."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.errors import InputError, SettingsError
from reportkit.reproducibility_analysis import BlockedCV, split_tables


def test_tables_are_the_splits_of_the_splitter():
    """Re-partition r of the table is BlockedCV with repartition=r."""
    tables = split_tables(BlockedCV(3, rng=3), np.arange(20), repartitions=2)
    for r, table in enumerate(tables):
        splits = list(BlockedCV(3, rng=3, repartition=r).split(range(20)))
        for fold, (_, first), (_, second) in zip((1, 2, 3), splits[::2], splits[1::2], strict=True):
            assert np.flatnonzero(table[f"fold_{fold}"] == 1).tolist() == first.tolist()
            assert np.flatnonzero(table[f"fold_{fold}"] == 2).tolist() == second.tolist()


def test_senseless_tables_are_refused():
    """Ids twice, no re-partition."""
    with pytest.raises(InputError, match="not all different"):
        split_tables(BlockedCV(), ["a", "a", "b", "c"])
    with pytest.raises(SettingsError, match="repartitions is 0"):
        split_tables(BlockedCV(), range(4), repartitions=0)
