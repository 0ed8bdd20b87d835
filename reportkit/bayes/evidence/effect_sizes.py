"""How large a difference is on the scales that its design allows, and how small a one could have been seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reportkit.errors import DesignError
from reportkit.power_analysis.pilot import MinimumDetectable, realised_minimum_detectable
from reportkit.scores.sample import Sample, Shape
from reportkit.settings import Alternative
from reportkit.significance.effect_sizes import (
    EffectSize,
    discordant_odds_ratio,
    probability_of_improvement,
    relative_difference,
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EffectSizes:
    """Effect sizes of one comparison on one dataset.

    Parameters
    ----------
    system_a, system_b, dataset : str
        Names.
    effects : tuple of EffectSize
        Those that fit the design.
    minimum_detectable : MinimumDetectable or None
        None if the data hold no information on the variance, or the design has no standard error.
    """

    system_a: str
    system_b: str
    dataset: str
    effects: tuple[EffectSize, ...]
    minimum_detectable: MinimumDetectable | None


def effect_sizes(
    sample: Sample,
    *,
    confidence_level: float = 0.95,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_datasets: int = 1,
) -> EffectSizes:
    """Effect sizes with intervals, and the minimum detectable effect at the realised n.

    | results                                 | effect sizes                                                      |
    |-----------------------------------------|-------------------------------------------------------------------|
    | right or wrong, same instances          | relative difference, odds ratio of the instances that differ      |
    | continuous or counts, same instances    | relative difference, probability of improvement                   |
    | ordinal, same instances                 | probability of improvement                                        |
    | different instances                     | probability of improvement                                        |
    | corpus metrics                          | relative difference                                               |

    The difference in points stands in the tables of results.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    confidence_level : float
        Confidence level of the intervals, which are not adjusted for the number of datasets.
    power, alpha, alternative, n_datasets
        As for `reportkit.power_analysis.pilot.realised_minimum_detectable`.

    Returns
    -------
    EffectSizes
        Without those that the scores do not allow, such as a ratio of scores of both signs.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> right = Sample(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                a=np.repeat([1.0, 0.0, 1.0], [30, 14, 56]), b=np.repeat([0.0, 1.0, 1.0], [30, 14, 56]))
    >>> [(effect.name, round(effect.estimate, 3)) for effect in effect_sizes(right).effects]
    [('relative difference', 0.229), ('odds ratio of discordant pairs', 2.143)]
    """
    found = [
        effect for measure in _measures(sample) if (effect := _measured(measure, sample, confidence_level)) is not None
    ]
    return EffectSizes(
        system_a=sample.system_a,
        system_b=sample.system_b,
        dataset=sample.dataset,
        effects=tuple(found),
        minimum_detectable=_detectable(sample, power, alpha, alternative, n_datasets),
    )


_Measure = Callable[[Any, float], EffectSize | None]
_MEASURES: Mapping[Shape, tuple[_Measure, ...]] = {
    "corpus": (relative_difference,),
    "unpaired": (probability_of_improvement,),
}


def _measures(sample: Sample) -> tuple[_Measure, ...]:
    if sample.shape != "paired":
        return _MEASURES.get(sample.shape, ())
    if sample.kind == "ordinal":
        return (probability_of_improvement,)
    if sample.kind == "binary":
        plain = sample.n_clusters is None and not sample.weighted
        return (relative_difference, _odds_ratio) if plain else (relative_difference,)
    return (relative_difference, probability_of_improvement)


def _odds_ratio(sample: Sample, level: float) -> EffectSize | None:
    return discordant_odds_ratio(*sample.wins_and_losses, level)


def _measured(measure: _Measure, sample: Sample, level: float) -> EffectSize | None:
    """One effect size; None where the scores do not allow it."""
    try:
        return measure(sample, level)
    except DesignError:
        return None


def _detectable(
    sample: Sample, power: float, alpha: float, alternative: Alternative, n_datasets: int
) -> MinimumDetectable | None:
    return realised_minimum_detectable(sample, power=power, alpha=alpha, alternative=alternative, n_datasets=n_datasets)
