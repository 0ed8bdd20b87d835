"""Choose the model by Markov chains for a sample, and refuse data without information."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.chains.chain_models import (
    ChainModel,
    ChainModelName,
    count_model,
    logistic_model,
    metric_model,
    ordinal_model,
    paired_count_model,
    paired_metric_model,
)
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.scores.sample import Sample

FEWEST = 3
"""Scores of a group, or differences, below which a spread and tails cannot be learned."""

MOST_LEVELS = 100
"""Most levels of an ordinal scale; each has a threshold to learn."""

BY_KIND: Mapping[str, ChainModelName] = {
    "continuous": "metric",
    "count": "count",
    "ordinal": "ordinal",
    "binary": "paired-logistic",
}

_CLOSED = "a.posterior() (--bayes) answers for this design without Markov chains"


def chain_model(
    sample: Sample,
    name: ChainModelName | None = None,
    *,
    scale: float | None = None,
    effect_scale: float = 1.0,
) -> tuple[ChainModel, bool]:
    """Set up the model of a sample.

    | scores         | model           | different instances                              |
    |----------------|-----------------|--------------------------------------------------|
    | continuous     | metric          | the same of two groups                           |
    | counts         | count           | the same of two groups                           |
    | ordinal        | ordinal         | the same of two groups                           |
    | right or wrong | paired-logistic | beta-binomial, in closed form: `reportkit.bayes` |

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    name : str, optional
        By default the model for the kind of the scores; "metric" fits all but right-or-wrong ones.
    scale : float, optional
        Of the metric model, which needs it: the spread of differences (or, on different instances, of scores) of single
        instances that is plausible before the data are seen, in the unit of the score.
    effect_scale : float
        How wide the prior of the effect is, in units of the model; see each of them.

    Returns
    -------
    model : ChainModel
        For the system that comes first by name against the other.
    swapped : bool
        Whether the first one is B.

    Raises
    ------
    DesignError
        If the model does not fit the sample, or the data cannot tell anything of the effect.
    SettingsError
        If a scale makes no sense, or the metric model has none.
    UnknownNameError
        If there is no such model.
    """
    chosen = BY_KIND[sample.kind] if name is None else name
    if chosen not in get_args(ChainModelName):
        raise UnknownNameError("model", chosen, get_args(ChainModelName))
    _check_design(sample, chosen)
    _check_numbers(sample, chosen, scale, effect_scale)
    swapped = sample.system_b < sample.system_a
    pair = sample if sample.shape == "paired" else sample.unpaired()
    first, second = (pair.b, pair.a) if swapped else (pair.a, pair.b)
    if pair.shape == "paired":
        order = np.lexsort((second, first))
        first, second = first[order], second[order]
    else:
        first, second = np.sort(first), np.sort(second)
    sides = {pair.system_b if swapped else pair.system_a: first, pair.system_a if swapped else pair.system_b: second}
    if chosen != "paired-logistic" and min(first.size, second.size) < FEWEST:
        raise DesignError(
            f"{min(first.size, second.size)} scores of a system: with fewer than {FEWEST}, nothing can be learned of "
            "their distribution",
            where=pair.label,
            remedy="give more of them",
        )
    made = {
        "metric": lambda: _metric(pair, sides, scale or 1.0, effect_scale),
        "count": lambda: _count(pair, sides, effect_scale),
        "ordinal": lambda: _ordinal(pair, sides, effect_scale),
        "paired-logistic": lambda: _paired_logistic(pair, sides, effect_scale),
    }
    return made[chosen](), swapped


def _check_design(sample: Sample, name: ChainModelName) -> None:
    if (
        sample.shape not in ("paired", "unpaired", "run-scores")
        or sample.unit == "dataset"
        or (sample.shape == "unpaired" and name == "paired-logistic")
        or sample.weights is not None
        or sample.n_clusters is not None
    ):
        raise DesignError(
            "models by Markov chains take one score per system and instance, without weights and clusters, and right "
            "or wrong answers to the same questions",
            where=sample.label,
            remedy=_CLOSED,
        )
    fits = {"metric": sample.kind != "binary", "paired-logistic": sample.kind == "binary"}
    if not fits.get(name, sample.kind == name):
        asked = {"count": "counts", "ordinal": "ordinal scores", "metric": "scores that are measured"}
        raise DesignError(
            f"the {name} model is for {asked.get(name, 'right or wrong answers')}, and these are {sample.kind}",
            where=sample.label,
            remedy=f"choose model={BY_KIND[sample.kind]!r}"
            + (", or declare the kind of the scores: kind='count'" if sample.kind == "continuous" else ""),
        )


def _check_numbers(sample: Sample, name: ChainModelName, scale: float | None, effect_scale: float) -> None:
    if name == "metric" and scale is None:
        raise SettingsError(
            "the metric model needs the scale of the scores, which no data should decide",
            where=sample.label,
            remedy="declare how far scores of single instances usually lie apart, such as scale=0.1 for scores between "
            "0 and 1;\nthere is no default, since the priors are in this unit",
        )
    for label, value in (("scale", scale), ("effect_scale", effect_scale)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise SettingsError(f"{label}={value!r} is not a scale", remedy="give a positive number")
    if scale is not None and name != "metric":
        raise SettingsError(
            f"scale={scale!r} has no place in the {name} model", where=sample.label, remedy="leave it out"
        )


Sides = Mapping[str, NDArray[np.float64]]
"""Scores of the system that comes first by name, and of the other: sorted, and oriented."""


def _metric(pair: Any, sides: Sides, scale: float, effect_scale: float) -> ChainModel:
    first, second = sides.values()
    paired, groups = pair.shape == "paired", sides
    if paired:
        sign = 1.0 if next(iter(sides)) == pair.system_a else -1.0
        groups = {"the differences": np.sort(sign * pair.differences) + 0.0}
    for name, scores in groups.items():
        if float(np.ptp(scores)) == 0.0:
            raise DesignError(
                f"all {scores.size} scores of {name} are {scores[0]:g}: nothing can be learned of their spread",
                where=pair.label,
                remedy="give scores that differ",
            )
    if paired:
        return paired_metric_model(groups["the differences"], scale, effect_scale)
    return metric_model(first, second, scale, effect_scale)


def _count(pair: Any, sides: Sides, effect_scale: float) -> ChainModel:
    counts = [np.abs(scores) if not pair.higher_is_better else scores for scores in sides.values()]
    if any(bool((scores < 0).any() or (scores != np.rint(scores)).any()) for scores in counts):
        raise DesignError("counts are whole numbers from 0 on, and these are not", where=pair.label)
    if not any(scores.any() for scores in counts):
        raise DesignError(
            "all counts of both systems are 0: nothing can be learned of the ratio of their means",
            where=pair.label,
            remedy="say what was looked for, and among how many",
        )
    if pair.shape == "paired":
        model = paired_count_model(np.column_stack(counts), effect_scale)
    else:
        model = count_model(counts[0], counts[1], effect_scale)
    return model if pair.higher_is_better else replace(model, build=lambda: -model.build())


def _ordinal(pair: Any, sides: Sides, effect_scale: float) -> ChainModel:
    lowest, highest = _ends(pair)
    for name, scores in sides.items():
        if float(np.ptp(scores)) == 0.0:
            raise DesignError(
                f"{name!r} has the level {pair.as_given(float(scores[0])):g} on all of {scores.size} instances: "
                "nothing can be learned of the spread of its latent scores",
                where=pair.label,
                remedy=_CLOSED,
            )
    codes = [np.rint(scores).astype(np.int64) - lowest for scores in sides.values()]
    n, paired = highest - lowest + 1, pair.shape == "paired"
    if paired:
        counts = np.bincount(codes[0] * n + codes[1], minlength=n**2).reshape(n, n)
    else:
        counts = np.stack([np.bincount(code, minlength=n) for code in codes])
    return ordinal_model(counts.astype(np.float64), lowest, highest, effect_scale, paired=paired)


def _ends(pair: Any) -> tuple[int, int]:
    """Return the lowest and highest level, oriented."""
    scores = np.concatenate([pair.a, pair.b])
    lowest, highest = int(scores.min()), int(scores.max())
    if bool((scores != np.rint(scores)).any()) or not 2 <= highest - lowest <= MOST_LEVELS:
        raise DesignError(
            f"an ordinal scale for a latent score has whole numbers as levels, 3 to {MOST_LEVELS} of them",
            where=pair.label,
            remedy="number the levels: 1, 2, 3, ...; or give right or wrong as 1 and 0",
        )
    return lowest, highest


def _paired_logistic(pair: Any, sides: Sides, effect_scale: float) -> ChainModel:
    best = 1.0 if pair.higher_is_better else 0.0
    first, second = ((scores == best).astype(np.int64) for scores in sides.values())
    cells = np.bincount(3 - 2 * first - second, minlength=4)  # both, only the first, only the second, none
    if cells[1] + cells[2] == 0:
        raise DesignError(
            "the two systems are right and wrong on the same instances: nothing can be learned of their ratio",
            where=pair.label,
            remedy=_CLOSED,
        )
    return logistic_model(cells.astype(np.float64), effect_scale)
