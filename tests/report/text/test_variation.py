"""What varies and what does not: each factor is either captured or missed, for every kind of results."""

from __future__ import annotations

import pytest

from reportkit.rendering.text.inline import plain_prose
from reportkit.report.text.variation import repetitions_of
from tests.report.design_cases import design
from tests.report.paragraph_cases import CELLS, analysis

CELL = next(iter(CELLS))
KINDS = {
    "mcnemar": ("which instances", "trained anew"),
    "corpus-bootstrap": ("which instances", "trained anew"),
    "correlation-jackknife-t": ("which instances", "trained anew"),
    "welch-seeds": ("trained anew", "which instances"),
    "corrected-resampled-t": ("split into training and test", "another amount"),
}


def _of(case):
    items = [item for one in case.comparisons for item in one.assessments]
    return repetitions_of(items, printed=case.printed)


@pytest.mark.parametrize("test", KINDS)
def test_what_is_captured_is_not_missed(test: str) -> None:
    """And the other way round."""
    captured, missed = KINDS[test]
    found = _of(analysis(test, CELL))
    assert captured in found.captured
    assert captured not in found.missed
    assert missed in found.missed
    assert missed not in found.captured


def test_random_seeds_capture_both() -> None:
    """Instances and runs, where every run was scored on every instance; fixed ones only instances."""
    random, fixed = _of(analysis("two-way-t", CELL)), _of(design("fixed seeds"))
    assert "which instances" in random.captured
    assert "trained anew" in random.captured
    assert "trained anew" not in fixed.captured
    assert "trained anew" in fixed.missed
    assert "of these runs" in plain_prose(fixed.population)


@pytest.mark.parametrize("name", ["clusters, independent", "raters", "across datasets", "printed"])
def test_designs_say_their_own(name: str) -> None:
    """Clusters, ratings, datasets as the sample, and what only a paper knows."""
    found = _of(design(name))
    said = f"{plain_prose(found.averaged)} {found.captured} {found.missed} {found.blank}"
    assert {
        "clusters, independent": "whole clusters",
        "raters": "all ratings",
        "across datasets": "which datasets there are",
        "printed": "best of several",
    }[name] in said
