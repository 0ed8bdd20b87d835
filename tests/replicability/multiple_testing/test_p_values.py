"""What is accepted as p-values and as a level, and what the errors say."""

import numpy as np
import pytest

from reportkit.errors import InputError, SettingsError
from reportkit.replicability.multiple_testing.combination import check_p_values
from reportkit.significance.outcome import check_alpha, rejection_level


@pytest.mark.parametrize(
    ("given", "problem", "where"),
    [
        ([0.5, float("nan"), 0.1], "1 of 3 p-values is not in (0, 1]", "position 1 (counted from 0): nan"),
        ([-0.1, 0.2, -3], "2 of 3 p-values are not", "position 0 (counted from 0): -0.1"),
        ([[0.2, 0.1], [0.3, 0.0]], "1 of 4 p-values is not", "position 1, 1 (counted from 0): 0"),
        ([0.0] * 9, "9 of 9 p-values are not", "and 4 more"),
        ([], "or there are none", ""),
        (0.05, "no sequence", ""),
        (["0.05", "0.1"], "no array of numbers", ""),
        ([0.5, None], "no array of numbers", ""),
        ([True, False], "no array of numbers", ""),
        ([[0.1, 0.2], [0.3]], "no array of numbers", ""),
        ([0.1 + 0j], "no array of numbers", ""),
        (np.ma.array([0.1, 0.2], mask=[False, True]), "no array of numbers", ""),
    ],
)
def test_what_is_no_p_value_is_refused(given, problem, where):
    """Every kind of impossible number is counted and located; text, bools, ragged rows and masked values raise."""
    with pytest.raises(InputError) as caught:
        check_p_values(given)
    assert problem in caught.value.problem
    assert where in (caught.value.where or "")
    assert caught.value.remedy


@pytest.mark.parametrize("alpha", [0, 1, -0.05, 5, float("nan"), True, "0.05", None, [0.05], 0j, 1e-310])
def test_levels_outside_the_open_unit_interval_are_refused(alpha):
    """Anything but one number between 0 and 1 raises and is shown; NumPy's numbers are levels."""
    with pytest.raises(SettingsError, match="alpha is"):
        check_alpha(alpha)
    assert type(check_alpha(np.float32(0.5))) is float


def test_a_p_value_of_exactly_alpha_over_n_is_rejected_by_bonferroni():
    """N x (alpha / N) may be rounded above alpha, but not above the level of rejection."""
    for n_datasets in range(1, 200):
        for alpha in (0.05, 0.01, 0.025, 0.1):
            assert n_datasets * (alpha / n_datasets) <= rejection_level(alpha)
