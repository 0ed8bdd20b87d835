"""A p-value whose error bound is within the accepted error stays exact, although the bound is rounded up."""

import numpy as np
import pandas as pd
import pytest

import reportkit  # noqa: F401  (registers the accessor)


def _near_lattice(wanted):
    """The wanted one of a seeded search through sets of preferences that lie near 0 or 1."""
    rng = np.random.default_rng(1)
    for _ in range(wanted + 1):
        n = int(rng.integers(29, 41))
        high = rng.random(n) < 0.7
        small = 10 ** rng.uniform(-6, -2, n)
        preferences = np.where(high, 1 - small, small)
    return preferences


@pytest.mark.parametrize(("wanted", "p"), [(161, 0.0007153950646), (188, 0.0108308919007)])
def test_an_exact_p_value_does_not_become_a_random_one(wanted, p):
    """Both sets once had 59,999 random sign patterns and more; p is that of an enumeration of all."""
    ours = _near_lattice(wanted)
    scores = pd.DataFrame({"instance": range(ours.size), "ours": ours, "base": 1 - ours})
    frame = scores.melt("instance", var_name="system", value_name="score").assign(dataset="preferences")
    analysis = frame.replic.compare("ours", "base", test="sign-flip")
    (item,) = analysis.comparisons[0].assessments
    assert (item.method, item.n_resamples) == ("exact", None)
    assert p * (1 - 1e-9) <= item.p_value <= 1.01 * p
    assert "unstable-p-value" not in {finding.code for finding in analysis.findings}
