"""A warning says what this sample shows; what no sample of thirty can show is one short note, with an example."""

import numpy as np
import pandas as pd
import pytest

import reportkit  # noqa: F401  (registers the accessor)


def _analysis(differences, base=None, **settings):
    base = np.random.default_rng(9).random(len(differences)) if base is None else base
    scores = pd.DataFrame({"instance": range(len(differences)), "ours": base + differences, "base": base})
    frame = scores.melt("instance", var_name="system", value_name="score").assign(dataset="news")
    return frame.replic.compare("ours", "base", **settings)


def _severities(analysis):
    return {finding.code: finding.severity for finding in analysis.findings}


@pytest.mark.parametrize("n", [20, 30, 49])
def test_normal_differences_are_not_warned_of(n):
    """Thirty normal differences: a note in the full text, no warning, and nothing to read with caution."""
    quantiles = np.random.default_rng(5).permutation(np.linspace(-1.5, 1.5, n)) + 0.9
    analysis = _analysis(quantiles)
    assert _severities(analysis)["skewness-unseen"] == "info"
    assert "warning" not in _severities(analysis).values()
    assert "Read with caution" not in analysis.paragraph()
    assert "too few instances differ" in analysis.paragraph(length="full").lower()


def test_few_of_many_that_differ_are_warned_of():
    """Eight of a hundred differ: that is seen in this sample."""
    differences = np.zeros(100)
    differences[:8] = [0.2, 0.3, -0.1, 0.4, 0.25, 0.15, -0.2, 0.35]
    assert _severities(_analysis(differences, np.full(100, 0.5)))["skewness-unseen"] == "warning"


def test_thirty_that_favour_one_system_are_warned_of():
    """All instances favour one system by a little, below the ceiling of the scores: a loss would be large."""
    rng = np.random.default_rng(2)
    base = 0.95 + 0.01 * rng.uniform(-1, 1, 30)
    analysis = _analysis(1 - base, base)
    assert _severities(analysis)["skewness-unseen"] == "warning"


@pytest.mark.parametrize("seed", range(3))
def test_no_size_is_said_to_be_the_largest(seed):
    """Simulated sizes are examples, and each names its design."""
    rng = np.random.default_rng(seed)
    for differences in (rng.normal(0.3, 1, 30), 1 - rng.lognormal(0, 1, 30), 1 - rng.lognormal(0, 1, 12)):
        for finding in _analysis(differences).findings:
            assert "up to about" not in finding.message
            if finding.code in ("skewness-unseen", "small-sample"):
                assert "for instance, where differences are a constant minus a lognormal variable" in finding.message


def test_unpaired_scores_of_thirty_are_not_warned_of():
    """Two systems with instances of their own, normal scores."""
    rng = np.random.default_rng(4)
    rows = [
        {"system": system, "dataset": "news", "instance": f"{system}-{i}", "score": score}
        for system, mean in (("ours", 0.8), ("base", 0.0))
        for i, score in enumerate(rng.permutation(np.linspace(-1.5, 1.5, 30)) + mean)
    ]
    analysis = pd.DataFrame(rows).replic.compare("ours", "base", pairing="unpaired")
    assert _severities(analysis)["skewness-unseen"] == "info"
    assert "up to about" not in analysis.paragraph(length="full")
