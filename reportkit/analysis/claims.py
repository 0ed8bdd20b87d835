"""What may be asked of an analysis beyond the p-value: posteriors, Bayes factors and margins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.errors import DesignError
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.results import Results
from reportkit.settings.settings import seed_of

if TYPE_CHECKING:
    from numpy.random import Generator

    from reportkit.analysis.posteriors import BayesFactorsPerDataset, ClaimResult, Posteriors, SampledPosteriors
    from reportkit.appearance import Appearance
    from reportkit.bayes.chains.chain_models import ChainModelName
    from reportkit.bayes.hierarchical_normal import HierarchicalPosterior
    from reportkit.bayes.models import ModelName, Prior


_OF_SAMPLER = ("draws", "tune", "chains", "target_accept")


class Questions(ReplicabilityAnalysis):
    """Methods of an analysis; each asks again of the scores that were compared.

    Parameters
    ----------
    results : Results or None
        The scores; None where only printed figures are known.
    appearance : Appearance
        How tables and figures of the answers are set.
    """

    results: Results | None
    appearance: Appearance

    def posterior(
        self,
        *,
        rope: float | None = None,
        prior: Prior | None = None,
        credible_mass: float = 0.95,
        model: ModelName | None = None,
        system_a: str | None = None,
        system_b: str | None = None,
        datasets: Sequence[str] | None = None,
    ) -> Posteriors:
        """Ask how probable each difference is, dataset by dataset.

        Parameters
        ----------
        rope : float, optional
            Half-width of the region of practical equivalence, in the unit of the score; there is no default.
        prior, model
            See `reportkit.bayes.posterior`.
        credible_mass : float
            Probability of the credible intervals.
        system_a, system_b : str, optional
            Which of several comparisons.
        datasets : sequence of str, optional
            Which datasets; all by default.

        Raises
        ------
        SettingsError
            If only printed figures are known, or a number makes no sense.
        DesignError
            If no model is known for a design.
        """
        from reportkit.analysis.posteriors import Posteriors
        from reportkit.bayes.evidence.asked import compared
        from reportkit.bayes.posterior import posterior

        _, samples, _ = compared(self.results, self, system_a, system_b, datasets, margins=[rope])
        seed = self.settings.rng
        found = [
            posterior(item, rope=rope, prior=prior, seed=seed, credible_mass=credible_mass, model=model)
            for item in samples
        ]
        return Posteriors(tuple(found), self, self.appearance)

    def bayes_factor(
        self,
        *,
        better_by: float | None = None,
        equivalent_within: float | None = None,
        prior: Prior | None = None,
        others: Sequence[Prior] | None = None,
        system_a: str | None = None,
        system_b: str | None = None,
        datasets: Sequence[str] | None = None,
    ) -> BayesFactorsPerDataset:
        """Ask how much the data change the odds of a hypothesis against its negation, under several priors.

        Parameters
        ----------
        better_by : float, optional
            The hypothesis that A is better by more than this; 0, "better at all", if nothing is given.
        equivalent_within : float, optional
            The hypothesis that the two differ by at most this; instead of `better_by`.
        prior, others
            See `reportkit.bayes.bayes_factors`; differences of means need the scale of a Cauchy prior.
        system_a, system_b, datasets
            As for `posterior`.
        """
        from reportkit.analysis.posteriors import BayesFactorsPerDataset
        from reportkit.bayes.bayes_factor import bayes_factors
        from reportkit.bayes.evidence.asked import compared, hypothesis_of

        margins = [better_by, equivalent_within]
        _, samples, _ = compared(self.results, self, system_a, system_b, datasets, margins=margins)
        hypothesis = hypothesis_of(better_by, equivalent_within)
        found = [bayes_factors(item, hypothesis, prior=prior, others=others) for item in samples]
        return BayesFactorsPerDataset(tuple(found), self, self.appearance)

    def sample_posterior(
        self,
        model: ChainModelName | None = None,
        *,
        rng: int | Generator | None = None,
        save_traces: str | Path | None = None,
        system_a: str | None = None,
        system_b: str | None = None,
        datasets: Sequence[str] | None = None,
        **options: Any,
    ) -> SampledPosteriors:
        """Ask how probable each difference is under a model that needs Markov chains (extra `reportkit[bayes]`).

        Parameters
        ----------
        model : {"metric", "count", "ordinal", "paired-logistic"}, optional
            By default the one for the kind of the scores; see docs/methods.md.
        rng : int or numpy.random.Generator, optional
            By default that of the analysis.
        save_traces : str or Path, optional
            Folder (or, for one dataset, file ending in `.nc`) to which all draws are written; see
            `reportkit.bayes.chains.read_traces`.
        system_a, system_b, datasets
            As for `posterior`.
        **options
            `rope`, `scale` (which the metric model needs), `effect_scale` and `credible_mass`, see
            `reportkit.bayes.chains.sample_posterior`; `draws`, `tune`, `chains` and `target_accept`, see
            `reportkit.bayes.chains.ChainSettings`.

        Returns
        -------
        SampledPosteriors
            Numbers are withheld where the chains failed a diagnostic: missing in the frame, and said in words.

        Raises
        ------
        SettingsError
            If a number makes no sense, or the extra is not installed.
        DesignError
            If the model does not fit a dataset, or the data cannot tell anything of the difference.
        """
        from reportkit.analysis.posteriors import SampledPosteriors, refuse_one_file_for_several
        from reportkit.bayes.chains import ChainSettings, sample_posterior
        from reportkit.bayes.evidence.asked import compared

        margins = [options.get("rope")]
        _, samples, _ = compared(self.results, self, system_a, system_b, datasets, margins=margins)
        of_sampler = {name: options.pop(name) for name in _OF_SAMPLER if name in options}
        settings = ChainSettings(**of_sampler, seed=self.settings.rng if rng is None else seed_of(rng))
        if save_traces is not None:
            refuse_one_file_for_several(save_traces, samples)
        sampled = tuple(sample_posterior(item, model, settings=settings, **options) for item in samples)
        found = SampledPosteriors(sampled, self, self.appearance)
        if save_traces is not None:
            found.save_traces(save_traces)
        return found

    def assess(
        self,
        *,
        better_by: float | None = None,
        equivalent_within: float | None = None,
        rope: float | None = None,
        prior: Prior | None = None,
        alpha: float | None = None,
        system_a: str | None = None,
        system_b: str | None = None,
        datasets: Sequence[str] | None = None,
    ) -> ClaimResult:
        """Ask all four questions of one claim: p-value, interval, posterior, Bayes factor.

        "At least 1 point better on tweets" is `a.assess(better_by=0.01, datasets=["tweets"])`.

        Parameters
        ----------
        better_by : float, optional
            The claim that A is better by more than this, in the unit of the score (of right-or-wrong scores in
            proportions: 0.01 is one percentage point); 0 by default.
        equivalent_within : float, optional
            The claim that the two differ by at most this; instead of `better_by`.
        rope, prior, system_a, system_b, datasets
            As for `posterior`.
        alpha : float, optional
            Level of k-hat and of the datasets that are named; the largest of the analysis by default.

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
        from reportkit.analysis.posteriors import ClaimResult
        from reportkit.bayes.evidence.asked import compared, hypothesis_of
        from reportkit.bayes.evidence.assessed import assess_claim

        _, samples, assessments = compared(
            self.results, self, system_a, system_b, datasets, margins=[better_by, equivalent_within, rope]
        )
        claim = assess_claim(
            samples,
            assessments,
            hypothesis_of(better_by, equivalent_within),
            alpha=self.alpha[0] if alpha is None else alpha,
            sides=2 if self.design in ("both", "all-pairs") else 1,
            rope=rope,
            prior=prior,
            seed=self.settings.rng,
        )
        return ClaimResult(claim, self, self.appearance)

    def hierarchical(
        self, *, tau_scale: float, system_a: str | None = None, system_b: str | None = None
    ) -> HierarchicalPosterior:
        """Ask how probable it is that A is better on average over datasets of this kind, and on a new one.

        Parameters
        ----------
        tau_scale : float
            Scale of the half-normal prior of the standard deviation of true differences between datasets, in the unit
            of the score; there is no default, since with few datasets it decides much of the answer.
        system_a, system_b : str, optional
            Which of several comparisons.

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
        from reportkit.bayes.evidence.asked import compared
        from reportkit.bayes.hierarchical_normal import hierarchical_normal

        comparison, _, assessments = compared(self.results, self, system_a, system_b)
        unknown = [item.dataset for item in assessments if not item.standard_error]
        if unknown:
            raise DesignError(
                "the standard error of a difference is not known",
                where=f"{comparison.system_a} v {comparison.system_b} on {', '.join(unknown)}",
                remedy="leave these datasets out",
            )
        return hierarchical_normal(
            [item.difference for item in assessments],
            [item.standard_error or 0.0 for item in assessments],
            tau_scale=tau_scale,
            names=[item.dataset for item in assessments],
        )

    def intervals(
        self,
        *,
        confidence_level: float | None = None,
        simultaneous: bool = False,
        system_a: str | None = None,
        system_b: str | None = None,
        datasets: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Confidence intervals of the difference on each dataset, each by the method that belongs to its test.

        An interval at level L excludes 0 exactly where a one-sided p-value of its test, not adjusted, is at most
        (1 - L) / 2. With `simultaneous`, that is where Bonferroni's correction for testing both directions on all
        datasets rejects; Holm's procedure may reject on further datasets.

        Parameters
        ----------
        confidence_level : float, optional
            In (0, 1); by default 1 minus the largest level of the analysis.
        simultaneous : bool
            Whether all intervals are to hold at once with this confidence, whatever the dependence between the datasets
            (Bonferroni over all datasets of the comparison); else each holds by itself.
        system_a, system_b, datasets
            As for `posterior`.

        Returns
        -------
        DataFrame
            One row per dataset. Columns: dataset, difference (positive: A is better), low, high (missing where the data
            hold no information on the variance, where they are too few to bound the difference at this level, and
            next to tests that are not about the mean), level (of the single interval), method.

        Raises
        ------
        SettingsError
            If only printed figures are known, or the level makes no sense.
        """
        from reportkit.analysis.posteriors import intervals_frame
        from reportkit.bayes.evidence.asked import compared
        from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
        from reportkit.significance.interval import simultaneous_level

        comparison, samples, assessments = compared(self.results, self, system_a, system_b, datasets)
        wanted = 1 - self.alpha[0] if confidence_level is None else confidence_level
        each = simultaneous_level(wanted, comparison.n_datasets if simultaneous else 1)
        seed = self.settings.rng
        return intervals_frame(
            (sample, SIGNIFICANCE_TESTS[item.test].interval_beside(sample, item, each, seed))
            for sample, item in zip(samples, assessments, strict=True)
        )
