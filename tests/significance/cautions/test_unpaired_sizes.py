"""What is said about the size of tests of two independent means."""

import numpy as np

from reportkit.significance.assess import assess
from reportkit.significance.cautions import unpaired_size_findings
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.welch import WELCH, welch

PLAN = ResamplingPlan(n_resamples=199, thresholds=(0.05, 0.01))


def _found(sample, test=None):
    return {finding.code: finding.message for finding in assess(sample, PLAN, test=test).findings}


def test_skewed_scores_are_a_warning(unpaired):
    """In the direction in which the level is exceeded, at .05 and at the smallest level; as simulated."""
    rng = np.random.default_rng(0)
    sparse = [(rng.random(n) < 0.1) * rng.exponential(size=n) for n in (60, 3000)]
    message = _found(unpaired(*sparse))["skewed-scores"]
    assert "would find 'b' better, though the means are equal" in message
    assert "at .01, the smallest level used here" in message
    assert "would find 'a' better" in _found(unpaired(*sparse[::-1]))["skewed-scores"]
    p = np.array(
        [
            welch(unpaired(*((rng.random(n) < 0.1) * rng.exponential(size=n) for n in (60, 3000))), PLAN).p_less
            for _ in range(300)
        ]
    )
    assert np.mean(p <= 0.05) > 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_few_instances_show_no_skewness(unpaired):
    """Below fifty of a system there is a warning or a note, whatever they look like; above, none."""
    rng = np.random.default_rng(1)
    for n, size in ((5, "24%"), (12, "21%"), (49, "16%")):
        sample = unpaired(np.sort(rng.normal(size=n)), np.linspace(-1, 1, 200))
        found = _found(sample)
        assert "skewed-scores" in found or f"about {size} of the time at level .05" in found["skewness-unseen"]
    assert not {"skewed-scores", "skewness-unseen"} & set(
        _found(unpaired(np.linspace(0, 1, 60), np.linspace(0, 1, 90)))
    )


def test_what_the_larger_sample_shows_counts_for_the_smaller(unpaired):
    """Five near equal scores beside five hundred exponential ones: Welch's test is warned of, not the confirmed one."""
    rng = np.random.default_rng(2)
    sample = unpaired([0.9, 1.0, 1.2, 1.3, 1.0], rng.exponential(size=500))
    outcome = welch(sample, PLAN)
    (finding,) = WELCH.size_remarks(sample, outcome, (0.05,))
    assert finding.code == "skewed-scores"
    assert "'b' better" in finding.message
    (other,) = unpaired_size_findings(sample, outcome, (0.05,))
    assert other.code == "skewness-unseen"


def test_nothing_of_constants(unpaired):
    """There is no test of a mean then."""
    assert not list(unpaired_size_findings(unpaired([0.5, 0.5], [0.1, 0.1]), None, ()))
