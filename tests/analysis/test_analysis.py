"""What a user holds: frames, tables, figures, notebook representations; the accessor is sugar for functions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.report.assemble import assemble

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def frame():
    """Scores of five lexicons on four corpora."""
    return pd.read_csv(ROOT / "examples" / "sentiment" / "results.csv.gz")


@pytest.fixture(scope="module")
def analysis(frame):
    """A declared claim on independent datasets."""
    return frame.replic.compare("vader", "textblob", dependence="independent", alpha=(0.05, 0.01))


@pytest.mark.slow
def test_outcomes_have_one_row_per_dataset(analysis, frame):
    """Scores are the means of the frame; p-values, intervals and verdicts belong together."""
    table = analysis.outcomes
    means = frame.groupby(["system", "dataset"])["score"].mean()
    assert list(table["dataset"]) == sorted(frame["dataset"].unique())
    np.testing.assert_allclose(table["score_a"], means["vader"].loc[table["dataset"]])
    np.testing.assert_allclose(table["difference"], table["score_a"] - table["score_b"])
    assert ((table["ci_low"] < table["difference"]) & (table["difference"] < table["ci_high"])).all()
    assert (table["adjusted_p_value"] >= table["p_value"]).all()
    assert (table["identified"] == (table["adjusted_p_value"] <= 0.05)).all()


def test_k_hat_is_a_frame_by_alpha(analysis):
    """Count, both bounds and the one to report; Holm identifies as many as Bonferroni's bound."""
    assert list(analysis.k_hat.index) == [0.05, 0.01]
    assert list(analysis.k_hat.columns) == ["count", "bonferroni", "fisher", "recommended"]
    assert analysis.k_hat.loc[0.05, "bonferroni"] == analysis.outcomes["identified"].sum()
    assert analysis.k_hat.loc[0.05, "recommended"] == analysis.k_hat.loc[0.05, "fisher"]


def test_discoveries_of_subsets(analysis, frame):
    """The bound for all datasets is k-hat, for none 0, and subsets are monotone; several comparisons give a series."""
    everything = list(analysis.outcomes["dataset"])
    assert analysis.discoveries(everything) == analysis.k_hat.loc[0.05, "recommended"]
    assert analysis.discoveries([]) == 0
    assert analysis.discoveries("tweets") == 1
    assert analysis.discoveries(["tweets"]) <= analysis.discoveries(["tweets", "nyt_editorials"])
    several = frame.replic.compare(baseline="afinn").discoveries(["tweets"])
    assert isinstance(several, pd.Series)
    assert several["vader", "afinn"] == 1
    with pytest.raises(reportkit.UnknownNameError, match="tweets"):
        analysis.discoveries(["tweet"])


def test_swapping_the_systems_swaps_everything(frame):
    """A against B and B against A are one analysis seen from two sides."""
    forth = frame.replic.compare("vader", "hiv4", alternative="two-sided")
    back = frame.replic.compare("hiv4", "vader", alternative="two-sided")
    first = forth.outcomes.query("system_a == 'vader'").reset_index(drop=True)
    second = back.outcomes.query("system_a == 'vader'").reset_index(drop=True)
    pd.testing.assert_frame_equal(first, second)


def test_negated_scores_with_lower_is_better_change_nothing(frame, analysis):
    """Errors instead of right answers: the same p-values, k-hat and marks, scores as they were given."""
    errors = frame.assign(score=1 - frame["score"])
    turned = errors.replic.compare("vader", "textblob", dependence="independent", higher_is_better=False)
    np.testing.assert_array_equal(turned.outcomes["p_value"], analysis.outcomes["p_value"])
    np.testing.assert_allclose(turned.outcomes["score_a"], 1 - analysis.outcomes["score_a"])
    pd.testing.assert_frame_equal(turned.k_hat, analysis.k_hat)
    assert "Lower is better" in turned.to_markdown()


def test_access_costs_nothing_and_changes_nothing(frame):
    """The accessor copies and changes nothing, and keeps no state between accesses."""
    before = frame.copy()
    frame.replic.compare("vader", "lm", datasets="tweets")
    pd.testing.assert_frame_equal(frame, before)
    small = frame.query("dataset == 'tweets'").copy()
    first = small.replic.compare("vader", "lm").outcomes["n"].iloc[0]
    small = small[small["instance"].isin(small["instance"].unique()[:100])]
    assert small.replic.compare("vader", "lm").outcomes["n"].iloc[0] == 100 < first


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("vader",), {}, "compare all with it: baseline='vader'"),
        (("vader", "vader"), {}, "compared with itself"),
        (("vader", "lm"), {"baseline": "afinn"}, "name either"),
        ((), {"baseline": "affin"}, "did you mean 'afinn'"),
        (("vader", "lm"), {"alhpa": 0.05}, "did you mean 'alpha'"),
        (("vader", "lm"), {"test": "paired-tt"}, "paired-t"),
        ((), {"systems": ["vader"]}, "two systems are needed"),
        ((), {"baseline": "afinn", "alternative": "two-sided"}, "all pairs"),
    ],
)
def test_calls_that_make_no_sense_are_refused(frame, arguments, options, message):
    """Each mistake is named, with what to do."""
    with pytest.raises(reportkit.ReportkitError) as caught:
        frame.replic.compare(*arguments, **options)
    assert message in str(caught.value)


@pytest.mark.slow
def test_a_report_is_laid_out_once(frame, monkeypatch, tmp_path):
    """However often one looks: numbers, words, tables and figures are of one report; another appearance is another."""
    laid_out = []

    def counting(*arguments):
        laid_out.append(arguments)
        return assemble(*arguments)

    monkeypatch.setattr("reportkit.analysis.analysis.assemble", counting)
    item = frame.replic.compare("vader", "textblob", alpha=0.05)
    first = repr(item), item.to_latex(), item.to_markdown("p-values"), item.summary(), item.report().model
    assert first == (repr(item), item.to_latex(), item.to_markdown("p-values"), item.summary(), item._model)
    assert len(laid_out) == 1
    assert item.figure("forest").axes
    item.save(tmp_path / "results.tex")
    item.save(tmp_path / "report")
    assert len(laid_out) == 1
    assert item.styled(decimals=3).to_latex() != item.to_latex()
    assert len(laid_out) == 2
    assert item.styled(marks="stars").report().to_latex() != item.report().to_latex()
    assert len(laid_out) == 3
