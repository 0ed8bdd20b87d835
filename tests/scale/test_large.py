"""Every form of results that is read in parts has the bytes of the frame in memory."""

import functools
import http.server
import threading

import pandas as pd
import pytest

import reportkit
from tests.conftest import needed
from tests.scale.result_files import by_dataset, in_parts, scores


def test_a_wide_table_in_parts(tmp_path):
    """A column for each system, as Parquet by dataset."""
    long = scores(datasets=3)
    frame = long.pivot_table(index=["task", "id"], columns="model", values="score").reset_index()
    frame.columns.name = None
    by_dataset(frame, tmp_path / "results")
    together = reportkit.compare(tmp_path / "results", baseline="m0")
    apart = reportkit.compare(tmp_path / "results", baseline="m0", memory_limit="100MB")
    assert in_parts(tmp_path / "results", memory_limit="100MB")
    assert (apart.to_json(), apart.to_latex()) == (together.to_json(), together.to_latex())


@pytest.fixture
def site(tmp_path):
    """A server of files on this machine, which answers requests for parts of a file as object stores do."""
    (tmp_path / "site").mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield tmp_path / "site", f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["scores.parquet", "scores.csv"])
def test_a_file_by_http(site, name):
    """A URL of one file, through fsspec."""
    needed("aiohttp", "dask")
    folder, address = site
    frame = scores(datasets=3)
    write = frame.to_parquet if name.endswith("parquet") else frame.to_csv
    write(folder / name, index=False)
    there = reportkit.compare(f"{address}/{name}", baseline="m0")
    here = reportkit.compare(folder / name, baseline="m0")
    assert (there.to_json(), there.to_latex()) == (here.to_json(), here.to_latex())


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["TER", "BLEU", None])
def test_a_metric_that_is_better_when_lower_is_taken_so_dataset_by_dataset_too(tmp_path, metric):
    """By its name, as in memory."""
    frame = scores()
    both = [frame.assign(metric="TER"), frame.assign(metric="BLEU", score=frame["score"][::-1].to_numpy())]
    by_dataset(pd.concat(both, ignore_index=True), tmp_path / "results")
    asked = {"metric": metric or ["TER", "BLEU"], "baseline": "m0"}
    together = reportkit.compare(tmp_path / "results", **asked)
    assert reportkit.compare(tmp_path / "results", **asked, memory_limit="100MB").to_json() == together.to_json()
    rows = together.to_frame()
    gains = (rows["score_a"] - rows["score_b"]) * rows["difference"]
    lower = rows["metric"] == "TER" if metric is None else pd.Series(metric == "TER", rows.index)
    assert (gains[lower] <= 0).all()
    assert (gains[~lower] >= 0).all()
