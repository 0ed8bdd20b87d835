"""What stands beside a comparison, and that nothing is left out without a word."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.analysis import compare
from reportkit.report.labels import renamed


@pytest.fixture(scope="module")
def frame():
    """Four systems on two datasets: twelve tests."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {"system": f"s{system}", "dataset": f"d{dataset}", "instance": instance, "score": score}
            for system in range(4)
            for dataset in range(2)
            for instance, score in enumerate(rng.normal(size=20).round(2))
        ]
    )


@pytest.mark.parametrize(
    ("limit", "size"),
    [("MOST_OUTCOMES_FOR_OTHER_PROFILE", "12 tests"), ("MOST_SCORES_FOR_OTHER_PROFILE", "240 pairs of scores")],
)
def test_too_many_tests_for_the_other_profile_are_said(frame, monkeypatch, limit, size):
    """With the number and the limit, and what the remedy names runs."""
    whole = reportkit.compare(frame)
    assert whole.other is not None
    assert not [item for item in whole.findings if item.code == "other-profile"]
    monkeypatch.setattr(compare, limit, 11)
    analysis = reportkit.compare(frame)
    assert analysis.other is None
    (finding,) = [item for item in analysis.findings if item.code == "other-profile"]
    assert f"there are {size}, and it is looked at up to 11" in finding.message
    assert "--profile dror2017" in finding.remedy
    again = reportkit.compare(frame, profile="dror2017", other_profile=False)
    assert again.settings.profile == "dror2017"
    assert not [item for item in reportkit.compare(frame, other_profile=False).findings if item.code == "other-profile"]


def test_the_other_profile_waits_until_somebody_looks_at_it(frame, monkeypatch):
    """It is computed once, for all parts and labels of an analysis, and not by `compare`."""
    computed = []
    run = compare.with_other_tests
    monkeypatch.setattr(compare, "with_other_tests", lambda *given: computed.append(given) or run(*given))
    analysis = reportkit.compare(frame)
    assert str(analysis)
    assert len(analysis.to_frame())
    assert not computed
    renamed_other = renamed(analysis, {"s0": "zero"}).other
    assert {item.system_a for item in renamed_other.comparisons} == {"zero", "s1", "s2", "s3"}
    assert analysis.of_metric(analysis.metrics[0]).other is not None
    assert analysis.other.settings.profile == "dror2017"
    assert len(computed) == 1


@pytest.mark.parametrize("options", [{"baseline": "s0"}, {"baseline": "s0", "missing": "bounds"}, {}])
@pytest.mark.parametrize("profile", ["recommended", "dror2017"])
def test_the_other_profile_beside_says_what_a_comparison_with_it_says(profile, options):
    """P-values and marks to the last bit: ties, skewness, few instances, missing scores and identical systems."""
    rng = np.random.default_rng(3)
    scores = rng.lognormal(size=(3, 12, 30)).round(1)
    scores[1, :6] += 0.3
    scores[2, 0] = scores[1, 0]
    lacking = {(1, 3, 4), (2, 5, 6)} if options.get("missing") else set()
    rows = [
        (f"s{place[0]}", f"d{place[1]:02}", f"i{place[2]}", score)
        for place, score in np.ndenumerate(scores)
        if place not in lacking and not (place[1] == 7 and place[2] > 9)
    ]
    table = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    asked = {"score_range": (0, 100), "n_resamples": 999} | options
    beside = reportkit.compare(table, profile=profile, **asked).other
    assert beside is not None
    alone = reportkit.compare(table, profile=beside.settings.profile, **asked)
    for ours, whole in zip(beside.comparisons, alone.comparisons, strict=True):
        assert ours.p_values.tolist() == whole.p_values.tolist()
        assert ours.marked(0.05).tolist() == whole.marked(0.05).tolist()
    assert beside.settings == alone.settings
