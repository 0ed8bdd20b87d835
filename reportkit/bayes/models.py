"""Which model answers for which shape of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import numpy as np

from reportkit.bayes.model_kinds import (
    NO_DIFFERENCE,
    T_MODELS,
    Model,
    ModelName,
    Prior,
    asymptotic_t_model,
    beta_binomial_model,
    correlated_t_model,
    dirichlet_model,
    informed_model,
    ordinal_levels_model,
    paired_mean_model,
    two_means_model,
)
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.scores.sample import Sample, Shape
from reportkit.significance.units import as_wins, sorted_units

FEWEST_DIFFERING = 50
"""With fewer units that differ the t model is the default: the Bayesian bootstrap covers less than 92% there."""


def model_of(sample: Sample, prior: Prior | None = None, model: ModelName | None = None, seed: int = 0) -> Model:
    """Choose the model of a sample.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    prior : float or tuple of float, optional
        See `reportkit.bayes.posterior`.
    model : str, optional
        "student-t" instead of "bayesian-bootstrap" for scores on the same instances, or the other way round.
    seed : int
        Of the draws, where there are any.

    Raises
    ------
    DesignError
        If no model is known for this shape of results, or the model asked for does not fit it.
    SettingsError
        If the prior does not fit the model.
    """
    chosen = _chosen(sample, model, informed=prior is not None)
    if prior is not None and chosen not in ("beta-binomial", "dirichlet", *T_MODELS):
        raise SettingsError(
            f"prior={prior!r} has no place in the {chosen} model, whose prior is fixed",
            where=sample.label,
            remedy="leave `prior` out; priors are for right or wrong answers, and the scale of one for t models",
        )
    if chosen in T_MODELS and prior is not None:
        return informed_model(_MODELS[chosen](sample, None, seed), prior, sample)
    return _MODELS[chosen](sample, prior, seed)


def _chosen(sample: Sample, wish: ModelName | None, *, informed: bool = False) -> ModelName:
    """Return the model that is asked for, or the first one that fits; of a mean with a prior, the t model."""
    fitting = _FITTING[sample.shape](sample, informed)
    if informed and fitting == ("behrens-fisher",):
        fitting = ("asymptotic-t",)
    if wish is None:
        return fitting[0]
    if wish not in get_args(ModelName):
        raise UnknownNameError("model", wish, get_args(ModelName))
    if wish not in fitting:
        raise DesignError(
            f"the model {wish!r} does not fit these results",
            where=sample.label,
            remedy=f"possible: {', '.join(fitting)}",
        )
    return wish


def _fitting_pairs(sample: Sample, informed: bool) -> tuple[ModelName, ...]:
    if sample.unit == "dataset":
        raise DesignError(
            "one score per dataset is answered by the Bayesian signed-rank test, not by a posterior of the mean",
            where=sample.label,
            remedy="from reportkit.bayes import signed_rank; signed_rank(sample.differences, rope=...)",
        )
    means = ("student-t",) if informed else _models_of_a_mean(sample)
    plain = sample.clusters is None and sample.weights is None
    return ("dirichlet", *means) if plain and sample.kind in ("binary", "ordinal") else means


def _fitting_samples(sample: Sample, informed: bool) -> tuple[ModelName, ...]:
    if sample.kind == "ordinal":
        return ("ordinal-levels",)
    return ("beta-binomial", "behrens-fisher") if sample.binary else ("behrens-fisher",)


_FITTING: Mapping[Shape, Callable[[Any, bool], tuple[ModelName, ...]]] = {
    "paired": _fitting_pairs,
    "counts": lambda sample, informed: ("beta-binomial",),
    "unpaired": _fitting_samples,
    "folds": lambda sample, informed: ("correlated-t",),
    "run-scores": lambda sample, informed: ("behrens-fisher",),
    "corpus": lambda sample, informed: ("asymptotic-t",),
    "correlation": lambda sample, informed: ("asymptotic-t",),
    "runs": lambda sample, informed: ("asymptotic-t",),
}
"""The models that fit a shape, the first of which is the default."""


def _models_of_a_mean(sample: Sample) -> tuple[ModelName, ...]:
    """Return both, the t model first where so few units differ that the Bayesian bootstrap is too narrow."""
    units = sorted_units(as_wins(sample) if sample.kind == "ordinal" else sample)
    differing = int(np.count_nonzero(np.abs(units.sums) > NO_DIFFERENCE * float(np.abs(units.sums).max())))
    if differing < FEWEST_DIFFERING:
        return ("student-t", "bayesian-bootstrap")
    return ("bayesian-bootstrap", "student-t")


_MODELS: Mapping[ModelName, Callable[[Any, Prior | None, int], Model]] = {
    "beta-binomial": lambda sample, prior, seed: beta_binomial_model(sample, prior),
    "dirichlet": lambda sample, prior, seed: dirichlet_model(sample, prior),
    "ordinal-levels": lambda sample, prior, seed: ordinal_levels_model(sample, seed),
    "asymptotic-t": lambda sample, prior, seed: asymptotic_t_model(sample),
    "correlated-t": lambda sample, prior, seed: correlated_t_model(sample),
    "behrens-fisher": lambda sample, prior, seed: two_means_model(sample),
    "student-t": lambda sample, prior, seed: paired_mean_model(sample, "student-t"),
    "bayesian-bootstrap": lambda sample, prior, seed: paired_mean_model(sample, "bayesian-bootstrap"),
}
"""Made under their own priors; only those of counts take one that is asked for."""
