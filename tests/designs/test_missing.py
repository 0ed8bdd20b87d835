"""Systems that were not scored on all instances: refused, dropped or worst."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reportkit.errors import MissingScoresError
from tests.designs.golden import as_in_file


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


def test_p_values_are_those_of_scores_filled_by_hand(analyses):
    """McNemar's test on the instances of both, and with missing scores wrong."""
    wide = CASES["drop"][0].pivot_table("score", ["dataset", "instance"], "system")
    for name, filled in (("drop", wide.dropna()), ("worst", wide.fillna(0.0))):
        for item in analyses[name].comparisons[0].assessments:
            here = filled.loc[item.dataset]
            wins, losses = int((here["new"] > here["old"]).sum()), int((here["new"] < here["old"]).sum())
            expected = stats.binomtest(wins, wins + losses, alternative="greater").pvalue
            assert item.p_value == pytest.approx(expected, rel=1e-9)
            assert item.difference == pytest.approx((here["new"] - here["old"]).mean(), rel=1e-12)


def test_findings_have_the_counts(analyses):
    """One note per analysis, by what was done."""
    for name in ("drop", "worst"):
        findings = {item.code: item for item in analyses[name].findings}
        assert findings[f"missing-{name}"].where == "news: 9 of 120; tweets: 9 of 120"


def test_the_worst_score_has_to_be_known():
    """A range, of scores that are not right or wrong; the error says how to give it, and which ways out there are."""
    with pytest.raises(MissingScoresError, match="worst possible score") as raised:
        _frame(kind="continuous").replic.compare("new", "old", missing="worst")
    assert "score_range=(0, 100)" in str(raised.value)
    with pytest.raises(MissingScoresError, match="missing='worst'"):
        _frame().replic.compare("new", "old")
