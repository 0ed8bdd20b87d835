"""Each model with its data: what the difference is, how it is distributed, and what is taken for granted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from reportkit.bayes.distribution import Distribution, Draws, Mirrored, StudentT, turned_round
from reportkit.bayes.laws import Beta, Difference, DirichletDifference, DirichletMean, cauchy_prior, informed
from reportkit.errors import DesignError, SettingsError
from reportkit.finding import Finding
from reportkit.scores.sample import Sample
from reportkit.significance.estimates import ESTIMATES
from reportkit.significance.tests.corrected_resampled_t import estimate_over_folds
from reportkit.significance.units import as_wins, estimate_mean, sorted_units

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
"""Models of which the data are told by a t distribution, and which take the scale of a Cauchy prior."""

NO_DIFFERENCE = 1e-12
N_DRAWS = 100_000
FEW_UNITS = 20
"""With fewer, the Bayesian bootstrap is too narrow, and the t posterior stands on the normal distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model with its data: what the difference is, and how it is distributed before and after.

    Parameters
    ----------
    name : str
        Short name.
    title : str
        Name in prose.
    estimand : str
        What the difference is a difference of.
    unit : {"proportion", "score"}
        Unit of the difference: proportions lie between -1 and 1; else the unit of the scores as given.
    posterior : Distribution
        Of A minus B.
    prior : Distribution or None
        None if the prior is improper, so that no Bayes factor exists.
    prior_title : str
        The prior in prose.
    parameters : mapping of str to float
        Data and prior by name.
    assumptions : tuple of str
        What is taken for granted.
    citation : str
        BibTeX key.
    findings : tuple of Finding
        What to be careful about.
    """

    name: ModelName
    title: str
    estimand: str
    unit: Literal["proportion", "score"]
    posterior: Distribution
    prior: Distribution | None
    prior_title: str
    parameters: Mapping[str, float]
    assumptions: tuple[str, ...]
    citation: str
    findings: tuple[Finding, ...] = field(default=())


def beta_binomial_model(sample: Sample, prior: Prior | None) -> Model:
    """Take two numbers of right answers as binomial, their shares as independent beta variables."""
    a, b = prior if isinstance(prior, tuple) and len(prior) == 2 else (prior, prior)
    beta = Beta(1.0, 1.0) if prior is None else Beta(_number(a, sample), _number(b, sample))
    right = sample.right
    of_a, of_b = beta.updated(right.a, right.n_a), beta.updated(right.b, right.n_b)
    swapped = sample.system_b < sample.system_a
    return Model(
        name="beta-binomial",
        title="beta-binomial model",
        estimand="difference of the proportions of right answers",
        unit="proportion",
        posterior=turned_round(Difference(of_b, of_a)) if swapped else Difference(of_a, of_b),
        prior=Difference(beta, beta),
        prior_title=f"independent Beta({beta.a:g}, {beta.b:g}) priors",
        parameters={
            "right_a": right.a,
            "n_a": right.n_a,
            "right_b": right.b,
            "n_b": right.n_b,
            "prior_a": beta.a,
            "prior_b": beta.b,
        },
        assumptions=("instances are independent", "the two samples are independent"),
        citation="sadatazer2020claims",
        findings=pairing_lost(sample, sample.label),
    )


def dirichlet_model(sample: Sample, prior: Prior | None) -> Model:
    """Take wins, losses and ties on the same instances as multinomial, their shares as a Dirichlet variable."""
    if isinstance(prior, tuple):
        raise SettingsError(
            f"prior={prior!r}: the prior of paired answers is one number",
            where=sample.label,
            remedy="give a, for Dirichlet(a, a, 2 a) of (only A right, only B right, the rest), such as prior=0.5",
        )
    cell = 1.0 if prior is None else _number(prior, sample)
    if not (np.isfinite(cell) and cell > 0):
        raise SettingsError(
            f"{cell!r} is no prior of a cell",
            remedy="give one positive number: how many instances a cell counts as, before the data",
        )
    ordinal = sample.kind == "ordinal"
    wins, losses = (as_wins(sample) if ordinal else sample).wins_and_losses
    swapped = sample.system_b < sample.system_a
    first, second = (losses, wins) if swapped else (wins, losses)
    posterior = DirichletDifference(cell + first, cell + second, 2.0 * cell + sample.n - wins - losses)
    return Model(
        name="dirichlet",
        title="Dirichlet-multinomial model of wins, losses and ties",
        estimand="share of wins minus share of losses" if ordinal else "difference of the proportions of right answers",
        unit="proportion",
        posterior=turned_round(posterior) if swapped else posterior,
        prior=DirichletDifference(cell, cell, 2.0 * cell),
        prior_title=f"a Dirichlet({cell:g}, {cell:g}, {2 * cell:g}) prior",
        parameters={"n_only_a": wins, "n_only_b": losses, "n": sample.n, "prior": cell},
        assumptions=("instances are independent",),
        citation="gelman2013bayesian",
    )


def ordinal_levels_model(sample: Sample, seed: int) -> Model:
    """Draw P(a > b) - P(a < b), the shares of the levels seen being Dirichlet distributed with their counts."""
    first, second, swapped = sample.in_order()
    (levels_a, counts_a), (levels_b, counts_b) = (np.unique(scores, return_counts=True) for scores in (first, second))
    rng = np.random.default_rng(seed)
    shares_a, shares_b = rng.dirichlet(counts_a, N_DRAWS), rng.dirichlet(counts_b, N_DRAWS)
    order = np.sign(levels_a[:, None] - levels_b)
    draws = Draws(np.sort(((shares_a @ order) * shares_b).sum(axis=1)), N_DRAWS)
    return Model(
        name="ordinal-levels",
        title="Bayesian bootstrap of the probability of a higher rating",
        estimand="P(A rated higher) minus P(B rated higher)",
        unit="proportion",
        posterior=turned_round(draws) if swapped else draws,
        prior=None,
        prior_title="an improper prior (weights Dirichlet(1, ..., 1) on the ratings that were seen)",
        parameters={"n_a": sample.n_a, "n_b": sample.n_b, "n_draws": N_DRAWS, "seed": seed},
        assumptions=("instances are independent", "the two samples are independent"),
        citation="rubin1981bayesian",
        findings=(*_few_units(sample, sample.n, sample.unit), *pairing_lost(sample, sample.label)),
    )


_ESTIMANDS: Mapping[str, str] = {
    "corpus": "difference of the metric over the whole corpus",
    "correlation": "difference of the correlations with the gold scores",
    "runs": "mean difference over runs and instances",
}


def asymptotic_t_model(sample: Sample) -> Model:
    """Read the t distribution of the interval the other way round: flat prior, many units."""
    estimate = ESTIMATES[sample.shape](sample)
    error, freedom = estimate.standard_error, estimate.degrees_of_freedom
    posterior = _located(sample, estimate.mean, error, freedom, f"{sample.unit}s")
    return Model(
        name="asymptotic-t",
        title="t approximation of the posterior",
        estimand=_ESTIMANDS.get(sample.shape, "difference of the means"),
        unit="proportion" if sample.in_percent else "score",
        posterior=posterior,
        prior=None,
        prior_title="a flat prior",
        parameters={
            "estimate": estimate.mean,
            "standard_error": error or 0.0,
            "degrees_of_freedom": freedom,
        },
        assumptions=(
            f"{sample.unit}s are independent",
            "there are enough for the estimate to be approximately normal and for the prior not to matter",
        ),
        citation="gelman2013bayesian",
        findings=_few_units(sample, sample.n, sample.unit),
    )


def informed_model(model: Model, prior: Prior, sample: Sample) -> Model:
    """Put the same data under a Cauchy prior of the difference, about 0."""
    if isinstance(prior, tuple):
        raise SettingsError(
            f"prior={prior!r}: the prior of a difference of means is one number",
            where=sample.label,
            remedy="give the scale of a Cauchy prior about 0, in the unit of the score, such as prior=0.02",
        )
    before = cauchy_prior(_number(prior, sample))
    data = model.posterior
    inner = data.of if isinstance(data, Mirrored) else data
    assert isinstance(inner, StudentT), model.name  # noqa: S101 (of all T_MODELS)
    after = informed(inner, before.scale)
    return replace(
        model,
        posterior=turned_round(after) if isinstance(data, Mirrored) else after,
        prior=before,
        prior_title=f"a Cauchy prior about 0 with scale {before.scale:g}",
        parameters={**model.parameters, "prior_scale": before.scale},
    )


def _number(prior: object, sample: Sample) -> float:
    if isinstance(prior, (int, float)) and not isinstance(prior, bool):
        return float(prior)
    raise SettingsError(
        f"prior={prior!r} is no prior of a difference",
        where=sample.label,
        remedy="give the scale of a Cauchy prior about 0, in the unit of the score, such as prior=0.02",
    )


def correlated_t_model(sample: Sample) -> Model:
    """Take differences of folds as normal with the correlation 1 / k; the scale is that of the corrected t test.

    Corani and Benavoli (2015), section 3; the same as `baycomp.CorrelatedTTest`.
    """
    estimate = estimate_over_folds(sample)
    return Model(
        name="correlated-t",
        title="Bayesian correlated t model",
        estimand="mean difference over the folds of a cross-validation",
        unit="score",
        posterior=_located(sample, estimate.mean, estimate.standard_error, estimate.degrees_of_freedom, "folds"),
        prior=None,
        prior_title="the Jeffreys prior",
        parameters={"n_folds": sample.n_folds, "n_repetitions": sample.n_repetitions, "rho": 1 / sample.n_folds},
        assumptions=(
            "differences of folds are normal",
            f"any two folds correlate by {1 / sample.n_folds:g} (1 / number of folds), which is not estimated",
        ),
        citation="corani2015bayesian",
    )


def two_means_model(sample: Sample) -> Model:
    """Take the scores of two samples as normal, each with a variance of its own."""
    scores = sample.unpaired()
    return Model(
        name="behrens-fisher",
        title="model of two normal samples (Behrens-Fisher)",
        estimand="difference of the means",
        unit="proportion" if sample.kind == "binary" else "score",
        posterior=_behrens_fisher(scores, f"scores of a system ({sample.unit}s)"),
        prior=None,
        prior_title="independent Jeffreys priors",
        parameters={"n_a": scores.n_a, "n_b": scores.n_b},
        assumptions=(f"{sample.unit}s are independent", f"scores of {sample.unit}s are normal, or many"),
        citation="gelman2013bayesian",
        findings=pairing_lost(sample, sample.label),
    )


def paired_mean_model(sample: Sample, name: ModelName) -> Model:
    """Take differences on the same instances as normal, or weigh them by the Bayesian bootstrap."""
    scores = as_wins(sample) if sample.kind == "ordinal" else sample
    n = sorted_units(scores).n
    noun = sample.cluster_noun if scores.clusters is not None else sample.unit
    student = name == "student-t"
    posterior = _t_of_mean(sample, scores) if student else _bayesian_bootstrap(scores)
    effect = "share of wins minus share of losses" if sample.kind == "ordinal" else "mean difference"
    return Model(
        name=name,
        title="Student t model" if student else "Bayesian bootstrap",
        estimand=f"weighted {effect}" if sample.weighted else effect,
        unit="proportion" if sample.kind in ("binary", "ordinal") else "score",
        posterior=posterior,
        prior=None,
        prior_title="the Jeffreys prior"
        if student
        else "an improper prior (weights Dirichlet(1, ..., 1) on the differences that were seen)",
        parameters={"n_units": n},
        assumptions=(f"{noun}s are independent", *(("differences are normal, or many",) if student else ())),
        citation="gelman2013bayesian" if student else "rubin1981bayesian",
        findings=_few_units(sample, n, noun),
    )


def _t_of_mean(sample: Sample, scores: Sample) -> Distribution:
    """Return the posterior of a normal mean under the Jeffreys prior, with clusters by their robust standard error."""
    estimate = estimate_mean(scores)
    error, freedom = estimate.standard_error, estimate.degrees_of_freedom
    return _located(sample, estimate.mean, error, freedom, "instances or clusters")


_CERTAIN = (
    "give more, or more finely resolved, scores; right or wrong answers have a posterior in any case (kind='binary')"
)


def _bayesian_bootstrap(paired: Sample) -> Distribution:
    """Weigh the independent units (instances or clusters) by Dirichlet(1, ..., 1): no shape of them is assumed.

    With n units the posterior is narrower than the t interval by about sqrt((n - 1) / (n + 1)). Rubin (1981), "The
    Bayesian bootstrap".
    """
    units = sorted_units(paired)
    residuals = units.sums - units.sizes * units.mean
    if units.n < 2 or float(np.abs(residuals).max()) <= NO_DIFFERENCE * float(np.abs(units.sums).max()):
        raise DesignError(
            "all instances (or clusters) show the same difference, or there is one only: the Bayesian bootstrap would "
            "claim\ncertainty",
            where=paired.label,
            remedy=_CERTAIN,
        )
    groups, counts = np.unique(np.column_stack([units.sums, units.sizes]), axis=0, return_counts=True)
    sums, sizes = np.ascontiguousarray(groups.T)
    mean = DirichletMean(sums=sums, sizes=sizes, counts=counts.astype(np.float64))
    return turned_round(mean) if units.swapped else mean


def _located(sample: Sample, mean: float, error: float | None, freedom: float, units: str) -> Distribution:
    """Turn an estimate with its standard error into a posterior, in favour of the system that comes first by name."""
    if error is None:
        raise DesignError(
            f"all {units} show the same difference, or there is one only: the spread is not known, and a posterior\n"
            "would claim certainty",
            where=sample.label,
            remedy=_CERTAIN,
        )
    if sample.system_a <= sample.system_b:
        return StudentT(mean, error, freedom)
    return turned_round(StudentT(0.0 - mean, error, freedom))


def _behrens_fisher(sample: Sample, units: str) -> Distribution:
    first, second, swapped = sample.in_order()
    means = []
    for scores in (first, second):
        scale, n = float(np.abs(scores).max()), scores.size
        varies = n > 1 and float(np.ptp(scores)) > NO_DIFFERENCE * scale
        if not varies:
            _located(sample, 0.0, None, 0.0, units)
        means.append(StudentT(float(scores.mean()), scale * float(np.std(scores / scale, ddof=1)) / n**0.5, n - 1))
    difference = Difference(means[0], means[1])
    return turned_round(difference) if swapped else difference


def pairing_lost(sample: Sample, where: str) -> tuple[Finding, ...]:
    """Say so if two samples are taken as independent that have instances in common."""
    if not sample.n_common:
        return ()
    return (
        Finding(
            "pairing-lost",
            "warning",
            f"{sample.n_common:,} instances are common to both systems, and the model takes the two samples as "
            "independent.",
            where=where,
        ),
    )


def _few_units(sample: Sample, n: int, noun: str) -> tuple[Finding, ...]:
    if n >= FEW_UNITS:
        return ()
    return (
        Finding(
            "few-units",
            "warning",
            f"The posterior rests on {n} {noun}s: with fewer than {FEW_UNITS}, that of the Bayesian bootstrap is too "
            "narrow, and that of a t model depends on normal differences.",
            where=sample.label,
            remedy="compare model='student-t' with model='bayesian-bootstrap'" if sample.shape == "paired" else "",
        ),
    )
