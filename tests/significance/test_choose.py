"""The choice of a test, row by row of the decision tables, and what it depends on."""

from __future__ import annotations

import itertools
from typing import get_args

import numpy as np
import pytest

from reportkit.scores.sample import Shape
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.choose import DECISION_TABLES, Design, choose
from reportkit.significance.entry import ResamplingPlan
from tests.samples import corpus

A, B = [1, 1, 0, 1, 0, 1], [0, 1, 1, 0, 0, 0]
CLUSTERS, WEIGHTS = {"clusters": [0, 0, 1, 1, 2, 2]}, {"weights": [1, 2, 3, 1, 2, 3]}


@pytest.mark.parametrize(
    ("profile", "n", "clusters", "test"),
    [
        ("recommended", 19, None, "corpus-jackknife-t"),
        ("recommended", 20, None, "corpus-bootstrap"),
        ("recommended", 60, 19, "corpus-jackknife-t"),
        ("recommended", 60, 20, "corpus-bootstrap"),
        ("dror2017", 19, None, "corpus-bootstrap"),
        ("dror2017", 60, 19, "corpus-bootstrap"),
    ],
)
def test_rows_of_corpus_metrics(profile, n, clusters, test):
    """Row 6: the bootstrap, but the jackknife for few units; clusters are units."""
    a, b = np.random.default_rng(1).integers(0, 9, size=(2, n, 3)).astype(float)
    groups = None if clusters is None else np.arange(n) % clusters
    choice = choose(corpus(a, b, clusters=groups), profile)
    assert (choice.row, choice.test) == (6, test)
    assert ("drawn whole" in choice.reason) == (profile == "dror2017" and clusters is not None)


def test_few_units_without_a_variance_are_swapped():
    """All instances alike: the jackknife has no standard error, and swaps need none."""
    paired = corpus(np.tile([3.0, 1, 1], (5, 1)), np.tile([2.0, 1, 1], (5, 1)))
    choice = choose(paired)
    assert (choice.row, choice.test) == (6, "approximate-randomization")
    assert run_test(choice.test, paired, ResamplingPlan(n_resamples=99)).p_value == pytest.approx(1 / 32, abs=0.1)


DESIGNS = list(
    itertools.product(
        DECISION_TABLES, ["binary", "continuous", "ordinal", "count"], [{}, CLUSTERS], [{}, WEIGHTS], [A, B]
    )
)


@pytest.mark.parametrize(("profile", "kind", "clusters", "weights", "b"), DESIGNS)
def test_every_design_has_a_test_that_accepts_it(pair, profile, kind, clusters, weights, b):
    """No profile chooses a test that refuses the scores; the recommended one never ignores clusters."""
    paired = pair(A, b, kind=kind, **clusters, **weights)
    choice = choose(paired, profile)
    assert 0 < run_test(choice.test, paired, ResamplingPlan(n_resamples=99)).p_value <= 1
    if clusters and profile == "recommended":
        assert SIGNIFICANCE_TESTS[choice.test].uses_clusters


def test_every_row_can_be_reached():
    """No rule is after another one that matches all its designs."""
    flags = (False, True)
    designs = [
        Design(
            shape=shape,
            kind=kind,
            identical=identical,
            clustered=clustered,
            weighted=weighted,
            skewed=skewed,
            rated=rated,
            constant=constant,
            few_differ=few_differ,
            beyond_half=beyond_half,
            unit=unit,
            n_tables=n_tables,
            n_units=n_units,
        )
        for shape in get_args(Shape)
        for kind in ("binary", "continuous", "ordinal", "count")
        for n_units in (1, 2, 7, 15, 25, 200, 5_000)
        for unit, n_tables in (("instance", 0), ("instance", 10**12), ("dataset", 0))
        for identical, clustered, weighted, skewed, rated, constant in itertools.product(flags, repeat=6)
        for few_differ, beyond_half in itertools.product(flags if shape == "corpus" else flags[:1], repeat=2)
    ]
    for rules in DECISION_TABLES.values():
        shapes = {rule.conditions.get("shape", "paired") for rule in rules}
        here = [design for design in designs if design.shape in shapes]
        reached = {id(next(rule for rule in rules if rule.matches(design))) for design in here}
        assert reached == {id(rule) for rule in rules}
