"""Where data and assumptions do not match: each finding of the analysis as a sentence."""

from __future__ import annotations

import pytest

from reportkit.report.prose import plain
from reportkit.report.text.caveats import SAID_ELSEWHERE, mismatches_in_words
from tests.report.design_cases import CASES, design
from tests.report.paragraph_cases import analysis


def _said(one):
    return plain(mismatches_in_words(one))


@pytest.mark.parametrize(
    ("test", "cell", "expected"),
    [
        ("mcnemar", "four datasets, three", "score differently on 7 to 21 instances of a dataset"),
        ("mcnemar", "one dataset, shown", "No clusters were declared"),
        ("bootstrap-t", "one dataset, shown", "The differences are skewed (skewness"),
        ("bootstrap-t", "four datasets, three", "The same holds, with other numbers, on"),
        ("boschloo", "four datasets, three", "The two systems were scored on different instances"),
        ("two-way-t", "four datasets, three", "Four runs of a system hardly show how much it varies"),
        ("sign-flip", "four datasets, three", "k-hat and Holm's method rest on the smallest p-values"),
    ],
)
def test_what_is_said_of_a_test(test, cell, expected):
    """Ties, clusters, skewness, few runs, other instances; or that nothing was found."""
    assert expected in _said(analysis(test, cell))


def test_a_few_instances_are_said_once():
    """The finding of each dataset and that of all datasets are one sentence."""
    said = _said(design("twelve instances"))
    assert "There are fewer than 20 instances" in said
    assert "hardly find a difference" not in said
    assert "On news and tweets, with so few differing instances, the smallest possible p-value is above" in said


def test_nothing_is_said_to_match_where_something_does_not():
    """The all-clear stands only where there is no finding."""
    for name in CASES:
        one = design(name)
        if one.printed:
            continue
        said = _said(one)
        findings = {
            finding.code
            for comparison in one.comparisons
            for item in comparison.assessments
            for finding in item.findings
        } - SAID_ELSEWHERE
        assert not ("in the scores speaks against" in said and findings), name


def test_clusters_that_are_declared_are_not_missed():
    """With documents, raters or runs alone there is nothing to be declared."""
    assert "No clusters were declared" not in _said(design("raters"))
    assert "No clusters were declared" not in _said(analysis("welch-seeds", "one dataset, shown"))
