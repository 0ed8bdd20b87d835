"""The difference in the eyes of people, with the help of a judge."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reportkit import judged_difference
from reportkit.errors import ColumnError, DesignError, DuplicateScoresError, InputError, SettingsError, UnknownNameError
from reportkit.significance.prediction_powered import prediction_powered

ROOT = Path(__file__).resolve().parents[2]


def frame(n=400, labelled=100, bias=0.0, noise=0.4):
    """Two systems, 0.2 apart, and a judge that may favour the second."""
    rng = np.random.default_rng(3)
    rows = []
    for name, mean, favour in (("new", 0.6, 0.0), ("old", 0.4, bias)):
        for i, value in enumerate(rng.normal(mean, 1.0, n)):
            rows.append((name, f"q{i}", value + favour + rng.normal(0.0, noise), value if i < labelled else None))
    return pd.DataFrame(rows, columns=["system", "instance", "judge", "human"])


def test_it_is_that_of_the_published_package():
    """ppi-python 0.2.3, ppi_mean_ci with its own weight: 0.17694 and [0.05296, 0.30092], with normal quantiles."""
    rng = np.random.default_rng(12)
    f = rng.normal(0.3, 1, 980)
    y = 0.6 * f - 0.1 + rng.normal(0, 0.5, 980)
    found = prediction_powered(np.where(np.arange(980) < 80, y, np.nan), f)
    assert found.mean == pytest.approx(0.17694, abs=0.001)
    assert found.standard_error == pytest.approx((0.30092 - 0.05296) / 2 / 1.959964, rel=0.01)
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, 79) * found.standard_error)


def test_a_judge_without_worth_leaves_people_alone():
    """And all labelled instances are a plain paired t interval."""
    y = np.random.default_rng(1).normal(0.1, 1.0, 60)
    plain = stats.ttest_1samp(y, 0.0).confidence_interval(0.95)
    for judge in (np.zeros(60), y):
        found = prediction_powered(y, judge)
        assert (found.low, found.high, found.weight) == (pytest.approx(plain.low), pytest.approx(plain.high), 0.0)


def test_a_constant_of_the_judge_plays_no_role():
    """Nor does the scale of its scores, while it is not cut."""
    rng = np.random.default_rng(2)
    f = rng.normal(size=500)
    y = np.where(np.arange(500) < 100, 0.5 * f + rng.normal(0, 0.3, 500), np.nan)
    one, other = prediction_powered(y, f), prediction_powered(y, 5.0 + f)
    assert (one.low, one.high) == pytest.approx((other.low, other.high))
    assert prediction_powered(y, 2.0 * f).high == pytest.approx(one.high)


def test_what_comes_back_says_who_agrees():
    """A sentence, a frame, and findings where judge and people disagree."""
    found = judged_difference(frame())
    assert found.findings == ()
    assert found.interval[0] < 0.2 < found.interval[1]
    assert found.found.high - found.found.low < found.people.high - found.people.low
    assert found.correlation > 0.8
    assert 0.7 < found.same_direction <= 1.0
    assert "on 100 of 400 instances" in repr(found)
    assert found.to_frame()["by"].tolist() == ["people and judge", "people", "judge"]
    turned = judged_difference(frame(), "old", "new")
    assert turned.mean == pytest.approx(-found.mean)
    biased = judged_difference(frame(bias=1.0))
    assert [item.code for item in biased.findings] == ["judge-against-people"]
    assert biased.judge < 0 < biased.mean
    assert biased.mean == pytest.approx(found.mean)
    few = judged_difference(frame(labelled=20, noise=1000.0))
    assert "few-labels" in {item.code for item in few.findings}


def test_a_file_will_do(tmp_path):
    """With other names of columns."""
    path = tmp_path / "judged.csv"
    frame().rename(columns={"instance": "question", "judge": "gpt"}).to_csv(path, index=False)
    found = judged_difference(path, columns={"instance": "question", "judge": "gpt"})
    assert found.mean == pytest.approx(judged_difference(frame()).mean)


@pytest.mark.parametrize(
    ("change", "options", "error", "message"),
    [
        (lambda f: f.drop(columns="judge"), {}, ColumnError, "no column 'judge'"),
        (lambda f: f, {"system_a": "nwe", "system_b": "old"}, UnknownNameError, "nwe"),
        (lambda f: f[f["system"] == "new"], {}, SettingsError, "give the results of a second one"),
        (lambda f: f, {"confidence_level": 1.0}, SettingsError, "level"),
        (lambda f: pd.concat([f, f[:1]]), {}, DuplicateScoresError, "twice"),
        (lambda f: f[1:], {}, InputError, "1 of 400 instances have no score of the judge"),
        (lambda f: f.assign(human=np.where(f.index % 400 < 5, 1.0, np.nan)), {}, DesignError, "labelled 5"),
        (lambda f: f.assign(human=1.0), {}, DesignError, "same difference"),
        (lambda f: f.assign(judge="good"), {}, InputError, "holds text"),
    ],
)
def test_what_does_not_fit_is_refused(change, options, error, message):
    """With what is missing."""
    with pytest.raises(error, match=message):
        judged_difference(change(frame()), **options)


def test_the_committed_coverage_is_near_the_level():
    """2,000 samples in each design; the table is that of the script, and the page shows it."""
    path = ROOT / "benchmarks" / "judges.py"
    spec = importlib.util.spec_from_file_location("judges_simulation", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page = (ROOT / "docs" / "how-to" / "judges.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith(("| ratings", "| right"))]
    assert len(rows) == 2 * len(script.DESIGNS)
    assert all(0.93 <= float(row[3]) <= 0.965 for row in rows)
    found = script.simulate(("ratings", "correlation .7"), 50)
    (row,) = [row for row in rows if row[1:3] == ["correlation .7", "50"]]
    assert f"{float(found['covered']):.3f}".removeprefix("0") == row[3]
