"""Questions to an analysis beyond the p-value: posteriors, Bayes factors and margins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportkit.appearance import Appearance
from reportkit.errors import DesignError, SettingsError
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Results
from reportkit.settings.settings import seed_of
from reportkit.significance.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.random import Generator

    from reportkit.analysis.answers import BayesFactorsPerDataset, ClaimResult, Posteriors
    from reportkit.bayes.chains.chain_models import ChainModelName
    from reportkit.bayes.hierarchical_normal import HierarchicalPosterior

_OF_SAMPLER = ("draws", "tune", "chains", "target_accept")


class Questions(ReplicabilityAnalysis):
    """Methods of an analysis; each asks again of the scores that were compared.

    Parameters
    ----------
    results : Results or None
        The scores; None where only printed figures are known.
    appearance : Appearance
        How tables and figures of the answers are set.
    given : callable
        Turns a frame into one of the library that the scores came in.
    """

    results: Results | None
    appearance: Appearance
    given: Callable[[pd.DataFrame], pd.DataFrame]

    def _asked(
        self, options: dict[str, Any], *margins: float | None
    ) -> list[tuple[Comparison, list[Sample], list[Outcome]]]:
        """Take comparisons and datasets out of the options."""
        from reportkit.bayes.evidence.claims import compared

        which = {name: options.pop(name) for name in ("system_a", "system_b", "datasets") if name in options}
        return compared(self.results, self, **which, margins=margins)

    def _samples(self, options: dict[str, Any], *margins: float | None) -> list[Sample]:
        return [sample for _, samples, _ in self._asked(options, *margins) for sample in samples]

    def _one(self, options: dict[str, Any], *margins: float | None) -> tuple[Comparison, list[Sample], list[Outcome]]:
        found = self._asked(options, *margins)
        if len(found) > 1:
            raise SettingsError(
                f"this question is about one comparison, and there are {len(found)}",
                where=", ".join(f"{item.system_a} > {item.system_b}" for item, _, _ in found[:20]),
                remedy="name one of them with system_a and system_b",
            )
        return found[0]

    def posterior(
        self, system_a: str | None = None, system_b: str | None = None, *, rope: float | None = None, **options: Any
    ) -> Posteriors:
        """Ask how probable each difference is, dataset by dataset.

        Parameters
        ----------
        system_a, system_b : str, optional
            Comparisons of these only; all by default.
        rope : float, optional
            Half-width of the region of practical equivalence, in the unit of the score; there is no default.
        **options
            `datasets`, default all; `prior`, `model` and `credible_mass`, see `reportkit.bayes.posterior`.

        Raises
        ------
        SettingsError
            If only printed figures are known, or a number makes no sense.
        DesignError
            If no model is known for a design.
        """
        from reportkit.analysis.answers import Posteriors
        from reportkit.bayes.posterior import posterior

        options |= {"system_a": system_a, "system_b": system_b}
        samples = self._samples(options, rope)
        found = [posterior(item, rope=rope, seed=self.settings.rng, **options) for item in samples]
        return Posteriors(found, self, self.appearance)

    def sample_posterior(
        self,
        model: ChainModelName | None = None,
        *,
        rope: float | None = None,
        rng: int | Generator | None = None,
        **options: Any,
    ) -> Posteriors:
        """Ask how probable each difference is under a model that needs Markov chains (extra `reportkit[bayes]`).

        Parameters
        ----------
        model : {"metric", "count", "ordinal", "paired-logistic"}, optional
            By default the one for the kind of the scores; see docs/methods.md.
        rope : float, optional
            As for `posterior`.
        rng : int or numpy.random.Generator, optional
            By default that of the analysis.
        **options
            `system_a`, `system_b` and `datasets` as for `posterior`; `scale` (which the metric model needs),
            `effect_scale` and `credible_mass`, see `reportkit.bayes.chains.sample_posterior`; `draws`, `tune`, `chains`
            and `target_accept`, see `reportkit.bayes.chains.ChainSettings`.

        Returns
        -------
        Posteriors
            Numbers are withheld where the chains failed a diagnostic: missing in the frame, and said in words.
            `save_traces(folder)` writes all draws.

        Raises
        ------
        SettingsError
            If a number makes no sense, or the extra is not installed.
        DesignError
            If the model does not fit a dataset, or the data cannot tell anything of the difference.
        """
        from reportkit.analysis.answers import Posteriors
        from reportkit.bayes.chains import ChainSettings, sample_posterior

        samples = self._samples(options, rope)
        of_sampler = {name: options.pop(name) for name in _OF_SAMPLER if name in options}
        settings = ChainSettings(**of_sampler, seed=self.settings.rng if rng is None else seed_of(rng))
        found = [sample_posterior(item, model, rope=rope, settings=settings, **options) for item in samples]
        return Posteriors(found, self, self.appearance)

    def bayes_factor(
        self,
        system_a: str | None = None,
        system_b: str | None = None,
        *,
        better_by: float | None = None,
        equivalent_within: float | None = None,
        **options: Any,
    ) -> BayesFactorsPerDataset:
        """Ask how much the data change the odds of a hypothesis against its negation, under several priors.

        Parameters
        ----------
        system_a, system_b : str, optional
            Comparisons of these only; all by default.
        better_by : float, optional
            The hypothesis that A is better by more than this; 0, "better at all", if nothing is given.
        equivalent_within : float, optional
            The hypothesis that the two differ by at most this; instead of `better_by`.
        **options
            `datasets` as for `posterior`; `prior` and `others`, see
            `reportkit.bayes.bayes_factors`; differences of means need the scale of a Cauchy prior.
        """
        from reportkit.analysis.answers import BayesFactorsPerDataset
        from reportkit.bayes.bayes_factor import bayes_factors
        from reportkit.bayes.evidence.claims import hypothesis_of

        options |= {"system_a": system_a, "system_b": system_b}
        samples = self._samples(options, better_by, equivalent_within)
        hypothesis = hypothesis_of(better_by, equivalent_within)
        found = [bayes_factors(item, hypothesis, **options) for item in samples]
        return BayesFactorsPerDataset(found, self, self.appearance)

    def assess(
        self, *, better_by: float | None = None, equivalent_within: float | None = None, **options: Any
    ) -> ClaimResult:
        """Ask all four questions of one claim: p-value, interval, posterior, Bayes factor.

        "At least 1 point better on tweets" is `a.assess(better_by=0.01, datasets=["tweets"])`.

        Parameters
        ----------
        better_by : float, optional
            The claim that A is better by more than this, in the unit of the score (of right-or-wrong scores in
            proportions: 0.01 is one percentage point; of ratings, 0.1 is 10% more wins than losses); 0 by default.
        equivalent_within : float, optional
            The claim that the two differ by at most this; instead of `better_by`.
        **options
            `rope`, `prior`, `system_a`, `system_b` and `datasets` as for `posterior`; `alpha`, level of k-hat and of
            the datasets that are named, by default the largest of the analysis.

        Notes
        -----
        The family is this claim on these datasets, and the claim has to be chosen before looking at the results; where
        the analysis tests both directions, so does this, each at half the level. Claims of several pairs or metrics
        that belong together are corrected together in the report: see `rope` of `Settings`.

        Returns
        -------
        ClaimResult
            k-hat of the claim, a frame with the four answers side by side, and what each says and does not say.
        """
        from reportkit.analysis.answers import ClaimResult
        from reportkit.bayes.evidence.assessed import assess_claim
        from reportkit.bayes.evidence.claims import hypothesis_of

        _, samples, assessments = self._one(options, better_by, equivalent_within, options.get("rope"))
        hypothesis = hypothesis_of(better_by, equivalent_within)
        options = {"alpha": self.alpha[0], "sides": self.sides, "seed": self.settings.rng, **options}
        return ClaimResult(assess_claim(samples, assessments, hypothesis, **options), self, self.appearance)

    def hierarchical(self, *, tau_scale: float, **options: Any) -> HierarchicalPosterior:
        """Ask how probable it is that A is better on average over datasets of this kind, and on a new one.

        Parameters
        ----------
        tau_scale : float
            Scale of the half-normal prior of the standard deviation of true differences between datasets, in the unit
            of the score; there is no default, since with few datasets it decides much of the answer.
        **options
            `system_a`, `system_b` and `datasets` as for `posterior`.

        Returns
        -------
        HierarchicalPosterior
            P(mean difference > 0), P(difference on a new dataset > 0), and what they say in words.

        Raises
        ------
        DesignError
            If there are fewer than two datasets, or a dataset tells nothing of its standard error.

        See Also
        --------
        reportkit.bayes.hierarchical_normal : model and assumptions.
        """
        from reportkit.bayes.hierarchical_normal import hierarchical_normal

        comparison, _, assessments = self._one(options)
        if unknown := [item.dataset for item in assessments if not item.standard_error]:
            raise DesignError(
                "the standard error of a difference is not known",
                where=f"{comparison.system_a} vs. {comparison.system_b} on {', '.join(unknown)}",
                remedy="leave these datasets out",
            )
        differences, errors, names = zip(
            *((item.difference, item.standard_error or 0.0, item.dataset) for item in assessments), strict=True
        )
        return hierarchical_normal(differences, errors, tau_scale=tau_scale, names=names, **options)
