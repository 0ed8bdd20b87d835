"""What Python shows of a result: a few lines, whatever was analysed."""

from __future__ import annotations

import dataclasses

import numpy as np

from reportkit.language import MOST, few_lines, short_repr


@dataclasses.dataclass(frozen=True)
class _Held:
    values: np.ndarray
    inner: object = None
    hidden: int = dataclasses.field(default=3, repr=False)

    __repr__ = short_repr


def test_short_values_are_shown_and_long_ones_are_cut() -> None:
    """Hidden fields not at all."""
    small = _Held(np.array([1.0, 2.0]), ("a", "b"))
    assert repr(small) == "_Held(values=array([1., 2.]), inner=('a', 'b'))"
    for inner in ((small,) * 70, {str(n): small for n in range(99)}, "x" * 10_000, np.zeros((3, 500))):
        assert len(repr(_Held(np.zeros((30, 50)), inner))) < MOST


def test_lines_that_are_left_out_are_counted() -> None:
    """With what shows them all; a few lines are shown as they are."""
    assert few_lines(["a", "b"], "summary()") == "a\nb"
    lines = ["x" * 300] * 40
    shown = few_lines(lines, "summary()").split("\n")
    assert len("\n".join(shown)) < MOST
    assert shown[-1] == f"... and {40 - len(shown) + 1} more; summary() has all"
