"""Ends of many rows at once against the whole contour of each, on lattices and almost on them."""

import math

import numpy as np
import pytest

from reportkit.null_distributions import shifted, shifted_rows
from reportkit.null_distributions.shifted import sign_flip_ends
from reportkit.null_distributions.shifted_rows import REACH, _comes_back, cosine, main_lobe_ends
from tests.null_distributions.test_shifted import FORMS, LATTICES


@pytest.mark.parametrize("form", [*FORMS, *LATTICES, "jittered"])
@pytest.mark.parametrize("n", [20, 60, 100, 250, 1000])
def test_the_main_lobe_alone_is_taken_only_where_the_whole_contour_agrees(form, n):
    """Within a thousandth of a standard error, on lattices and almost on them, whatever way each row took."""
    forms = {**FORMS, **LATTICES, "jittered": lambda rng, n: rng.integers(-2, 3, n) + rng.normal(0, 0.02, n)}
    rng = np.random.default_rng(n)
    rows = np.sort([forms[form](rng, n) for _ in range(3)], axis=1)
    for row, (low, high) in zip(rows, sign_flip_ends(rows, 0.025), strict=True):
        error = row.std() / math.sqrt(n)
        for values, end in ((row, low), (-row[::-1], -high)):
            whole = shifted._flip_end(values, np.ones(n), 0.025, math.nan)
            assert abs(end - whole) <= (3e-3 if form in LATTICES else 1.5e-3) * error


@pytest.mark.parametrize("largest", [1.0, 30.0, 1e4])
def test_cosines_are_those_of_numpy(largest):
    """To what rounding leaves, at the ends of each period, too."""
    angles = np.concatenate(
        (np.random.default_rng(1).uniform(-largest, largest, 100_000), np.pi / 2 * np.arange(-8, 9))
    )
    error = np.abs(cosine(angles) - np.cos(angles))
    assert (error <= 2e-15 + 2.0**-52 * np.abs(angles)).all()


@pytest.mark.parametrize("n", [20, 61, 130, 300])
def test_a_row_is_the_same_alone_and_among_others(n):
    """To the last bit, whichever way it takes: by the main lobe, or near a lattice by the whole contour."""
    rng = np.random.default_rng(11)
    near = rng.integers(-1, 2, (10, n)) + rng.exponential(0.02, (10, n))
    rows = np.sort(np.concatenate((rng.normal(0.1, 1.0, (10, n)), rng.choice([-1.0, 0.0, 1.0], (10, n)), near)), axis=1)
    together = sign_flip_ends(rows, 0.025)
    assert all((sign_flip_ends(row[None, :], 0.025)[0] == ends).all() for row, ends in zip(rows, together, strict=True))


@pytest.mark.parametrize("per_cell", [0.2, 0.12, 0.03])
@pytest.mark.parametrize("form", ["normal", "near a lattice"])
@pytest.mark.parametrize("n", [100, 300])
def test_what_comes_back_is_bounded(form, n, per_cell):
    """Behind the main lobe, terms of the quadrature add up to no more at any shift; near a lattice that may be much."""
    rng = np.random.default_rng(n)
    x = rng.normal(size=(5, n)) if form == "normal" else rng.integers(-2, 3, (5, n)) + rng.normal(0, 0.01, (5, n))
    x -= x.mean(axis=1, keepdims=True)
    x /= np.sqrt(np.square(x).sum(axis=1, keepdims=True))
    behind = np.full(5, 20.0)
    bounds = _comes_back(x, np.zeros(5, dtype=np.intp), behind, 0.9, per_cell)
    assert (bounds < 1e-5).all() if form == "normal" else (bounds > 1e-3).all()
    halves = np.arange(math.ceil(REACH / 0.9)) + 0.5
    for shift in (0.0, 0.01, 2.0 / n):
        for row, bound in zip(x, bounds, strict=True):
            moduli = np.abs(np.prod(np.cos(np.multiply.outer(0.9 * halves, row + shift)), axis=1))
            assert (moduli / (np.pi * halves))[1.8 * halves >= 20.0].sum() <= bound


@pytest.mark.parametrize("n", [20, 61, 130, 1001])
def test_another_step_would_change_nothing(monkeypatch, n):
    """The search ends where less than a billionth of a standard error is left, whatever the differences are."""
    rng = np.random.default_rng(n)
    rows = np.sort(np.concatenate((rng.normal(0.1, 1.0, (30, n)), rng.exponential(1.0, (30, n)) - 0.7)), axis=1)
    found = main_lobe_ends(rows, 0.025)
    monkeypatch.setattr(shifted_rows, "_SETTLED", 1e-14)
    further = main_lobe_ends(rows, 0.025)
    errors = rows.std(axis=1, keepdims=True) / math.sqrt(n)
    both = np.isfinite(found.ends) & np.isfinite(further.ends)
    assert both.mean() > 0.9
    assert (np.abs(found.ends - further.ends) <= 1e-9 * errors)[both].all()
