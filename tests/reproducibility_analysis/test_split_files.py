"""Split tables and their files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import InputError, SettingsError
from reportkit.reproducibility_analysis import BlockedCV, split_tables, write_splits


def test_what_is_written_is_read(tmp_path):
    """Several re-partitions in one file are read as they were by any reader of CSV, ids with commas and quotes too."""
    ids = [f'doc "{i}", é' for i in range(21)]
    tables = split_tables(BlockedCV(4, rng=3), ids, labels=[i % 2 for i in range(21)], repartitions=3)
    write_splits(tables, tmp_path / "splits.csv")
    again = pd.read_csv(tmp_path / "splits.csv")
    assert again["repartition"].unique().tolist() == [1, 2, 3]
    for table, (number, read) in zip(tables, again.groupby("repartition"), strict=True):
        assert table.repartition + 1 == number
        assert table.instances.tolist() == read["instance"].tolist()
        assert np.array_equal(table.block + 1, read["block"])
        assert np.array_equal(table.folds + 1, read[[f"fold_{i}" for i in range(1, 5)]].T)


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


def test_senseless_tables_are_refused(tmp_path):
    """Ids twice, no re-partition, tables that do not fit together."""
    with pytest.raises(InputError, match="not all different"):
        split_tables(BlockedCV(), ["a", "a", "b", "c"])
    with pytest.raises(SettingsError, match="repartitions is 0"):
        split_tables(BlockedCV(), range(4), repartitions=0)
    with pytest.raises(SettingsError, match="one number of repetitions"):
        write_splits([*split_tables(BlockedCV(2), range(4)), *split_tables(BlockedCV(3), range(4))], tmp_path / "x")
    assert not (tmp_path / "x").exists()
