"""Systems that were not scored on all instances: refused, dropped, worst, or whatever was missing."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit
from reportkit.cli.main import main
from reportkit.errors import MissingScoresError, SettingsError
from tests.claims import claims_in
from tests.designs.golden import as_in_file

STORED = 5e-9
"""Relative error of a number of nine digits, as report.json stores them."""


def _frame(*, n=120, n_missing=(6, 3), kind="binary", datasets=("tweets", "news"), seed=0):
    """New is better than old; each lacks some of the scores."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        for system, shift, missing in (("new", 0.25, n_missing[0]), ("old", 0.0, n_missing[1])):
            absent = set(rng.choice(n, size=missing, replace=False))
            for i in range(n):
                score = (
                    float(rng.random() < 0.5 + shift) if kind == "binary" else round(rng.normal(3 + shift * 4, 1), 2)
                )
                if i not in absent:
                    rows.append((system, dataset, f"{dataset}-{i}", min(max(score, 0), 6)))
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


CASES = {
    "bounds, right or wrong": (_frame(), {"missing": "bounds"}),
    "bounds, continuous": (
        _frame(kind="continuous", datasets=("tweets",)),
        {"missing": "bounds", "score_range": (0, 6)},
    ),
    "bounds, both directions": (_frame(), {"missing": "bounds", "alternative": "two-sided"}),
    "bounds, nothing missing": (_frame(n_missing=(0, 0)), {"missing": "bounds"}),
    "bounds, a test without them": (
        _frame(kind="continuous", datasets=("tweets",)),
        {"missing": "bounds", "score_range": (0, 6), "test": "paired-t"},
    ),
    "drop": (_frame(), {"missing": "drop"}),
    "worst": (_frame(), {"missing": "worst"}),
}


@pytest.fixture(scope="module")
def analyses():
    """By the name of the case."""
    return {name: frame.replic.compare("new", "old", alpha=0.05, **options) for name, (frame, options) in CASES.items()}


def test_paragraphs_read_as_expected(analyses):
    """Each text is as in the file that people read."""
    as_in_file("missing", {name: analysis.paragraph() for name, analysis in analyses.items()})


def test_bounds_are_those_of_scores_filled_by_hand(analyses):
    """McNemar's test with the missing scores of new wrong and those of old right, and the other way round."""
    wide = CASES["bounds, right or wrong"][0].pivot_table("score", ["dataset", "instance"], "system")
    for item in analyses["bounds, right or wrong"].comparisons[0].assessments:
        here = wide.loc[item.dataset]
        p_values = []
        for new, old in ((0, 1), (1, 0)):
            filled = here.assign(new=here["new"].fillna(new), old=here["old"].fillna(old))
            wins = int((filled["new"] > filled["old"]).sum())
            losses = int((filled["new"] < filled["old"]).sum())
            p_values.append(stats.binomtest(wins, wins + losses, alternative="greater").pvalue)
        assert item.p_value == pytest.approx(p_values[0], rel=1e-9)
        best = item.details.a.p_value_missing_in_favour
        assert best == pytest.approx(p_values[1], rel=1e-9)
        common = here.dropna()
        assert item.difference == pytest.approx((common["new"] - common["old"]).mean(), rel=1e-12)
        assert item.interval.low < item.difference < item.interval.high
        assert (item.n, item.n_imputed, item.n_dropped) == (len(here), int(here.isna().sum().sum()), 0)


def test_order_of_p_values(analyses):
    """Bounds are never below what "drop" and "worst" give for the same data, and the best case is never above."""
    bounds = analyses["bounds, right or wrong"]
    for other in ("drop", "worst"):
        assert (bounds.outcomes["p_value"] >= analyses[other].outcomes["p_value"]).all()
    for item, dropped in zip(bounds.comparisons[0].assessments, analyses["drop"].outcomes["p_value"], strict=True):
        assert item.details.a.p_value_missing_in_favour <= dropped


def test_findings_have_the_counts(analyses):
    """One note per analysis, by what was done."""
    for name, code in (("bounds, right or wrong", "bounds"), ("drop", "drop"), ("worst", "worst")):
        findings = {item.code: item for item in analyses[name].findings}
        assert findings[f"missing-{code}"].where == "news: 9 of 120; tweets: 9 of 120"
    codes = {item.code for item in analyses["bounds, a test without them"].findings}
    assert "bounds-not-guaranteed" in codes
    assert "missing-bounds" not in {item.code for item in analyses["bounds, nothing missing"].findings}


def test_nothing_missing_is_as_without_bounds(analyses):
    """The same outcomes to the last bit."""
    plain = CASES["bounds, nothing missing"][0].replic.compare("new", "old", alpha=0.05)
    assert plain.outcomes.equals(analyses["bounds, nothing missing"].outcomes)


def test_what_bounds_need():
    """A range, of scores that are not right or wrong; and scores of instances."""
    with pytest.raises(MissingScoresError, match="lowest and the highest") as raised:
        _frame(kind="continuous").replic.compare("new", "old", missing="bounds")
    assert "score_range=(0, 100)" in str(raised.value)
    with pytest.raises(SettingsError, match="missing='bounds' is for the scores of instances"):
        _frame().replic.compare("new", "old", missing="bounds", across_datasets=True)
    with pytest.raises(MissingScoresError, match="missing='bounds'"):
        _frame().replic.compare("new", "old")


@pytest.mark.slow
def test_swebench_pro(shared, tmp_path):
    """Nine systems on eleven repositories: all pairs, and what is identified is identified in every completion."""
    source = shared / "data" / "swebench_pro" / "data.parquet"
    with pytest.raises(SystemExit) as stopped:
        main(["build", str(source), "--missing", "bounds", "-o", str(tmp_path / "r")])
    assert stopped.value.code in (0, 1)
    content = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert content["settings"]["missing"] == "bounds"
    assert len(claims_in(content)) == 72
    assert "worst possible" in (tmp_path / "r" / "checklist.md").read_text("utf-8")
    frame = pd.read_parquet(source)
    others = [reportkit.compare(frame, missing=missing) for missing in ("drop", "worst")]
    for comparison in claims_in(content):
        pair = comparison["system_a"], comparison["system_b"]
        for other in others:
            p_values = {item.dataset: item.p_value for item in other[pair].assessments}
            for item in comparison["datasets"]:
                assert item["p_value"] >= p_values[item["dataset"]] * (1 - STORED)
                best = item["details"].get("a", {}).get("p_value_missing_in_favour")
                assert best is None or best <= p_values[item["dataset"]] * (1 + STORED)
