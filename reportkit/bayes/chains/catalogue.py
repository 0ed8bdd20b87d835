"""Which model by Markov chains answers for which sample, and what data cannot tell anything."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.chains.category_models import logistic_model, ordinal_model
from reportkit.bayes.chains.chain_model import ChainModel, ChainModelName
from reportkit.bayes.chains.score_models import count_model, metric_model, paired_count_model
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.scores.sample import Sample

FEWEST = 3
"""Scores of a group, or differences, below which a spread and tails cannot be learned."""

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
    levels: tuple[int, int] | None = None,
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
    levels : tuple of int, optional
        Lowest and highest level of an ordinal scale, as given; by default those that occur.

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
    _check_numbers(sample, chosen, scale, effect_scale, levels)
    swapped = sample.system_b < sample.system_a
    pair = sample if sample.shape == "paired" else sample.unpaired()
    made = {
        "metric": lambda: _metric(pair, swapped, scale or 1.0, effect_scale),
        "count": lambda: _count(pair, swapped, effect_scale),
        "ordinal": lambda: _ordinal(pair, swapped, effect_scale, levels),
        "paired-logistic": lambda: _paired_logistic(pair, swapped, effect_scale),
    }[chosen]()
    return made, swapped


def _check_design(sample: Sample, name: ChainModelName) -> None:
    where = sample.label
    if sample.shape not in ("paired", "unpaired", "run-scores") or sample.unit == "dataset":
        raise DesignError(
            f"no model by Markov chains is known for results of the shape {sample.shape!r}"
            + (", one score per dataset" if sample.unit == "dataset" else ""),
            where=where,
            remedy=_CLOSED,
        )
    if sample.shape == "unpaired" and name == "paired-logistic":
        raise DesignError(
            "the paired logistic model is for answers to the same questions, and these are on different instances",
            where=where,
            remedy=_CLOSED,
        )
    fits = {"metric": sample.kind != "binary", "paired-logistic": sample.kind == "binary"}
    if not fits.get(name, sample.kind == name):
        asked = {"count": "counts", "ordinal": "ordinal scores", "metric": "scores that are measured"}
        raise DesignError(
            f"the {name} model is for {asked.get(name, 'right or wrong answers')}, and these are {sample.kind}",
            where=where,
            remedy=f"choose model={BY_KIND[sample.kind]!r}"
            + (", or declare the kind of the scores: kind='count'" if sample.kind == "continuous" else ""),
        )
    if sample.weighted:
        raise DesignError("models by Markov chains take no weights", where=where, remedy=_CLOSED)
    if sample.n_clusters is not None:
        raise DesignError(
            f"the {name} model takes instances as independent, and these nest in {sample.cluster_noun}s",
            where=where,
            remedy=_CLOSED,
        )


def _check_numbers(
    sample: Sample, name: ChainModelName, scale: float | None, effect_scale: float, levels: tuple[int, int] | None
) -> None:
    if name == "metric" and scale is None:
        raise SettingsError(
            "the metric model needs the scale of the scores, which no data should decide",
            where=sample.label,
            remedy="declare how far scores of single instances usually lie apart, such as scale=0.1 for scores between "
            "0 and 1;\nthere is no default, since the priors are in this unit",
        )
    for label, value, used in (("scale", scale, name == "metric"), ("effect_scale", effect_scale, True)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise SettingsError(f"{label}={value!r} is no scale", remedy="give a positive number")
        if value is not None and not used:
            raise SettingsError(
                f"{label}={value!r} has no place in the {name} model, whose unit is its own",
                where=sample.label,
                remedy="leave it out, or change the prior of the effect by effect_scale",
            )
    if levels is not None and name != "ordinal":
        raise SettingsError(f"levels={levels!r} have no place in the {name} model", remedy="leave them out")


Pair = Sample


def _metric(pair: Pair, swapped: bool, scale: float, effect_scale: float) -> ChainModel:
    if pair.shape == "paired":
        groups = {"difference": np.sort(0.0 - pair.differences if swapped else pair.differences) + 0.0}
    else:
        first, second, _ = pair.in_order()
        groups = {"first": first, "second": second}
    names = dict(zip(("first", "second"), _names(pair, swapped), strict=True))
    for name, scores in groups.items():
        _refuse_few(pair, scores.size)
        if float(np.ptp(scores)) == 0.0:
            what = f"scores of {names[name]!r}" if name in names else "differences"
            raise DesignError(
                f"all {scores.size} {what} are {scores[0]:g}: nothing can be learned of their spread",
                where=pair.label,
                remedy="give scores that differ",
            )
    return metric_model(groups, scale, effect_scale)


def _count(pair: Pair, swapped: bool, effect_scale: float) -> ChainModel:
    _refuse_few(pair, pair.n)
    lower = not pair.higher_is_better
    a, b = (np.abs(scores) if lower else scores for scores in (pair.a, pair.b))
    for scores in (a, b):
        if bool((scores < 0).any()) or bool((scores != np.rint(scores)).any()):
            raise DesignError("counts are whole numbers from 0 on, and these are not", where=pair.label)
    first, second = (b, a) if swapped else (a, b)
    if not (first.any() or second.any()):
        raise DesignError(
            "all counts of both systems are 0: nothing can be learned of the ratio of their means",
            where=pair.label,
            remedy="say what was looked for, and among how many",
        )
    if pair.shape == "paired":
        return paired_count_model(np.column_stack([first, second])[np.lexsort((second, first))], effect_scale, lower)
    return count_model({"first": np.sort(first), "second": np.sort(second)}, effect_scale, lower)


def _ordinal(pair: Pair, swapped: bool, effect_scale: float, levels: tuple[int, int] | None) -> ChainModel:
    codes, lowest, highest = _levels(pair, swapped, levels)
    n, paired = highest - lowest + 1, pair.shape == "paired"
    if paired:
        counts = np.bincount(codes[0] * n + codes[1], minlength=n**2).reshape(n, n)
    else:
        counts = np.stack([np.bincount(code, minlength=n) for code in codes])
    return ordinal_model(counts.astype(np.float64), lowest, highest, effect_scale, paired=paired)


def _levels(pair: Pair, swapped: bool, levels: tuple[int, int] | None) -> tuple[list[NDArray[np.int64]], int, int]:
    """Levels from 0 of the system that comes first by name and of the other; the lowest and the highest, oriented."""
    _refuse_few(pair, pair.n)
    first, second = (pair.b, pair.a) if swapped else (pair.a, pair.b)
    lowest, highest = _ends(pair, levels)
    for name, scores in zip(_names(pair, swapped), (first, second), strict=True):
        if float(np.ptp(scores)) == 0.0:
            raise DesignError(
                f"{name!r} has the level {pair.as_given(float(scores[0])):g} on all of {scores.size} instances: "
                "nothing can be learned of the spread of its latent scores",
                where=pair.label,
                remedy=_CLOSED,
            )
    return [np.rint(scores).astype(np.int64) - lowest for scores in (first, second)], lowest, highest


def _ends(pair: Pair, levels: tuple[int, int] | None) -> tuple[int, int]:
    """Lowest and highest level, oriented."""
    scores = np.concatenate([pair.a, pair.b])
    if bool((scores != np.rint(scores)).any()):
        raise DesignError(
            "levels of an ordinal scale are whole numbers, and these are not",
            where=pair.label,
            remedy="number the levels: 1, 2, 3, ...",
        )
    seen = int(scores.min()), int(scores.max())
    if levels is None:
        lowest, highest = seen
    else:
        ends = [int(pair.as_given(float(level))) for level in levels]
        lowest, highest = min(ends), max(ends)
        if len(ends) != 2 or not (lowest <= seen[0] and seen[1] <= highest):
            raise SettingsError(
                f"levels={levels!r} do not hold all scores",
                where=f"{pair.label}: {pair.as_given(float(seen[0])):g} and {pair.as_given(float(seen[1])):g} occur",
                remedy="give the lowest and the highest level of the scale, such as levels=(1, 5)",
            )
    if highest - lowest < 2:
        raise DesignError(
            f"{highest - lowest + 1} levels are no ordinal scale for a latent score: with two, only one share is known",
            where=pair.label,
            remedy="declare the whole scale, such as levels=(1, 5); or give right or wrong as 1 and 0",
        )
    if highest - lowest > 100:
        raise DesignError(
            f"{highest - lowest + 1} levels are too many thresholds to learn", where=pair.label, remedy="model='metric'"
        )
    return lowest, highest


def _paired_logistic(pair: Any, swapped: bool, effect_scale: float) -> ChainModel:
    wins, losses = pair.wins_and_losses
    if wins + losses == 0:
        raise DesignError(
            "the two systems are right and wrong on the same instances: nothing can be learned of their ratio",
            where=pair.label,
            remedy=_CLOSED,
        )
    best = 1.0 if pair.higher_is_better else 0.0
    first, second = (pair.b, pair.a) if swapped else (pair.a, pair.b)
    codes = 3 - 2 * (first == best).astype(np.int64) - (second == best)  # 0 both, 1 first, 2 second, 3 none
    return logistic_model(np.bincount(codes, minlength=4).astype(np.float64), effect_scale)


def _refuse_few(pair: Sample, n: int) -> None:
    if n < FEWEST:
        raise DesignError(
            f"{n} scores of a system: with fewer than {FEWEST}, nothing can be learned of their distribution",
            where=pair.label,
            remedy="give more of them",
        )


def _names(pair: Sample, swapped: bool) -> tuple[str, str]:
    return (pair.system_b, pair.system_a) if swapped else (pair.system_a, pair.system_b)
