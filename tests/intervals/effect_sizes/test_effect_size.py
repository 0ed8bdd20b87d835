"""An effect size always says a number."""

import math

import pytest

from reportkit.significance.effect_sizes import EffectSize


def test_nan_is_a_mistake_of_the_program():
    """Infinite estimates are allowed: a ratio can have nothing below the line."""
    assert EffectSize(name="odds ratio", estimate=math.inf, no_effect=1.0, interval=None).interval is None
    with pytest.raises(ValueError, match="odds ratio: the estimate is NaN"):
        EffectSize(name="odds ratio", estimate=math.nan, no_effect=1.0, interval=None)
