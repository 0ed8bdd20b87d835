"""What is accepted as p-values and as a level, and what the errors say."""

import numpy as np
import pytest

from reportkit.errors import InputError, SettingsError
from reportkit.replicability.multiple_testing.p_values import check_alpha, check_p_values, rejection_level


@pytest.mark.parametrize(
    ("given", "problem", "where"),
    [
        ([0.5, float("nan"), 0.1], "1 of 3 p_values is NaN", "position 1 (counted from 0)"),
        ([0.5, None], "1 of 2 p_values is NaN", "position 1"),
        ([-0.1, 0.2, -3], "2 of 3 p_values are negative", "positions 0 (-0.1), 2 (-3)"),
        ([0.2, 4.5], "1 of 2 p_values is above 1", "position 1 (4.5)"),
        ([0.2, np.inf], "1 of 2 p_values is above 1", "position 1 (inf)"),
        ([[0.2, 0.1], [0.3, 0.0]], "1 of 4 p_values is 0", "position (1, 1)"),
        ([0.0] * 9, "9 of 9 p_values are 0", "positions 0, 1, 2, 3, 4 and 4 more"),
    ],
)
def test_numbers_that_are_no_p_values_are_named_with_their_positions(given, problem, where):
    """Every kind of impossible number raises, counted and located."""
    with pytest.raises(InputError) as caught:
        check_p_values(given)
    assert problem in caught.value.problem
    assert where in caught.value.where
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([], "p_values is empty"),
        (np.empty((3, 0)), "p_values is empty"),
        (0.05, "single number 0.05"),
        (["0.05", "0.1"], "values of type"),
        (["a"], "values of type"),
        ([True, False], "values of type bool"),
        (np.array(["0.05", 0.1], dtype=object), "values of text or bool"),
        (np.array([0.1, True], dtype=object), "values of text or bool"),
        ([[0.1, 0.2], [0.3]], "cannot be read as an array of numbers"),
        ({"x": 0.1}, "cannot be read as an array of numbers"),
        ([0.1 + 0j], "values of type complex128"),
        (np.ma.array([0.1, 0.2], mask=[False, True]), "masked"),
    ],
)
def test_what_is_not_an_array_of_numbers_is_refused(given, problem):
    """Text, bools, ragged rows, masked values and single numbers raise."""
    with pytest.raises(InputError, match=problem):
        check_p_values(given)


def test_zero_is_answered_with_what_to_do():
    """The remedy for p = 0 names the floor of Monte Carlo tests and the rounding cell of printed values."""
    with pytest.raises(InputError, match=r"1 / \(n_resamples \+ 1\)(.|\n)*upper end of its rounding"):
        check_p_values([0.0])


def test_every_p_value_above_zero_is_accepted():
    """The smallest subnormal number and 1 are p-values, in lists, integers and float32 alike."""
    assert check_p_values([5e-324, 1]).tolist() == [5e-324, 1.0]
    assert check_p_values(np.array([1, 1])).dtype == np.float64
    assert check_p_values(np.array([0.25], dtype=np.float32)).tolist() == [0.25]


def test_arrays_are_not_copied_and_no_repetitions_are_allowed():
    """A float64 array comes back as it is; an array without rows stays one."""
    values = np.array([[0.1, 0.2]])
    assert check_p_values(values) is values
    assert check_p_values(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("alpha", [0, 1, -0.05, 5, float("nan"), True, "0.05", None, [0.05], 0j, 1e-310])
def test_levels_outside_the_open_unit_interval_are_refused(alpha):
    """Anything but one number between 0 and 1 raises and is shown."""
    with pytest.raises(SettingsError, match="alpha is"):
        check_alpha(alpha)


def test_numpy_numbers_are_levels():
    """NumPy's scalars are accepted and come back as a Python float."""
    assert type(check_alpha(np.float32(0.5))) is float


@pytest.mark.parametrize("alpha", [1e-300, 1e-9, 1e-6, 0.01, 0.05, 0.5, 1 - 1e-13, np.nextafter(1.0, 0.0)])
def test_the_tolerance_is_small_against_the_level_and_against_one(alpha):
    """The tolerance is 1e-12, at most a millionth of the level, and p = 1 is never at most the level."""
    level = rejection_level(alpha)
    assert alpha <= level <= alpha + min(1.0000001e-12, 1.0000001e-6 * alpha) + np.spacing(alpha)
    assert level < 1


@pytest.mark.parametrize("n_datasets", range(1, 200))
def test_a_p_value_of_exactly_alpha_over_n_is_rejected_by_bonferroni(n_datasets):
    """N x (alpha / N) may be rounded above alpha, but not above the level of rejection."""
    for alpha in (0.05, 0.01, 0.025, 0.1):
        assert n_datasets * (alpha / n_datasets) <= rejection_level(alpha)
