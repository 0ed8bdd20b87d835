"""Models for each shape of results: the difference, and its distribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from scipy import stats

from reportkit.bayes.distribution import (
    Distribution,
    continuous,
    difference,
    dirichlet_difference,
    dirichlet_mean,
    drawn,
    informed,
    students_t,
)
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.scores.designs import sorted_units
from reportkit.scores.sample import Sample
from reportkit.significance.interval import Estimate
from reportkit.significance.standard_errors import ESTIMATES
from reportkit.significance.units import as_wins

ModelName = Literal[
    "beta-binomial",
    "dirichlet",
    "bayesian-bootstrap",
    "student-t",
    "correlated-t",
    "behrens-fisher",
    "ordinal-levels",
    "asymptotic-t",
]
Prior = float | tuple[float, float]
T_MODELS: tuple[ModelName, ...] = ("student-t", "correlated-t", "asymptotic-t")
"""Models that describe the data by a t distribution, and take the scale of a Cauchy prior."""

NO_DIFFERENCE = 1e-12
N_DRAWS = 100_000
FEW_UNITS = 20
"""With fewer, the Bayesian bootstrap is too narrow, and the t posterior rests on the normal distribution."""

FEWEST_DIFFERING = 50
"""With fewer units that differ the t model is the default: the Bayesian bootstrap covers less than 92% there."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Model:
    """A model with its data: what the difference is, and how it is distributed before and after.

    Parameters
    ----------
    name, title : str
        Short name, and name in prose.
    estimand : str
        What the difference is a difference of.
    posterior : Distribution
        Posterior of A minus B.
    prior : Distribution or None
        None if the prior is improper, so that no Bayes factor exists.
    prior_title : str
        The prior in prose.
    findings : tuple of Finding
        What to be careful about.
    """

    name: ModelName
    title: str
    estimand: str
    posterior: Distribution
    prior: Distribution | None = None
    prior_title: str
    findings: tuple[Finding, ...] = ()


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
        Seed of the draws, where there are any.

    Raises
    ------
    DesignError
        If no model is known for this shape of results, the model asked for does not fit it, or the data cannot say
        anything of the spread.
    SettingsError
        If the prior does not fit the model.
    """
    chosen = _chosen(sample, model, given=prior is not None)
    if prior is not None and chosen not in ("beta-binomial", "dirichlet", *T_MODELS):
        raise SettingsError(
            f"prior={prior!r} has no place in the {chosen} model, whose prior is fixed",
            where=sample.label,
            remedy="leave `prior` out; priors are for right or wrong answers, and the scale of one for t models",
        )
    return _MODELS[chosen](sample, chosen, prior, seed)


def _chosen(sample: Sample, wish: ModelName | None, *, given: bool) -> ModelName:
    """Return the model that is asked for, or the first one that fits; of a mean with a prior, the t model."""
    fitting = _fitting(sample, given)
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


def _fitting(sample: Sample, given: bool) -> tuple[ModelName, ...]:
    """Return the models that fit, the default first."""
    if sample.shape == "paired":
        means: tuple[ModelName, ...] = ("student-t",) if given else _models_of_a_mean(sample)
        plain = sample.clusters is None and sample.weights is None
        return ("dirichlet", *means) if plain and sample.kind in ("binary", "ordinal") else means
    two_means: ModelName = "asymptotic-t" if given else "behrens-fisher"
    if sample.shape == "unpaired":
        if sample.kind == "ordinal":
            return ("ordinal-levels",)
        return ("beta-binomial", "behrens-fisher") if sample.binary else (two_means,)
    by_shape: Mapping[str, ModelName] = {"counts": "beta-binomial", "folds": "correlated-t", "run-scores": two_means}
    return (by_shape.get(sample.shape, "asymptotic-t"),)


def _models_of_a_mean(sample: Sample) -> tuple[ModelName, ...]:
    """Return both models of a mean, the t model first where too few units differ for the Bayesian bootstrap."""
    if sample.unit == "dataset":
        raise DesignError(
            "one score per dataset is answered by the Bayesian signed-rank test, not by a posterior of the mean",
            where=sample.label,
            remedy="from reportkit.bayes import signed_rank; signed_rank(sample.differences, rope=...)",
        )
    units = sorted_units(_scores(sample))
    differing = int(np.count_nonzero(np.abs(units.sums) > NO_DIFFERENCE * float(np.abs(units.sums).max())))
    if differing < FEWEST_DIFFERING:
        return ("student-t", "bayesian-bootstrap")
    return ("bayesian-bootstrap", "student-t")


def _scores(sample: Sample) -> Sample:
    """Return the scores; for ordinal ones, which system won."""
    return as_wins(sample) if sample.kind == "ordinal" else sample


def _beta_binomial(sample: Any, name: ModelName, prior: Prior | None, seed: int) -> Model:
    """Take two numbers of right answers as binomial, their shares as independent beta variables."""
    remedy = "give one positive number, or two, such as prior=(1, 1)"
    pair = prior if isinstance(prior, tuple) and len(prior) == 2 else (prior, prior)
    a, b = (1.0, 1.0) if prior is None else (_positive(value, sample, remedy) for value in pair)
    right, before = sample.right, stats.beta(a, b)
    of_a = stats.beta(a + right.a, b + right.n_a - right.a)
    of_b = stats.beta(a + right.b, b + right.n_b - right.b)
    swapped = sample.system_b < sample.system_a
    return Model(
        name=name,
        title="beta-binomial model",
        estimand="difference of the proportions of right answers",
        posterior=difference(of_b, of_a).turned_round() if swapped else difference(of_a, of_b),
        prior=difference(before, before),
        prior_title=f"independent Beta({a:g}, {b:g}) priors",
        findings=pairing_lost(sample, sample.label),
    )


def _dirichlet(sample: Sample, name: ModelName, prior: Prior | None, seed: int) -> Model:
    """Take wins, losses and ties on the same instances as multinomial, their shares as a Dirichlet variable."""
    cell = 1.0 if prior is None else _positive(prior, sample, _ONE_CELL)
    ordinal, (wins, losses) = sample.kind == "ordinal", _scores(sample).wins_and_losses
    swapped = sample.system_b < sample.system_a
    first, second = (losses, wins) if swapped else (wins, losses)
    posterior = dirichlet_difference(cell + first, cell + second, 2.0 * cell + sample.n - wins - losses)
    return Model(
        name=name,
        title="Dirichlet-multinomial model of wins, losses and ties",
        estimand="share of wins minus share of losses" if ordinal else "difference of the proportions of right answers",
        posterior=posterior.turned_round() if swapped else posterior,
        prior=dirichlet_difference(cell, cell, 2.0 * cell),
        prior_title=f"a Dirichlet({cell:g}, {cell:g}, {2 * cell:g}) prior",
    )


def _ordinal_levels(sample: Sample, name: ModelName, prior: Prior | None, seed: int) -> Model:
    """Draw P(a > b) - P(a < b), the shares of the levels seen being Dirichlet distributed with their counts."""
    first, second, swapped = sample.in_order()
    (levels_a, counts_a), (levels_b, counts_b) = (np.unique(scores, return_counts=True) for scores in (first, second))
    rng = np.random.default_rng(seed)
    shares_a, shares_b = rng.dirichlet(counts_a, N_DRAWS), rng.dirichlet(counts_b, N_DRAWS)
    order = np.sign(levels_a[:, None] - levels_b)
    draws = drawn(((shares_a @ order) * shares_b).sum(axis=1))
    return Model(
        name=name,
        title="Bayesian bootstrap of the probability of a higher rating",
        estimand="P(A rated higher) minus P(B rated higher)",
        posterior=draws.turned_round() if swapped else draws,
        prior_title="an improper prior (weights Dirichlet(1, ..., 1) on the ratings that were seen)",
        findings=(*_few_units(sample, sample.n, sample.unit), *pairing_lost(sample, sample.label)),
    )


def _behrens_fisher(sample: Any, name: ModelName, prior: Prior | None, seed: int) -> Model:
    """Take the scores of two samples as normal, each with a variance of its own."""
    first, second, swapped = sample.unpaired().in_order()
    means = []
    for scores in (first, second):
        scale, n = float(np.abs(scores).max()), scores.size
        if n < 2 or float(np.ptp(scores)) <= NO_DIFFERENCE * scale:
            raise _certain(sample, f"scores of a system ({sample.unit}s)")
        means.append(students_t(float(scores.mean()), scale * float(np.std(scores / scale, ddof=1)) / n**0.5, n - 1))
    posterior = difference(*means)
    return Model(
        name=name,
        title="model of two normal samples (Behrens-Fisher)",
        estimand="difference of the means",
        posterior=posterior.turned_round() if swapped else posterior,
        prior_title="independent Jeffreys priors",
        findings=pairing_lost(sample, sample.label),
    )


def _bayesian_bootstrap(sample: Sample, name: ModelName, prior: Prior | None, seed: int) -> Model:
    """Weigh the independent units (instances or clusters) by Dirichlet(1, ..., 1): no shape of them is assumed.

    With n units the posterior is narrower than the t interval by about sqrt((n - 1) / (n + 1)). Rubin (1981), "The
    Bayesian bootstrap".
    """
    units = sorted_units(_scores(sample))
    residuals = units.sums - units.sizes * units.mean
    if units.n < 2 or float(np.abs(residuals).max()) <= NO_DIFFERENCE * float(np.abs(units.sums).max()):
        raise _certain(sample, "instances (or clusters)")
    groups, counts = np.unique(np.column_stack([units.sums, units.sizes]), axis=0, return_counts=True)
    sums, sizes = np.ascontiguousarray(groups.T)
    mean = dirichlet_mean(sums, sizes, counts.astype(np.float64))
    return Model(
        name=name,
        title="Bayesian bootstrap",
        estimand=_estimand(sample),
        posterior=mean.turned_round() if units.swapped else mean,
        prior_title="an improper prior (weights Dirichlet(1, ..., 1) on the differences that were seen)",
        findings=_few_units(sample, units.n, _noun(sample)),
    )


_T_WORDS: Mapping[ModelName, tuple[str, str]] = {
    "student-t": ("Student t model", "the Jeffreys prior"),
    "correlated-t": ("Bayesian correlated t model", "the Jeffreys prior"),
    "asymptotic-t": ("t approximation of the posterior", "a flat prior"),
}
"""Title and prior."""


def _t_model(sample: Sample, name: ModelName, prior: Prior | None, seed: int) -> Model:
    """Take the t distribution behind the interval as a likelihood, under a flat or a Cauchy prior.

    This is exact for normal differences on the same instances, and for folds with the correlation 1 / k (Corani and
    Benavoli, 2015, section 3); elsewhere it is an approximation for many units.
    """
    paired = sample.shape == "paired"
    scores = _scores(sample) if sample.shape == "paired" else sample
    estimate = ESTIMATES[sample.shape](scores)
    if estimate.standard_error is None:
        raise _certain(sample, "instances or clusters" if paired else f"{sample.unit}s")
    title, prior_title = _T_WORDS[name]
    n = sorted_units(scores).n if scores.shape == "paired" else sample.n
    found = Model(
        name=name,
        title=title,
        estimand=_estimand(sample),
        posterior=_located(sample, estimate, lambda *t: continuous(students_t(*t))),
        prior_title=prior_title,
        findings=() if name == "correlated-t" else _few_units(sample, n, _noun(sample)),
    )
    if prior is None:
        return found
    scale = _positive(prior, sample, _ONE_SCALE)
    return replace(
        found,
        posterior=_located(sample, estimate, lambda mean, error, freedom: informed(mean, error, freedom, scale)),
        prior=continuous(stats.cauchy(0.0, scale)),
        prior_title=f"a Cauchy prior about 0 with scale {scale:g}",
    )


def _located(sample: Sample, estimate: Estimate, made: Callable[[float, float, float], Distribution]) -> Distribution:
    """Turn an estimate into a posterior, computed for the system that comes first by name."""
    error, freedom = estimate.standard_error or 0.0, estimate.degrees_of_freedom
    if sample.system_a <= sample.system_b:
        return made(estimate.mean, error, freedom)
    return made(0.0 - estimate.mean, error, freedom).turned_round()


_MODELS: Mapping[ModelName, Callable[[Any, ModelName, Prior | None, int], Model]] = {
    "beta-binomial": _beta_binomial,
    "dirichlet": _dirichlet,
    "bayesian-bootstrap": _bayesian_bootstrap,
    "ordinal-levels": _ordinal_levels,
    "behrens-fisher": _behrens_fisher,
    **dict.fromkeys(T_MODELS, _t_model),
}

_ESTIMANDS: Mapping[str, str] = {
    "corpus": "difference of the metric over the whole corpus",
    "correlation": "difference of the correlations with the gold scores",
    "runs": "mean difference over runs and instances",
    "folds": "mean difference over the folds of a cross-validation",
}


def _estimand(sample: Sample) -> str:
    if sample.shape != "paired":
        return _ESTIMANDS.get(sample.shape, "difference of the means")
    effect = "share of wins minus share of losses" if sample.kind == "ordinal" else "mean difference"
    return effect if sample.weights is None else f"weighted {effect}"


def _noun(sample: Sample) -> str:
    clustered = sample.shape == "paired" and sample.clusters is not None
    return sample.cluster_noun if clustered else sample.unit


_ONE_CELL = "give a, for Dirichlet(a, a, 2 a) of (only A right, only B right, the rest), such as prior=0.5"
_ONE_SCALE = "give the scale of a Cauchy prior about 0, in the unit of the score, such as prior=0.02"


def _positive(prior: object, sample: Sample, remedy: str) -> float:
    """Return a prior that is one number."""
    number = float(prior) if isinstance(prior, (int, float)) and not isinstance(prior, bool) else 0.0
    if math.isfinite(number) and number > 0:
        return number
    raise SettingsError(
        f"prior={prior!r} is no prior of a difference, which is one positive number", where=sample.label, remedy=remedy
    )


def _certain(sample: Sample, units: str) -> DesignError:
    """Return the error of data without a spread."""
    return DesignError(
        f"all {units} show the same difference, or there is one only: the spread is not known, and a posterior\n"
        "would claim certainty",
        where=sample.label,
        remedy="give more, or more finely resolved, scores; right or wrong answers have a posterior in any case "
        "(kind='binary')",
    )


def pairing_lost(sample: Sample, where: str) -> tuple[Finding, ...]:
    """Warn of two samples that are taken as independent though they have instances in common."""
    if not (n := sample.n_common):
        return ()
    message = f"{n:,} instances are common to both systems, and the model takes the two samples as independent."
    return (Finding("pairing-lost", "warning", message, where=where),)


def _few_units(sample: Sample, n: int, noun: str) -> tuple[Finding, ...]:
    if n >= FEW_UNITS:
        return ()
    message = f"The posterior rests on {n} {noun}s: with fewer than {FEW_UNITS}, that of the Bayesian bootstrap is too "
    message += "narrow, and that of a t model depends on normal differences."
    remedy = "compare model='student-t' with model='bayesian-bootstrap'" if sample.shape == "paired" else ""
    return (Finding("few-units", "warning", message, where=sample.label, remedy=remedy),)
