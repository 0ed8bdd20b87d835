"""Who is corrected together with whom, for each design and gatekeeping."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reportkit.replicability.multiple_testing.correction import correct_together, share_of_fisher
from reportkit.replicability.multiple_testing.gatekeeping import gate
from reportkit.replicability.multiple_testing.holm import holm

FIRST = np.array([[0.001, 0.02, 0.4], [0.01, 0.004, 0.2]])
SECOND = np.array([[0.003, 0.6, 0.0001], [0.03, 0.0002, 0.7]])
"""By claim and dataset, by two metrics."""


@pytest.fixture
def parts(printed_assessments):
    """Two claims by two metrics on three datasets."""
    claims = [("a", "base"), ("b", "base")]
    return {
        (metric, claim): tuple(replace(item, metric=metric) for item in printed_assessments(row, system_a=claim[0]))
        for metric, table in (("f1", FIRST), ("bleu", SECOND))
        for claim, row in zip(claims, table, strict=True)
    }


@pytest.mark.parametrize("gatekeeping", ["none", "serial", "by-dataset", "exploratory"])
def test_baselines_stand_in_one_family_of_both_claims(parts, gatekeeping):
    """A unit of a gate is a claim on a dataset."""
    found = correct_together("baselines", ("f1", "bleu"), parts, gatekeeping)
    expected = gate([FIRST.ravel(), SECOND.ravel()], [list(range(6))] * 2, gatekeeping)
    for metric, values in zip(("f1", "bleu"), expected, strict=True):
        own = np.concatenate([found.adjusted[metric, claim] for claim in (("a", "base"), ("b", "base"))])
        np.testing.assert_allclose(own, values, rtol=1e-12)


def test_sizes_say_how_many_were_corrected_together(parts):
    """By gatekeeping: all, stage by stage, all along the graph, or each metric by itself."""
    sizes = {
        name: (found.n_hypotheses, dict(found.sizes), dict(found.first))
        for name in ("none", "serial", "by-dataset", "exploratory")
        if (found := correct_together("baselines", ("f1", "bleu"), parts, name))
    }
    assert sizes["none"] == (12, {"f1": 12, "bleu": 12}, {"f1": 12, "bleu": 12})
    assert sizes["serial"] == (12, {"f1": 6, "bleu": 6}, {"f1": 6, "bleu": 6})
    assert sizes["by-dataset"] == (12, {"f1": 12, "bleu": 12}, {"f1": 6, "bleu": 12})
    assert sizes["exploratory"] == (6, {"f1": 6, "bleu": 6}, {"f1": 6, "bleu": 6})


def test_each_direction_is_a_family_at_half_the_level(parts):
    """Metrics are corrected together within a direction, and the p-values doubled."""
    found = correct_together("both", ("f1", "bleu"), parts, "none")
    for index, claim in enumerate((("a", "base"), ("b", "base"))):
        together = np.minimum(1.0, 2 * holm(np.concatenate([FIRST[index], SECOND[index]])))
        own = np.concatenate([found.adjusted["f1", claim], found.adjusted["bleu", claim]])
        np.testing.assert_allclose(own, together, rtol=1e-12)
    assert found.n_hypotheses == 6


def test_the_share_of_a_count_by_fisher(parts):
    """Equal shares for all claims and metrics; none where the level is passed on; the claims alone if exploratory."""
    both = ("f1", "bleu")
    assert share_of_fisher("baselines", both, parts, "none") == 4
    assert share_of_fisher("baselines", both, parts, "exploratory") == 2
    assert share_of_fisher("baselines", both, parts, "serial") is None
    assert share_of_fisher("baselines", both, parts, "by-dataset") is None
    alone = {part: items for part, items in parts.items() if part[0] == "f1"}
    assert share_of_fisher("baselines", ("f1",), alone, "none") == 2
    assert share_of_fisher("separate", ("f1",), alone, "none") == 1
