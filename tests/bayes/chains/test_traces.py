"""Traces on disk."""

import numpy as np
import pytest

from reportkit.bayes.chains import read_traces, save_traces, traces_of
from reportkit.errors import ReadingError, RenderingError

pytestmark = pytest.mark.usefixtures("pymc")


@pytest.mark.slow
def test_traces_come_back_as_they_were(posteriors, tmp_path):
    """Every parameter and statistic, digit by digit, with names, seed and versions, and no time of the clock."""
    found = posteriors("metric")
    path = save_traces(found, tmp_path / "traces")
    assert path.name == "a_b_cb_metric.nc"
    traces = read_traces(path)
    np.testing.assert_array_equal(traces.posterior["difference"].values, found.effect)
    for name, values in found.chains.values.items():
        np.testing.assert_array_equal(traces.posterior[name].values, values)
    np.testing.assert_array_equal(traces.sample_stats["energy"].values, found.chains.statistics["energy"])
    assert (traces.attrs["system_a"], int(traces.attrs["seed"])) == ("a", 7)
    assert traces.attrs["withheld"] == ""
    assert not {key for key in traces.attrs if "created" in key or "time" in key}


def test_the_same_chains_make_the_same_bytes(posteriors, tmp_path):
    """Nothing in the file depends on when it was written."""
    found = posteriors("metric")
    first, second = (save_traces(found, tmp_path / name).read_bytes() for name in ("one.nc", "two.nc"))
    assert first == second


def test_arviz_summarises_them(posteriors):
    """R-hat and effective sample sizes of ArviZ's own table are those of the diagnostics."""
    import arviz

    found = posteriors("metric")
    table = arviz.summary(traces_of(found), var_names=["difference"], round_to="none")
    effect = found.diagnostics.parameters[0]
    assert table["r_hat"].iloc[0] == pytest.approx(effect.r_hat)
    assert table["ess_bulk"].iloc[0] == pytest.approx(effect.ess_bulk)
    assert table["mean"].iloc[0] == pytest.approx(found.mean)


@pytest.mark.parametrize("content", [None, b"no traces"])
def test_what_is_no_file_of_traces_is_refused(tmp_path, content):
    """Absent, or something else."""
    path = tmp_path / "x.nc"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ReadingError, match=r"x\.nc"):
        read_traces(path)


def test_a_folder_that_cannot_be_written_is_said(posteriors, tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "taken").write_text("x")
    with pytest.raises(RenderingError, match="cannot be written"):
        save_traces(posteriors("metric"), tmp_path / "taken")
