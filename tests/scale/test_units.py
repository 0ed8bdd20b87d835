"""Columns that play no role, and datasets that nobody asked for, are left where they are, though they be damaged."""

import pandas as pd
import pytest

import reportkit
from reportkit.errors import UnknownNameError
from reportkit.scale.large import read_large
from tests.scale.result_files import as_csv, by_dataset, by_system, damage_all, in_one_file, in_parts, said, scores

ASKED = ("task9", "task11")


def needed_alone(column, dataset):
    """What a comparison of the datasets asked for has to read of a row group."""
    return column != "note" and dataset in ASKED


@pytest.mark.parametrize("write", [by_dataset, in_one_file])
@pytest.mark.parametrize("options", [{}, {"kind": {"task8": "binary", "task9": "continuous"}}])
def test_row_groups_of_other_datasets_are_not_read(tmp_path, write, options):
    """Of a folder, partitioned or not: what is not asked for cannot be read any more, and the report is the same."""
    write(scores(), tmp_path / "results")
    whole = reportkit.compare(tmp_path / "results", baseline="m0", datasets=ASKED, **options)
    damage_all(tmp_path / "results", kept=needed_alone)
    apart = reportkit.compare(tmp_path / "results", baseline="m0", datasets=ASKED, memory_limit="100MB", **options)
    assert said(apart) == said(whole)
    assert {item.dataset for item in apart.left_out} == {"task8", "task10"}
    with pytest.raises(UnknownNameError, match="no dataset 'task7'"):
        reportkit.compare(tmp_path / "results", datasets=["task9", "task7"], memory_limit="100MB")


@pytest.mark.parametrize("write", [by_system, as_csv])
@pytest.mark.parametrize("asked", [["task10"], [*ASKED]])
def test_datasets_are_left_out_of_files_that_mix_them(tmp_path, write, asked):
    """Where a row group holds several datasets, or files are rewritten: the same report as of all rows in memory."""
    write(scores(kind="percent"), tmp_path / "results")
    whole = reportkit.compare(tmp_path / "results", datasets=asked)
    apart = reportkit.compare(tmp_path / "results", datasets=asked, memory_limit="100MB")
    assert in_parts(apart)
    assert said(apart) == said(whole)


def test_scores_of_other_datasets_are_not_judged(tmp_path):
    """Percentages elsewhere, a score that is missing elsewhere: nothing is said of what nobody looks at."""
    frame = scores(datasets=2)
    other = frame[frame["task"] == "task9"].assign(task="other", score=lambda rows: (100 * rows["score"]).round())
    frame = pd.concat([frame, other.iloc[1:]], ignore_index=True)
    by_dataset(frame, tmp_path / "results")
    options = {"baseline": "m0", "datasets": ["task8", "task9"]}
    found = reportkit.compare(frame, **options)
    assert not {"mixed-scales", "missing-scores"} & {finding.code for finding in found.findings}
    apart = reportkit.compare(tmp_path / "results", memory_limit="100MB", **options)
    assert (apart.digest, apart.findings) == (found.digest, found.findings)


def test_of_a_wide_table_columns_of_other_systems_are_not_read(tmp_path):
    """`wide_systems` names those that are."""
    long = scores(datasets=2)
    wide = long.pivot_table(index=["task", "id"], columns="model", values="score").reset_index()
    wide.columns.name = None
    by_dataset(wide, tmp_path / "results")
    damage_all(tmp_path / "results", kept=lambda column, dataset: column != "m1")
    limit = {"memory_limit": "100MB", "wide_systems": ["m0", "m2"]}
    found = read_large(tmp_path / "results", reportkit.Settings(), **limit)
    assert found.systems == ("m0", "m2")
