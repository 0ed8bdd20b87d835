"""SNR against reproducibility: every point is that of the study, and words say where they lie."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from reportkit.figures.drawings import drawing
from reportkit.figures.reproducibility import reproducibility_content
from reportkit.reproducibility_analysis import cantelli_bound
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import estimates_frame, predictions_frame


@pytest.fixture(scope="module")
def study():
    """Predictions of two systems on 20 re-partitions."""
    return resplit_study(resplits_from_frame(predictions_frame()), "new", "old")


def test_points_are_those_of_the_study(study):
    """One for each estimator, with its interval."""
    content = reproducibility_content(study)
    (item,) = study.resplits
    shown = {point.method: (point.snr, point.reproducibility, point.low, point.high) for point in content.points}
    assert shown == {name: (r.snr, r.proportion, r.low, r.high) for name, r in item.results.items()}
    assert content.n_repartitions == 20


def test_curves_are_the_bounds_and_the_normal_value(study):
    """The grey line is Cantelli's bound to the right of 0 and its mirror image to the left, the dashed one Phi."""
    axes = drawing("reproducibility").draw(reproducibility_content(study)).axes[0]
    lines = {}
    for line in axes.lines:
        lines.setdefault(line.get_label(), []).append(line)
    right, left = lines["_cantelli"]
    assert right.get_ydata() == pytest.approx([cantelli_bound(float(x)) for x in right.get_xdata()], abs=1e-12)
    assert left.get_ydata() == pytest.approx([1 - cantelli_bound(-float(x)) for x in left.get_xdata()], abs=1e-12)
    (normal,) = lines["_normal"]
    assert normal.get_ydata() == pytest.approx(ndtr(normal.get_xdata()), abs=1e-12)


def test_estimates_without_spread_are_not_drawn():
    """Their SNR is infinite."""
    values = {"ST": np.linspace(-1, 1, 20), "Avg": [0.25] * 20}
    content = reproducibility_content(resplit_study(resplits_from_frame(estimates_frame(values)), "new", "old"))
    assert [point.method for point in content.points] == ["ST"]
