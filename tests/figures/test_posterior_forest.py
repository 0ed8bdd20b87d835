"""The forest of posteriors: one row per dataset, its marker by the region of practical equivalence."""

from __future__ import annotations

import pytest

from reportkit.bayes.posterior import posterior
from reportkit.figures.drawings import drawing
from reportkit.figures.posterior_forest import posterior_forest_content
from tests.samples import right


@pytest.fixture(scope="module")
def posteriors():
    """Practically better, practically worse, practically equivalent, undecided."""
    cells = {"better": (90, 10, 300), "worse": (10, 90, 300), "same": (40, 40, 8920), "open": (20, 14, 366)}
    return {
        name: posterior(right(*counts, names=("new", "old"), dataset=name), rope=0.02) for name, counts in cells.items()
    }


def test_rows_are_the_posteriors_in_points(posteriors):
    """Means and ends of each posterior, times one hundred."""
    content = posterior_forest_content(list(posteriors.values()), in_percent=True)
    for row, found in zip(content.rows, posteriors.values(), strict=True):
        assert (row.mean, row.low, row.high) == pytest.approx(
            (100 * found.mean, 100 * found.interval.low, 100 * found.interval.high)
        )


def test_the_words_count_the_outcomes(posteriors):
    """One dataset of each kind."""
    content = posterior_forest_content(list(posteriors.values()), in_percent=True)
    words = drawing("posterior-forest").alt_text(content)
    assert "on 1, below it on 1, inside it on 1; 1 undecided" in words
