"""A margin test holds two p-values, and can be turned round."""

import pytest

from reportkit.intervals.margin_result import MarginTest


def made(**fields):
    """A result, with some fields of its own."""
    given = {"margin": 0.1, "estimate": 0.3, "statistic": 2.0, "p_greater": 0.02, "p_less": 0.98}
    return MarginTest(**given | fields, title="t-test", citation="student1908probable")


def test_swapped():
    """A above B by more than .1 is B below A by more than .1; twice is nothing."""
    back = made().swapped()
    assert (back.margin, back.estimate, back.statistic) == (-0.1, -0.3, -2.0)
    assert (back.p_greater, back.p_less) == (0.98, 0.02)
    assert back.swapped() == made()


@pytest.mark.parametrize("p", [0.0, 1.5, float("nan")])
def test_what_is_no_p_value_is_a_mistake_of_the_program(p):
    """Neither 0, nor above 1, nor NaN."""
    with pytest.raises(ValueError, match="is no p-value"):
        made(p_less=p)
