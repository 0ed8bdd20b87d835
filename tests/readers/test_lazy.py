"""Engines read the columns and datasets that are needed, and leave the rest where it is, though it be damaged."""

import os

import pyarrow as pa
import pyarrow.dataset
import pytest

import reportkit
from reportkit.errors import ReadingError, UnknownNameError
from reportkit.scale import divided, reading
from tests.conftest import needed
from tests.scale.result_files import damage_all, in_one_file, said, scores

ASKED = ("task9", "task11")


def or_names(column, dataset):
    """What has to be read of a row group; of the column of datasets, all of it, to count the rows of each."""
    return column == "task" or (column != "note" and dataset in ASKED)


def of_polars(folder):
    """A lazy frame over all files."""
    return needed("polars", "dev").scan_parquet(folder / "*.parquet")


def of_duckdb(folder):
    """A relation over all files."""
    return needed("duckdb", "dev").connect().read_parquet(str(folder / "*.parquet"))


def of_arrow(folder):
    """A dataset of Arrow."""
    return pa.dataset.dataset(folder)


def of_dask(folder):
    """A frame of Dask, a row group in each partition."""
    return needed("dask.dataframe", "dask").read_parquet(str(folder), split_row_groups=True)


@pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index")  # Dask, as it reads Parquet
@pytest.mark.parametrize("engine", [of_polars, of_duckdb, of_arrow, of_dask])
@pytest.mark.parametrize("limit", [{"memory_limit": "100MB"}, {}])
def test_engines_leave_the_rest_where_it_is(tmp_path, engine, limit):
    """Lazy frames and relations: their engine reads the columns and datasets that are needed, and no others."""
    frame = scores()
    in_one_file(frame, tmp_path / "results")
    damage_all(tmp_path / "results", kept=or_names)
    whole = reportkit.compare(frame, baseline="m0", datasets=ASKED)
    assert said(reportkit.compare(engine(tmp_path / "results"), baseline="m0", datasets=ASKED, **limit)) == said(whole)
    with pytest.raises(UnknownNameError, match="no dataset 'task7'"):
        reportkit.compare(engine(tmp_path / "results"), datasets=["task9", "task7"], **limit)


@pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index")
@pytest.mark.parametrize("ids", ["text", "number"])
def test_a_frame_of_dask_may_have_categories_that_it_does_not_know(tmp_path, ids):
    """As it reads them from Parquet with dictionaries: texts and numbers stay what they are."""
    frame = scores()
    if ids == "number":
        frame["id"] = frame.groupby(["model", "task"]).cumcount()
    in_one_file(frame.astype(dict.fromkeys(("model", "id"), "category")), tmp_path / "results")
    source = of_dask(tmp_path / "results")
    source = source.assign(**{name: source[name].astype("category").cat.as_unknown() for name in ("model", "id")})
    assert said(source.replic.compare(baseline="m0")) == said(reportkit.compare(frame, baseline="m0"))


def test_a_filtered_dataset_reads_no_partition_of_another_system(tmp_path):
    """Whoever wants two of many systems says so to the engine, which leaves the files of the others alone."""
    frame = scores(systems=4, datasets=2)
    for name, rows in frame.groupby("model"):
        (tmp_path / f"model={name}").mkdir()
        rows.drop(columns="model").to_parquet(tmp_path / f"model={name}" / "part.parquet", index=False)
    for name in ("m1", "m2"):
        os.truncate(tmp_path / f"model={name}" / "part.parquet", 100)
    source = pa.dataset.dataset(
        tmp_path, partitioning="hive", schema=pa.Schema.from_pandas(frame, preserve_index=False)
    )
    found = reportkit.compare(source.filter(pa.dataset.field("model").isin(["m0", "m3"])), "m3", "m0")
    assert said(found) == said(reportkit.compare(frame[frame["model"].isin(["m0", "m3"])], "m3", "m0"))


@pytest.mark.slow
def test_a_frame_of_dask_on_workers_leaves_the_rest_where_it_is(tmp_path):
    """Workers read the column of datasets, and of the datasets that are asked for the columns that are needed."""
    frame = scores()
    in_one_file(frame, tmp_path / "results")
    damage_all(tmp_path / "results", kept=or_names)
    whole = reportkit.compare(frame, baseline="m0", datasets=ASKED)
    distributed = needed("distributed", "dask")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = reportkit.compare(of_dask(tmp_path / "results"), baseline="m0", datasets=ASKED, client=client)
        assert said(found) == said(whole)
        with pytest.raises(ReadingError, match="DataFrame, a part of the results, cannot be read"):
            reportkit.compare(of_dask(tmp_path / "results"), baseline="m0", client=client)


@pytest.mark.parametrize("engine", [of_polars, of_duckdb, of_arrow])
def test_what_cannot_fit_is_refused_before_it_is_written(tmp_path, monkeypatch, engine):
    """The columns of names tell how many instances there are; no score is read, and no row is written."""
    in_one_file(scores(datasets=1), tmp_path / "results")
    damage_all(tmp_path / "results", kept=lambda column, dataset: column in ("task", "model"))
    monkeypatch.setattr(reading, "BYTES_OF_A_ROW", 25_000_000 // 50)
    monkeypatch.setattr(divided, "_BYTES_OF_AN_INSTANCE", 1_000_000)
    with pytest.raises(ReadingError, match=r"'task8' has at least 40 instances(.|\n)*--memory-limit \d+MB"):
        reportkit.compare(engine(tmp_path / "results"), memory_limit="50MB")
