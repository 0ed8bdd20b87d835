"""All pairs of four systems and more, with the datasets as the sample, make a report."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit

pytestmark = pytest.mark.usefixtures("sketched")


@pytest.mark.parametrize("n_systems", [4, 12, 25])
def test_the_report_refers_to_tables_that_it_has(tmp_path, n_systems):
    """Whether systems are told apart or not; three systems were reported before."""
    scores = np.random.default_rng(0).normal(50, 2, (20, 1)) + np.arange(n_systems)
    frame = pd.DataFrame(np.round(scores, 1), columns=[f"s{number}" for number in range(n_systems)])
    frame.insert(0, "dataset", [f"d{number}" for number in range(20)])
    analysis = reportkit.compare(frame, across_datasets=True, friedman=True)
    analysis.save(tmp_path / "report")
    best = f"s{n_systems - 1}"
    assert f"{best} is significantly better than" in str(analysis.paragraph())
