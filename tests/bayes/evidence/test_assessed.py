"""A claim on all datasets: refused without a dataset; counted in the family it belongs to."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import reportkit
from reportkit.bayes import better_by_more_than
from reportkit.bayes.evidence.assessed import assess_claim
from reportkit.bayes.evidence.claims import evidence_for
from reportkit.errors import DesignError
from tests.contract import frames

METRICS = {"metric": ["accuracy", "fluency"]}
DESIGNS = {
    "both directions": lambda: reportkit.compare(frames.right_or_wrong(), "new", "old", alternative="two-sided"),
    "two baselines": lambda: reportkit.compare(
        frames.right_or_wrong(frames.THREE), systems=("new",), baseline=["mid", "old"]
    ),
    "one baseline": lambda: reportkit.compare(frames.right_or_wrong(frames.THREE), baseline="old"),
    "clusters": lambda: reportkit.compare(frames.clusters(), "new", "old", dependence="independent"),
    "two metrics": lambda: reportkit.compare(frames.two_metrics(), **METRICS),
    "datasets as the sample": lambda: reportkit.compare(frames.means(frames.THREE), across_datasets=True),
}


@cache
def design(name):
    """Return the analysis of a design."""
    return DESIGNS[name]()


def test_no_dataset_is_refused():
    """Two systems that share no dataset cannot be compared."""
    with pytest.raises(DesignError, match="no dataset in common"):
        assess_claim([], [], better_by_more_than(0.0))


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_report_counts_the_claim_of_the_analysis_once(name):
    """Without a margin a claim belongs to the family of the analysis: its k-hat and its datasets are the same."""
    data = _with_rope(name)
    claims = [item for item in _claims(name, data) if item.hypothesis == better_by_more_than(0.0)]
    first = data.metrics[0]
    found = {(item.system_a, item.system_b): item for item in data.comparisons if item.metric == first}
    alpha = data.alpha[0]
    assert claims
    for claim in claims:
        comparison = found[claim.system_a, claim.system_b]
        assert claim.k_hat == comparison.k_hat[alpha].recommended
        assert claim.identified == tuple(
            name for name, shown in zip(comparison.datasets, comparison.identified(alpha), strict=True) if shown
        )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "times"), [("one baseline", 1), ("both directions", 2)])
def test_claims_with_a_margin_are_adjusted_over_all_pairs_of_systems(name, times):
    """By statsmodels' Holm over the pooled p-values, doubled where the direction was not declared."""
    claims = [item for item in _claims(name) if item.hypothesis.kind == "equivalent"]
    pooled = [item.p_value for claim in claims for item in claim.answers]
    truth = np.minimum(1.0, times * multipletests(pooled, method="holm")[1])
    assert len(pooled) > len(claims)
    assert [p for claim in claims for p in claim.adjusted_p_values] == pytest.approx(truth.tolist())


@pytest.mark.slow
def test_direction_that_was_not_declared_costs_twice():
    """Asked by itself, each direction is tested at half the level."""
    analysis = design("both directions")
    result = analysis.assess(better_by=0.05)
    claim = result.data
    raw = [item.p_value for item in claim.answers]
    assert claim.adjusted_p_values.tolist() == pytest.approx(
        np.minimum(1.0, 2 * multipletests(raw, method="holm")[1]).tolist()
    )
    assert claim.correction.endswith("in both directions")


def _with_rope(name):
    analysis = design(name)
    return replace(analysis, settings=analysis.settings.replace(rope=0.02))


def _claims(name, data=None):
    return evidence_for(design(name).results, data or _with_rope(name)).claims
