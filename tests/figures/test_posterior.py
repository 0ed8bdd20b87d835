"""Prior and posterior densities: they are densities, the interval and the region are those of the posterior."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reportkit.bayes.models import model_of
from reportkit.bayes.posterior import posterior
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.posterior import posterior_content
from reportkit.scores.sample import RightOf, Sample


@pytest.fixture(scope="module")
def arc():
    """The counts of ARC-easy."""
    return Sample(
        shape="counts",
        system_a="S_1",
        system_b="$S_2",
        dataset="ARC-easy",
        metric="accuracy",
        kind="binary",
        counts=RightOf(1721, 2376, 1637, 2376),
    )


def _area(density):
    return float(np.trapezoid(density.heights, density.values))


def test_curves_are_densities_in_percentage_points(arc):
    """Areas of one, the posterior of A at its beta density, and the ends of the interval in points."""
    content = posterior_content(posterior(arc, rope=0.01), model_of(arc).prior, in_percent=True)
    for density in (content.posterior, content.posterior_a, content.posterior_b):
        assert _area(density) == pytest.approx(1.0, abs=2e-3)
    x, y = content.posterior_a.values[70], content.posterior_a.heights[70]
    assert y == pytest.approx(stats.beta.pdf(x / 100, 1722, 656) / 100, rel=1e-5)
    assert (content.low, content.high) == pytest.approx((0.94627, 6.118), abs=1e-4)
    assert content.region.half_width == pytest.approx(1.0)
    assert content.region.better + content.region.equivalent + content.region.worse == pytest.approx(1.0)


def test_a_posterior_of_paired_scores_has_no_curves_of_the_systems():
    """Continuous scores: the difference alone, without a prior, in the unit of the score."""
    rng = np.random.default_rng(0)
    a, b = rng.random(60), rng.random(60)
    sample = Sample(system_a="a", system_b="b", dataset="d", metric="f1", kind="continuous", a=a, b=b)
    content = posterior_content(posterior(sample), None, in_percent=False)
    assert (content.posterior_a, content.prior, content.region, content.unit) == (None, None, None, "")
    assert _area(content.posterior) == pytest.approx(1.0, abs=2e-3)


def test_it_is_drawn_from_its_content_alone_and_said_in_words(arc):
    """Names with signs of TeX are drawn as they are; the words hold the interval and the three probabilities."""
    content = posterior_content(posterior(arc, rope=0.01), model_of(arc).prior, in_percent=True)
    drawing = DRAWINGS["posterior"]
    figure = drawing.draw(content)
    assert len(figure.axes) == 2
    words = drawing.alt_text(content)
    assert "+0.95 to +6.12 percentage points" in words
    assert ".027" in words
    assert "undecided" in words
