"""Posterior, Bayes factor and claims asked of an analysis: the numbers of the modules below, as frames and words."""

from __future__ import annotations

import importlib.util
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import stats

import reportkit
from reportkit.bayes import hierarchical_normal
from reportkit.bayes.chains import read_traces
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.report.rounding import rounded
from reportkit.report.tokens import plain
from reportkit.significance.tango import tango_interval
from tests.conftest import needed, unavailable


@pytest.fixture(scope="module")
def analysis():
    """Right-or-wrong answers of two systems on two datasets: 30 to 14 of 500, and 20 to 18 of 400."""
    rows = []
    for dataset, wins, losses, n in (("tweets", 30, 14, 500), ("movies", 20, 18, 400)):
        new = np.repeat([1, 0, 1], [wins, losses, n - wins - losses])
        old = np.repeat([0, 1, 1], [wins, losses, n - wins - losses])
        for name, scores in (("new", new), ("old", old)):
            rows += [{"system": name, "dataset": dataset, "instance": i, "score": s} for i, s in enumerate(scores)]
    return reportkit.compare(pd.DataFrame(rows), "new", "old", rope=0.01, alpha=0.05)


def test_posteriors_are_a_frame_of_one_row_per_dataset(analysis):
    """P(better) in closed form: a beta distribution of the discordant answers."""
    frame = analysis.posterior(rope=0.01).to_frame().set_index("dataset")
    assert frame.loc["tweets", "p_better"] == pytest.approx(stats.beta.sf(0.5, 31, 15), abs=1e-9)
    shares = frame[["p_better_by_rope", "p_equivalent", "p_worse_by_rope"]].sum(axis=1)
    assert shares.to_numpy() == pytest.approx([1.0, 1.0])
    assert set(frame["outcome"]) <= {"undecided", "practically better", "practically equivalent", "practically worse"}


def test_a_posterior_without_a_region_says_so(analysis):
    """No region of practical equivalence is ever assumed."""
    found = analysis.posterior(datasets=["tweets"])
    assert "No region of practical equivalence was declared." in found.summary()
    assert "outcome" not in found.to_frame()


def test_bayes_factors_come_under_three_priors(analysis):
    """One row per dataset and prior; posterior odds over prior odds."""
    frame = analysis.bayes_factor(equivalent_within=0.01).to_frame()
    assert frame.groupby("dataset").size().tolist() == [3, 3]
    odds = frame["posterior_mass"] / (1 - frame["posterior_mass"]) / (frame["prior_mass"] / (1 - frame["prior_mass"]))
    assert frame["bayes_factor"].to_numpy() == pytest.approx(odds.to_numpy(), rel=1e-9)


def test_a_claim_gets_four_answers(analysis):
    """At least one point better on tweets: all four columns are there, and the words name what each says."""
    claim = analysis.assess(better_by=0.01, datasets=["tweets"])
    frame = claim.to_frame()
    assert frame["dataset"].tolist() == ["tweets"]
    assert frame[["p_value", "ci_low", "probability", "bayes_factor"]].notna().all(axis=None)
    words = claim.summary()
    said = ("by more than 1 point", "p-value", "compatible", "posterior probability of the claim is", "(Bayes factor)")
    assert [part for part in said if part not in words] == []
    assert claim.report().model.sections[0].title == "Beyond the p-value"


def test_a_claim_without_margin_agrees_with_the_analysis(analysis):
    """Margin 0 on all datasets: the p-values, Holm set and k-hat of the analysis itself."""
    claim = analysis.assess()
    assert claim.to_frame()["p_value"].to_numpy() == pytest.approx(analysis.outcomes["p_value"].to_numpy())
    assert claim.k_hat == analysis.k_hat["bonferroni"].iloc[0]
    assert list(claim.data.identified) == analysis.outcomes.loc[analysis.outcomes["identified"], "dataset"].tolist()


@pytest.mark.slow
def test_the_region_adds_claims_to_the_report(analysis):
    """rope=0.01 gives three claims, a section and an entry of report.json."""
    report = analysis.report()
    claims = [claim.hypothesis.text for claim in analysis.evidence.claims]
    assert claims == ["A - B > 0", "A - B > 0.01", "|A - B| <= 0.01"]
    assert "Beyond the p-value" in [section.title for section in report.model.sections]
    assert {"four-answers", "posteriors"} <= {table.name for table in report.model.tables}
    first, *others = json.loads(report.to_json())["evidence"]["claims"]
    assert len(others) == 2
    assert first["answers"][0]["probability"] == rounded(float(analysis.posterior().to_frame()["p_better"].iloc[0]))


def test_what_is_asked_has_to_be_clear(analysis):
    """Unknown datasets, two claims at once, and comparisons that do not exist."""
    with pytest.raises(UnknownNameError, match="tweets"):
        analysis.assess(datasets=["tweet"])
    with pytest.raises(SettingsError, match="two claims"):
        analysis.assess(better_by=0.1, equivalent_within=0.1)
    with pytest.raises(UnknownNameError, match="no comparison 'old > any system'"):
        analysis.posterior(system_a="old")
    with pytest.raises(SettingsError, match="rope is -1"):
        reportkit.Settings(rope=-1)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_several_comparisons_have_all_rows_in_the_library_of_the_scores(library):
    """Posteriors and Bayes factors of each pair, as if it were asked for alone; frames are of what came in."""
    rows = [
        {"system": name, "dataset": dataset, "instance": i, "score": int((7 * i + 3 * i * i) % 10 < 4 + number)}
        for number, name in enumerate(("base", "new", "best"))
        for dataset in ("tweets", "movies")
        for i in range(60)
    ]
    frame = pd.DataFrame(rows)
    taken = {
        "pandas": lambda: frame,
        "polars": lambda: needed("polars", "dev").from_pandas(frame),
        "pyarrow": lambda: pa.table(frame),
    }
    several = reportkit.compare(taken[library](), baseline="base")
    posteriors = several.posterior(rope=0.01)
    frames = several.outcomes, several.k_hat, several.interval("new"), several["best"], posteriors.to_frame()
    assert {type(found).__module__.partition(".")[0] for found in frames} == {library}
    assert posteriors.tables == ("posteriors-1", "posteriors-2")
    pairs = [several.posterior(name, "base", rope=0.01).to_frame() for name in ("best", "new")]
    together, *alone = (found if library == "pandas" else found.to_pandas() for found in (frames[-1], *pairs))
    pd.testing.assert_frame_equal(together, pd.concat(alone, ignore_index=True))
    assert len(several.bayes_factor().to_frame()) == 12
    with pytest.raises(SettingsError, match="one comparison, and there are 2"):
        several.assess()


def test_printed_figures_have_no_posterior():
    """Of printed p-values nothing more can be asked."""
    frame = pd.DataFrame({"dataset": ["a", "b"], "score_a": [0.9, 0.8], "score_b": [0.8, 0.7], "p_value": [0.01, 0.2]})
    with pytest.raises(SettingsError, match="only printed figures"):
        reportkit.compare(frame, a="new", b="old").posterior()


def test_a_new_dataset_is_answered_by_the_hierarchical_model(analysis):
    """The effects and standard errors of the analysis, in the model of its own module."""
    frame = analysis.outcomes
    errors = [item.standard_error for item in analysis.comparisons[0].assessments]
    expected = hierarchical_normal(frame["difference"], errors, tau_scale=0.02)
    found = analysis.hierarchical(tau_scale=0.02)
    assert found.p_new_dataset == expected.p_new_dataset
    assert found.p_new_dataset < found.p_average


def test_intervals_hold_one_by_one_or_all_at_once(analysis):
    """Single ones are those of the analysis; simultaneous ones are those of level 1 - .05 / 2."""
    single, together = analysis.interval(), analysis.interval(simultaneous=True)
    assert single["low"].to_numpy() == pytest.approx(analysis.outcomes["ci_low"].to_numpy())
    assert together["level"].tolist() == pytest.approx([0.975, 0.975])
    low, high = tango_interval(30, 14, 500, 0.975).low, tango_interval(30, 14, 500, 0.975).high
    assert together.set_index("dataset").loc["tweets", ["low", "high"]].tolist() == pytest.approx([low, high])
    assert (together["high"] - together["low"] > single["high"] - single["low"]).all()


@pytest.fixture(scope="module")
def chain_analysis():
    """Two datasets of right or wrong answers: one with a difference, one that is small."""
    if importlib.util.find_spec("pymc") is None:
        unavailable("PyMC is not installed (it comes with the extra [bayes])")
    rng = np.random.default_rng(6)
    rows = []
    for dataset, n, share in (("large", 300, 0.85), ("small", 60, 0.7)):
        easy = rng.random(n)
        for system, level in (("new", share), ("old", 0.65)):
            right = (0.6 * easy + 0.4 * rng.random(n)) < level
            rows += [(system, dataset, i, int(value)) for i, value in enumerate(right)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    return frame.replic.compare("new", "old", dependence="independent")


@pytest.mark.slow
def test_an_analysis_is_asked_and_traces_are_saved(chain_analysis, tmp_path):
    """Frame, diagnostics, words, and one file per dataset."""
    found = chain_analysis.sample_posterior(rope=0.01, draws=400, tune=500, rng=3)
    frame = found.to_frame()
    assert list(frame["dataset"]) == ["large", "small"]
    assert list(frame["withheld"]) == ["", ""]
    assert frame["p_better"].iloc[0] > 0.99
    assert (frame["monte_carlo_error"] < 0.02).all()
    np.testing.assert_allclose(frame[["p_better_by_rope", "p_equivalent", "p_worse_by_rope"]].sum(axis=1), 1.0)
    assert all((item.chains.parameters["r_hat"] < 1.01).all() for item in found)
    assert found.summary().count("\n") == 3
    assert repr(found) == found.summary()
    assert plain(found.table().rows[0].cells[0].text) == "large"
    files = [path.name for path in found.save_traces(tmp_path)]
    assert files == ["new_old_large_paired-logistic.nc", "new_old_small_paired-logistic.nc"]
    assert read_traces(tmp_path / files[0]).posterior["difference"].shape == (4, 400)
    with pytest.raises(SettingsError, match="name a folder"):
        found.save_traces(tmp_path / "x.nc")


@pytest.mark.slow
def test_withheld_results_are_missing_in_the_frame(chain_analysis):
    """And said in words, with the diagnostics that failed."""
    found = chain_analysis.sample_posterior(rope=0.01, draws=20, tune=20, datasets=["small"])
    row = found.to_frame().iloc[0]
    assert pd.isna(row["p_better"])
    assert pd.isna(row["outcome"])
    assert "effective sample size" in row["withheld"]
    assert "gives no answer" in found.summary()
    assert found.findings[0].code == "markov-chains-failed"
    assert "withheld" in found.to_markdown()
    assert plain(found.table().rows[0].cells[2].text) == "–"
