"""Settings: what is accepted, what is refused, and how."""

from __future__ import annotations

import pytest

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.settings import Settings


def test_levels_are_sorted_and_a_single_one_is_taken():
    """The first mark belongs to the largest level, whatever the order given."""
    assert Settings(alpha=0.05).alpha == (0.05,)
    assert Settings(alpha=(0.01, 0.05, 0.01)).alpha == (0.05, 0.01)
    assert Settings(alpha=[0.001, 0.1]).primary_alpha == 0.1


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("dependence", "independant", "independent"),
        ("alternative", "twosided", "two-sided"),
        ("profile", "dror", "dror2017"),
        ("missing", "ignore", "drop"),
        ("gatekeeping", "by dataset", "by-dataset"),
        ("kind", "ordinl", "ordinal"),
        ("printed_reading", "two sided", "two-sided"),
    ],
)
def test_misspelt_choices_are_answered_with_what_is_known(name, value, hint):
    """The message names the nearest or the known values."""
    with pytest.raises(UnknownNameError, match=hint):
        Settings(**{name: value})


@pytest.mark.parametrize("declared", ["dependent", "unknown"])
def test_what_is_not_independent_is_any(declared):
    """There is one value for both, and no hint that the opposite may be meant."""
    with pytest.raises(SettingsError, match="dependence is") as raised:
        Settings(dependence=declared)
    assert raised.value.remedy == "write 'any', which is valid under every dependence"


def test_an_unknown_setting_is_answered_with_the_nearest():
    """`replace` refuses names that are no settings."""
    with pytest.raises(UnknownNameError, match="'missing'"):
        Settings().replace(mising="drop")


def test_several_metrics_have_a_primary_one():
    """The first, unless another one is named; a list of one is one."""
    assert Settings(metric=["f1"]).metric == "f1"
    assert Settings().metrics == ()
    assert Settings(metric=["f1", "accuracy", "bleu"]).metrics == ("f1", "accuracy", "bleu")
    assert Settings(metric=("f1", "accuracy", "bleu"), primary_metric="bleu").metrics == ("bleu", "f1", "accuracy")
    assert Settings(metric="f1").replace(metric=["f1", "bleu"]).metrics == ("f1", "bleu")
    with pytest.raises(SettingsError):
        Settings(metric="f1", primary_metric="bleu")
