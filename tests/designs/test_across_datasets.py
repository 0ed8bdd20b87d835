"""The datasets as the sample, and Friedman's test: from a frame to the paragraph, tables and JSON."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.errors import DesignError, SettingsError
from tests.claims import claims_in
from tests.designs.golden import as_in_file


def _means(n=12, systems=(("new", 0.02), ("old", 0.0), ("third", 0.01)), seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        [
            (system, f"d{d:02d}", round(0.5 + 0.03 * d + gain + rng.normal() * 0.01, 4))
            for d in range(n)
            for system, gain in systems
        ],
        columns=["system", "dataset", "score"],
    )


@pytest.fixture(scope="module")
def paragraphs():
    """By the name of the case."""
    means, across = _means(), {"across_datasets": True}
    instances = pd.DataFrame(
        {
            "system": np.repeat(["new", "old"], 80),
            "dataset": np.tile(np.repeat([f"d{i}" for i in range(8)], 10), 2),
            "instance": np.tile(np.arange(80), 2),
            "score": np.random.default_rng(1).random(160) + np.repeat([0.2, 0.0], 80),
        }
    )
    return {
        "declared": means.replic.compare("new", "old", **across).paragraph(),
        "declared, not shown": means.replic.compare("old", "new", **across).paragraph(),
        "both directions": means.replic.compare("new", "old", alternative="two-sided", **across).paragraph(),
        "several systems and a baseline": means.replic.compare(baseline="old", **across).paragraph(),
        "all pairs": means.replic.compare(**across).paragraph(),
        "four datasets": _means(4).replic.compare("new", "old", **across).paragraph(),
        "Wilcoxon by name": means.replic.compare("new", "old", test="wilcoxon", **across).paragraph(),
        "means of instances": instances.replic.compare("new", "old", **across).paragraph(),
    }


def test_the_sign_flip_that_cannot_reach_the_level_names_a_test_that_can():
    """Five datasets: 2/32, the smallest adjusted p-value, is above .05, and the paired t-test finds the differences."""
    means = _means(5, (("new", 0.4), ("old", 0.0), ("third", 0.2)))
    analysis = means.replic.compare(across_datasets=True)
    (finding,) = (item for item in analysis.findings if item.code == "unattainable-level")
    assert not analysis.outcomes["identified"].any()
    assert finding.remedy == (
        "choose test='paired-t' (--test paired-t), which can go lower; it assumes that differences over datasets are "
        "close to normal"
    )
    followed = means.replic.compare(across_datasets=True, test="paired-t")
    assert followed.outcomes["identified"].sum() == 3
    assert "unattainable-level" not in {item.code for item in followed.findings}
    ranks = means.replic.compare(across_datasets=True, test="wilcoxon")
    assert [item.remedy for item in ranks.findings if item.code == "unattainable-level"] == [""]


def test_paragraphs_read_as_expected(paragraphs):
    """Each text is as in the file that people read."""
    as_in_file("across_datasets", paragraphs)


def test_p_values_are_those_of_the_differences():
    """Sign flips by enumeration, and SciPy's signed-rank test."""
    wide = _means().pivot_table(index="dataset", columns="system", values="score")
    difference = (wide.new - wide.old).to_numpy().round(12)
    signs = np.array(np.meshgrid(*[[-1, 1]] * 12)).reshape(12, -1)
    analysis = _means().replic.compare("new", "old", across_datasets=True)
    expected = np.mean(signs.T @ difference >= difference.sum() - 1e-12)
    assert analysis.outcomes.p_value.tolist() == pytest.approx([expected])
    named = _means().replic.compare("new", "old", across_datasets=True, test="wilcoxon").outcomes
    assert named.p_value[0] == pytest.approx(stats.wilcoxon(difference, alternative="greater", method="exact").pvalue)
    assert analysis.outcomes.n.tolist() == [12]


def test_the_report_counts_no_datasets():
    """No table of k-hat, no matrix, an empty k_hat in the JSON, and a refusal of the numbers."""
    for options in ({"baseline": "old"}, {}):
        analysis = _means().replic.compare(across_datasets=True, **options)
        report = analysis.report()
        names = {table.name for table in report.model.tables}
        assert "replicability" not in names
        assert "scores" in names
        assert len(next(table for table in report.model.tables if table.name == "scores").rows) == 12
        assert "Replicability" not in {section.title for section in report.model.sections}
        content = report.to_dict()
        assert all(item["k_hat"] == {} and item["partial_conjunction"] == {} for item in claims_in(content))
        assert {entry["unit"] for item in claims_in(content) for entry in item["datasets"]} == {"dataset"}
        assert "k-hat" not in analysis.summary()
        assert "on one dataset" not in report.to_markdown()
        json.dumps(content, allow_nan=False)
        with pytest.raises(SettingsError, match="none is tested alone"):
            _ = analysis.k_hat
        with pytest.raises(SettingsError, match="none is tested alone"):
            analysis.discoveries(["d01"])


def test_friedman_in_report_and_json():
    """Section, ranks and numbers, but no second p-value of a pair; with two systems a refusal that names what to do."""
    analysis = _means().replic.compare(across_datasets=True, friedman=True)
    report = analysis.report()
    tables = {table.name for table in report.model.tables}
    assert "ranks" in tables
    assert "pairs" not in tables
    content = report.to_dict()["friedman"]
    wide = _means().pivot_table(index="dataset", columns="system", values="score")
    expected = stats.friedmanchisquare(*wide.to_numpy().T)
    assert content["chi_squared"] == pytest.approx(expected.statistic)
    assert content["chi_squared_p"] == pytest.approx(expected.pvalue)
    assert content["average_ranks"] == pytest.approx(wide.rank(axis=1, ascending=False).mean().to_dict())
    p_values = [pair.p_value for pair in analysis.friedman_outcome.pairs]
    assert len(p_values) == 3
    assert p_values == sorted(p_values)
    assert analysis.friedman_outcome.systems[0] == "new"
    assert _means().replic.compare(across_datasets=True).report().to_dict().get("friedman") is None
    with pytest.raises(DesignError, match="three systems or more"):
        _means().replic.compare("new", "old", across_datasets=True, friedman=True)


def test_friedman_beside_a_replicability_analysis():
    """From scores of instances: the mean scores by dataset are ranked, and k-hat is there as always."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        [
            (system, f"d{d}", i, rng.random() + gain)
            for system, gain in (("a", 0.0), ("b", 0.1), ("c", 0.2))
            for d in range(10)
            for i in range(20)
        ],
        columns=["system", "dataset", "instance", "score"],
    )
    analysis = frame.replic.compare(friedman=True)
    means = frame.pivot_table(index="dataset", columns="system", values="score")
    assert analysis.friedman_outcome.chi_squared == pytest.approx(
        stats.friedmanchisquare(*means.to_numpy().T).statistic
    )
    assert not analysis.k_hat.empty
