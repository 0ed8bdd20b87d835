"""Split tables and their files."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.errors import DesignError, InputError, ReadingError, SettingsError
from reportkit.reproducibility_analysis import BlockedCV, read_splits, split_tables, write_splits


def test_what_is_written_is_read(tmp_path):
    """Several re-partitions in one file come back as they were, ids with commas and quotes included."""
    ids = [f'doc "{i}", é' for i in range(21)]
    tables = split_tables(BlockedCV(4, rng=3), ids, labels=[i % 2 for i in range(21)], repartitions=3)
    write_splits(tables, tmp_path / "splits.csv")
    again = read_splits(tmp_path / "splits.csv")
    assert len(again) == 3
    for table, read in zip(tables, again, strict=True):
        assert table.repartition == read.repartition
        assert table.instances.tolist() == read.instances.tolist()
        assert np.array_equal(table.block, read.block)
        assert np.array_equal(table.folds, read.folds)


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


def test_a_file_that_was_changed_is_refused(tmp_path):
    """Folds that overlap unevenly are no blocked cross-validation."""
    (table,) = split_tables(BlockedCV(2), np.arange(40))
    write_splits([table], tmp_path / "splits.csv")
    lines = (tmp_path / "splits.csv").read_text("utf-8").splitlines()
    broken = [lines[0], *(f"{line[:-1]}{line[-3]}" for line in lines[1:])]  # fold_2 = fold_1
    (tmp_path / "splits.csv").write_text("\n".join(broken), "utf-8")
    with pytest.raises(DesignError, match="folds of repetitions 1 and 2 share"):
        read_splits(tmp_path / "splits.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not those of splits"),
        ("repartition,instance,block,fold_1\n", "there are no rows"),
        ("repartition,instance,block,fold_2\n1,a,1,1\n", "not those of splits"),
        ("repartition,instance,block,fold_1\n1,a,1\n", "1 row has other than 4 values"),
        ("repartition,instance,block,fold_1\n1,a,1,x\n", "no whole number"),
        ("repartition,instance,block,fold_1\n1,a,1,1\n1,a,2,2\n", "listed twice in repartition 1"),
    ],
)
def test_other_files_are_refused(tmp_path, text, message):
    """The message says what is wrong, and in which file."""
    (tmp_path / "splits.csv").write_text(text, "utf-8")
    with pytest.raises(ReadingError, match=message) as caught:
        read_splits(tmp_path / "splits.csv")
    assert "splits.csv" in str(caught.value)


def test_an_absent_file_is_an_error_of_reading(tmp_path):
    """Not a traceback of the operating system."""
    with pytest.raises(ReadingError, match="cannot be read"):
        read_splits(tmp_path / "none.csv")


def test_senseless_tables_are_refused(tmp_path):
    """Ids twice, no re-partition, tables that do not fit together."""
    with pytest.raises(InputError, match="not all different"):
        split_tables(BlockedCV(), ["a", "a", "b", "c"])
    with pytest.raises(SettingsError, match="repartitions is 0"):
        split_tables(BlockedCV(), range(4), repartitions=0)
    with pytest.raises(SettingsError, match="one number of repetitions"):
        write_splits([*split_tables(BlockedCV(2), range(4)), *split_tables(BlockedCV(3), range(4))], tmp_path / "x")
    assert not (tmp_path / "x").exists()
