"""Independence that was declared: scores that correlate by running number are a warning, common ids a refusal."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import reportkit  # noqa: F401 - the accessor


def frame_of(n_datasets, *, sorted_by_class=False, r=0.0, prefix="", n=200):
    """Two systems on datasets whose instances are numbered from 0."""
    rng = np.random.default_rng(8)
    common = rng.normal(size=(2, n))
    rows = []
    for place in range(n_datasets):
        hard, ahead = np.sqrt(r) * common + np.sqrt(1 - r) * rng.normal(size=(2, n))
        if sorted_by_class:
            hard = hard + np.repeat(np.random.default_rng(1).normal(size=n // 5), 5)
        for system, sign in (("ours", 1), ("base", -1)):
            columns = {"system": system, "dataset": f"d{place}", "score": (hard + sign * (ahead + 0.2)).round(4)}
            rows.append(pd.DataFrame({**columns, "instance": [f"{prefix}{number}" for number in range(n)]}))
    return pd.concat(rows)


def compared(frame):
    """The analysis, and its findings by code."""
    analysis = frame.replic.compare("ours", "base", dependence="independent")
    return analysis, {finding.code: finding for finding in analysis.findings}


def test_test_sets_sorted_by_class_are_not_refused():
    """The same classes are hard in each of unrelated datasets: a warning with r, and Fisher's count all the same."""
    analysis, findings = compared(frame_of(5, sorted_by_class=True))
    assert "not-independent" not in findings
    warning = findings["correlated-datasets"]
    assert warning.severity == "warning"
    assert "the scores on d0 and d1 are correlated instance by instance (r = ." in warning.message
    assert "sorted by class" in warning.remedy
    assert analysis.k_hat["fisher"].notna().all()
    assert "cores on different datasets are correlated" in analysis.paragraph()
    assert warning.message.partition(".")[0] in analysis.paragraph("full")


FALSE_CLAIMS = {2: (5.3, 6.0, 7.5), 5: (6.3, 8.9, 14.1), 12: (9.5, 13.4, 19.5), 40: (16.0, 22.9, 26.7)}
"""Number of datasets to percent of families with a false claim, for correlations of .1, .3 and .9: docs/methods.md."""


@pytest.mark.parametrize("n_datasets", FALSE_CLAIMS)
def test_the_warning_says_what_so_much_does_at_this_number_of_datasets(n_datasets):
    """Between the correlations that were simulated."""
    message = compared(frame_of(n_datasets, r=0.4))[1]["correlated-datasets"].message
    r = float(re.search(r"r = (\.\d\d) over 200 instances", message)[1])
    said = re.search(rf"a false claim is made on {n_datasets} datasets in ([\d.]+)% of all reports, not in 5%", message)
    assert float(said[1]) == pytest.approx(np.interp(r, [0.1, 0.3, 0.9], FALSE_CLAIMS[n_datasets]), abs=0.6)


def test_ids_that_are_no_running_numbers_are_refused():
    """The same ids on each dataset: an error, and no Fisher."""
    analysis, findings = compared(frame_of(3, r=0.4, prefix="question-"))
    assert findings["not-independent"].severity == "error"
    assert "correlated-datasets" not in findings
    assert analysis.k_hat["fisher"].isna().all()


def test_unrelated_datasets_are_believed():
    """Neither warning nor error."""
    assert not {"not-independent", "correlated-datasets"} & {*compared(frame_of(5))[1]}
