"""Many pairs at once give what one pair gives."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.errors import InputError
from reportkit.null_distributions import all_pairs
from reportkit.null_distributions.all_pairs import bootstrap_tails, sign_flip_tails
from reportkit.null_distributions.enumeration import enumerate_flips
from reportkit.null_distributions.lattices.few_valued_draws import few_valued_draw_tails
from reportkit.null_distributions.null_distribution import bootstrap_tail, sign_flip_tail
from reportkit.null_distributions.step_sums import FlipSum

BOTH = pytest.mark.parametrize(
    ("together", "single"),
    [(sign_flip_tails, sign_flip_tail), (bootstrap_tails, bootstrap_tail)],
    ids=["flips", "draws"],
)


def mixed_rows(n):
    """Rows of every kind: continuous, lattice, near-lattice, zeros, one outlier, tiny, huge, far in the tail."""
    rng = np.random.default_rng(n)
    normal = rng.normal(0.05, 1.0, n)
    sparse = np.where(rng.random(n) < 0.7, 0.0, normal)
    return np.array(
        [
            normal,
            -normal,
            normal * 1e-300,
            normal * 1e300,
            normal + 1.0,
            rng.exponential(size=n) - 0.9,
            rng.standard_t(1.5, n),
            np.zeros(n),
            np.full(n, 0.3),
            rng.integers(-1, 2, n),
            np.round(normal, 2),
            rng.integers(-1, 2, n) + 1e-2 * normal,
            sparse,
            np.where(np.arange(n) < 5, normal, 0.0),
            np.append(normal[:-1], 1e4),
            np.append(normal[:-1], -50.0),
        ]
    )


@BOTH
@pytest.mark.parametrize("n", [3, 60, 300, 1500])
def test_parity(together, single, n):
    """The same tails and methods and similar bounds as one by one, up to rounding, for rows of every kind.

    Where a look bounds the tail, it may end as soon as half the acceptable error is left, which one finer than asked
    for does not: which of the two is finer is chance. Of a few dozen differences on a wide lattice, nodes that are as
    good as negligible are left out in a batch.
    """
    rows = mixed_rows(n)
    for tails, row in zip(together(rows), rows, strict=True):
        expected = single(row)
        if expected is None:
            assert tails is None
            continue
        for name in ("log_p_greater", "log_p_less"):
            assert getattr(tails, name) == pytest.approx(getattr(expected, name), rel=1e-12, abs=1e-12)
        assert tails.method == expected.method
        of_a_look = 5e-4 if expected.relative_error > 1e-6 else 1e-4 if n == 60 else 1e-11
        assert tails.relative_error <= max(2.0 * expected.relative_error, of_a_look)


@BOTH
def test_more_rows_than_a_block(together, single):
    """Rows keep their places across blocks; the result does not depend on the neighbours."""
    rows = np.random.default_rng(1).normal(0.1, 1.0, (200, 700))
    tails = together(rows)
    assert len(tails) == 200
    for row in (0, 92, 93, 94, 199):
        assert tails[row].log_p_greater == pytest.approx(single(rows[row]).log_p_greater, rel=1e-12)
    alone = together(rows[93:94])[0]
    assert alone.log_p_greater == pytest.approx(tails[93].log_p_greater, rel=1e-13)


@pytest.mark.parametrize("values", [(-1, 0, 1), (0, 1), (-1.0, 0.0, math.sqrt(2.0), 2.5), (-0.2, 0.1, 0.4)])
def test_rows_of_few_values(values):
    """What a single pair gives, on a lattice or not; to the last bit the same in any order, alone and among others."""
    rng = np.random.default_rng(3)
    rows = np.array([rng.choice(values, 90, p=chances) for chances in rng.dirichlet(np.full(len(values), 3.0), 20)])
    rows = np.vstack((rng.normal(size=(1, 90)), rows, rng.permuted(rows, axis=1)))
    _, *together = bootstrap_tails(rows)
    for tails, row in zip(together, rows[1:], strict=True):
        assert tails.log_p_greater == pytest.approx(bootstrap_tail(row).log_p_greater, rel=1e-11)
    assert together[:20] == together[20:]
    assert together == [bootstrap_tails(row[None, :])[0] for row in rows[1:]]


def test_rows_of_few_values_are_computed_once(monkeypatch):
    """Test sets that are alike for a thousand pairs cost one tail."""
    computed = []

    def counted(values, counts):
        computed.extend(values)
        return few_valued_draw_tails(values, counts)

    monkeypatch.setattr(all_pairs, "few_valued_draw_tails", counted)
    rng = np.random.default_rng(4)
    rows = rng.permuted(np.tile(np.repeat([-0.3, 0.0, 0.7], [11, 60, 19]), (1_000, 1)), axis=1)
    assert bootstrap_tails(rows) == bootstrap_tails(rows)
    assert len(computed) == 1


def test_rows_of_which_some_differences_are_never_flipped():
    """Far in the tail, gains larger than all losses only halve p each; so they do in a row among others."""
    rng = np.random.default_rng(4)
    rows = np.sort(rng.uniform(0.5, 1.5, (20, 90)), axis=1)
    rows[:, :7] *= -1.0
    rows[:10, -25:] += rng.exponential(30.0, (10, 25)) + 10.0
    never = np.count_nonzero(rows > -np.minimum(rows, 0.0).sum(axis=1)[:, None], axis=1)
    assert never.tolist() == [25] * 10 + [0] * 10
    for row, tails, gone in zip(rows, sign_flip_tails(rows, max_relative_error=1e-2), never, strict=True):
        kept = np.abs(row[: row.size - gone])
        truth = enumerate_flips(FlipSum(kept, None, -float(row[:7].sum()))).log_p - gone * math.log(2.0)
        assert abs(math.expm1(tails.log_p_greater - truth)) <= tails.relative_error <= 1e-2


@BOTH
def test_a_bound_for_all_rows(together, single):
    """The largest admissible error is that of a single pair."""
    rows = np.random.default_rng(2).normal(0.1, 1.0, (5, 500))
    assert all(tails.relative_error <= 1e-4 for tails in together(rows, max_relative_error=1e-4))
    assert together(rows[:1], max_relative_error=1e-14) == [None]


@BOTH
def test_bad_input(together, single):
    """One row, no rows, and a number that is none are refused with the place named."""
    with pytest.raises(InputError, match="shape"):
        together([1.0, 2.0])
    with pytest.raises(InputError, match="shape"):
        together(np.empty((0, 3)))
    with pytest.raises(InputError, match="pair 1 at position 2 is nan"):
        together([[1.0, 2.0, 3.0], [1.0, 2.0, math.nan]])
