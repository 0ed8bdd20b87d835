"""Bayes factors of interval and directional hypotheses by Markov chains, always under several priors."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.bayes.bayes_factor import FEWEST_PRIORS, BayesFactors, Hypothesis
from reportkit.chains.chain_model import ChainModelName
from reportkit.chains.sampled_posterior import sample_posterior
from reportkit.chains.sampling import ChainSettings
from reportkit.errors import SettingsError
from reportkit.scores.shapes.sample import Sample

EFFECT_SCALES: tuple[float, ...] = (1.0, 0.5, 2.0)
"""How wide the prior of the effect is, in units of the model: as declared, half and twice as wide."""


def sampled_bayes_factors(
    sample: Sample,
    hypothesis: Hypothesis,
    model: ChainModelName | None = None,
    *,
    scale: float | None = None,
    effect_scales: Sequence[float] = EFFECT_SCALES,
    levels: tuple[int, int] | None = None,
    settings: ChainSettings | None = None,
) -> BayesFactors:
    """Bayes factor of a hypothesis under several widths of the prior of the effect, each with chains of its own.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    hypothesis : Hypothesis
        `equivalent_within(rope)` or `better_by_more_than(margin)`.
    model, scale, levels, settings
        As for `sample_posterior`.
    effect_scales : sequence of float
        At least three different ones.

    Returns
    -------
    BayesFactors
        The first under the first width; with Monte Carlo standard errors by effective sample sizes, and a bound where
        fewer than 100 effective draws lie on one side.

    Raises
    ------
    SettingsError
        If there are fewer than three different widths.
    WithheldError
        If the chains under one of them failed.
    """
    widths = list(dict.fromkeys(float(value) for value in effect_scales))
    if len(widths) < FEWEST_PRIORS:
        raise SettingsError(
            f"{len(widths)} different priors: a Bayes factor is shown under at least {FEWEST_PRIORS}",
            where=sample.label,
            remedy="leave `effect_scales` out (1, 0.5 and 2 are taken), or name more of them",
        )
    factors = tuple(
        sample_posterior(sample, model, scale=scale, effect_scale=width, levels=levels, settings=settings).factor(
            hypothesis
        )
        for width in widths
    )
    return BayesFactors.of(sample, factors)
