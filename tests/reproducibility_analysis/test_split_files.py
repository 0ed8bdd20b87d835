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
        assert [np.flatnonzero(fold == 0).tolist() for fold in table.folds] == [
            test.tolist() for _, test in splits[::2]
        ]
        assert [np.flatnonzero(fold == 1).tolist() for fold in table.folds] == [
            test.tolist() for _, test in splits[1::2]
        ]


def test_senseless_tables_are_refused():
    """Ids twice, no re-partition."""
    with pytest.raises(InputError, match="not all different"):
        split_tables(BlockedCV(), ["a", "a", "b", "c"])
    with pytest.raises(SettingsError, match="repartitions is 0"):
        split_tables(BlockedCV(), range(4), repartitions=0)
