"""Settings: what is accepted, what is refused, and how."""

from __future__ import annotations

import pytest

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.settings import Settings


@pytest.mark.parametrize("alpha", [0, 0.5, 1, -0.05, float("nan"), "0.05", True, ()])
def test_levels_that_make_no_sense_are_refused(alpha):
    """A level lies strictly between 0 and one half."""
    with pytest.raises(SettingsError):
        Settings(alpha=alpha)


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


@pytest.mark.parametrize(
    "changes",
    [
        {"n_resamples": 10},
        {"n_resamples": 1e4},
        {"rng": -1},
        {"score_range": (1, 0)},
        {"score_range": (0, float("inf"))},
        {"score_range": 3},
        {"higher_is_better": "yes"},
        {"higher_is_better": {"BLEU": 1}},
    ],
)
def test_values_that_make_no_sense_are_refused(changes):
    """Numbers and flags are checked when they are given, not when they are used."""
    with pytest.raises(SettingsError):
        Settings(**changes)


def test_direction_and_kind_by_metric_and_dataset():
    """Metrics that are not named count as higher is better; a dataset's own kind goes before its metric's."""
    settings = Settings(higher_is_better={"TER": False}, kind={"TER": "continuous", "likert": "ordinal"})
    assert not settings.metric_higher_is_better("TER")
    assert settings.metric_higher_is_better("BLEU")
    assert settings.declared_kind("TER", "likert") == "ordinal"
    assert settings.declared_kind("TER", "news") == "continuous"
    assert settings.declared_kind("BLEU", "news") is None


def test_several_metrics_have_a_primary_one():
    """The first, unless another one is named; a list of one is one."""
    assert Settings(metric=["f1"]).metric == "f1"
    assert Settings().metrics == ()
    assert Settings(metric=["f1", "accuracy", "bleu"]).metrics == ("f1", "accuracy", "bleu")
    assert Settings(metric=("f1", "accuracy", "bleu"), primary_metric="bleu").metrics == ("bleu", "f1", "accuracy")
    assert Settings(metric="f1").replace(metric=["f1", "bleu"]).metrics == ("f1", "bleu")


@pytest.mark.parametrize(
    "changes", [{"metric": 3}, {"metric": ["f1", "f1"]}, {"metric": "f1", "primary_metric": "bleu"}]
)
def test_metrics_that_make_no_sense_are_refused(changes):
    """Names, each once, the primary one among them."""
    with pytest.raises(SettingsError):
        Settings(**changes)


def test_a_gatekeeping_is_one_of_four():
    """A misspelt one is answered with the nearest."""
    with pytest.raises(UnknownNameError, match="by-dataset"):
        Settings(gatekeeping="by dataset")
