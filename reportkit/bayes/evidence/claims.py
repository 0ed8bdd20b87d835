"""The claims of an analysis that four answers are asked for, as its settings say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.bayes_factor import Hypothesis, better_by_more_than, equivalent_within
from reportkit.bayes.evidence.assessed import AssessedClaim, assess_claim, p_values_of
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted, short_repr
from reportkit.replicability.comparison import Comparison, samples_of
from reportkit.replicability.coverage import ON_REQUEST
from reportkit.replicability.multiple_testing.partial_conjunction import holm
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Results
from reportkit.significance.assess import interval_for
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.outcome import Outcome

MOST_COMPARISONS = 6
"""With more comparisons, a table of four answers to each is too long to read."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evidence:
    """The answers that were asked for beyond the p-value.

    Parameters
    ----------
    claims : tuple of AssessedClaim
        "Better" for each comparison; with a region of practical equivalence r also "better by more than r" and "within
        r". Empty if nothing was asked for.
    samples : tuple of tuple of Sample
        For each comparison, one per dataset: the scores that the answers rest on.
    findings : tuple of Finding
        What to be careful about.
    """

    claims: tuple[AssessedClaim, ...] = ()
    samples: tuple[tuple[Sample, ...], ...] = ()
    findings: tuple[Finding, ...] = ()

    __repr__ = short_repr


def evidence_for(results: Results, analysis: ReplicabilityAnalysis) -> Evidence:
    """Ask all four questions of the claims of an analysis.

    Parameters
    ----------
    results : Results
        The scores that were compared.
    analysis : ReplicabilityAnalysis
        By its primary metric; of two systems compared in both directions, the first.

    Returns
    -------
    Evidence
        Empty but for a finding where there are too many comparisons.
    """
    settings = analysis.settings
    primary = [item for item in analysis.comparisons if item.metric == analysis.metrics[0]]
    chosen = primary[:1] if analysis.design == "both" else primary
    if len(chosen) > MOST_COMPARISONS:
        message = (
            f"Posteriors and Bayes factors are given for at most {MOST_COMPARISONS} comparisons, and there are "
            f"{len(chosen)}."
        )
        remedy = "name one system and a baseline, or ask for one pair: a.assess(system_a=..., system_b=...)"
        return Evidence(findings=(Finding("too-many-for-four-answers", "info", message, remedy=remedy),))
    asked = [with_assessments(results, comparison, analysis) for comparison in chosen]
    for samples, _ in asked:
        refuse_margins_in_points(samples, [settings.rope])
    by_hypothesis = []
    for hypothesis in _hypotheses(settings.rope):
        found = [
            assess_claim(
                samples,
                assessments,
                hypothesis,
                alpha=analysis.alpha[0],
                rope=settings.rope,
                prior=settings.prior,
                seed=settings.rng,
            )
            for samples, assessments in asked
        ]
        by_hypothesis.append(in_family(found, chosen, analysis))
    claims = [claim for together in zip(*by_hypothesis, strict=True) for claim in together]
    return Evidence(
        claims=tuple(claims),
        samples=tuple(tuple(samples) for samples, _ in asked),
        findings=findings_of(claims),
    )


def refuse_margins_in_points(samples: Sequence[Sample], margins: Sequence[float | None]) -> None:
    """Refuse differences that scores between 0 and 1 cannot have: probably percentage points.

    Raises
    ------
    SettingsError
        With the margin in proportions.
    """
    for margin in margins:
        if margin is not None and margin >= 1 and any(sample.in_percent for sample in samples):
            where = next(sample.dataset for sample in samples if sample.in_percent)
            points = "1 percentage point" if margin == 1 else f"{margin:g} percentage points"
            raise SettingsError(
                f"a margin of {margin:g} is as large as any difference of scores that are right or wrong",
                where=where,
                remedy=f"give proportions: {margin / 100:g} for {points}",
            )


def in_family(
    claims: Sequence[AssessedClaim], comparisons: Sequence[Comparison], family: ReplicabilityAnalysis
) -> list[AssessedClaim]:
    """Adjust one claim about several pairs of systems for all of them, as the analysis is adjusted.

    Without a margin the claim is that of the analysis, and its adjusted p-values are taken over: no report counts
    the same claim in two ways. With a margin, Holm's procedure goes over all pairs and datasets; a dataset without a
    p-value counts as one that is not shown. The result is doubled where both directions are tested each at half the
    level, and taken times the number of metrics where these share the level.

    Parameters
    ----------
    claims : sequence of AssessedClaim
        The same hypothesis about each pair.
    comparisons : sequence of Comparison
        The pairs in the same order.
    family : ReplicabilityAnalysis
        Family of the analysis.
    """
    hypothesis = claims[0].hypothesis
    if hypothesis.kind == "better" and hypothesis.margin == 0:
        return [
            replace(
                claim,
                adjusted_p_values=_of_analysis(claim, comparison),
                correction="as in the analysis",
                bound=comparison.k_hat[family.alpha[0]].recommended if family.audit.independent else None,
                apart=family.counted_apart,
            )
            for claim, comparison in zip(claims, comparisons, strict=True)
        ]
    sides = 2 if family.design == "both" else 1
    metrics = len(family.metrics) if family.several_metrics and family.gatekeeping == "none" else 1
    p_values = [p_values_of(claim.answers) for claim in claims]
    pooled = [p for claim, found in zip(claims, p_values, strict=True) for p in found or [1.0] * len(claim.answers)]
    adjusted = np.minimum(1.0, sides * metrics * np.asarray(holm(pooled)))
    words = f"by Holm's procedure over {counted(len(pooled), 'hypothesis', 'hypotheses')}"
    words += " in both directions" if sides > 1 else ""
    words += f" on {metrics} metrics" if metrics > 1 else ""
    ends = np.cumsum([len(claim.answers) for claim in claims])[:-1]
    return [
        replace(claim, adjusted_p_values=None if found is None else part, correction=words)
        for claim, found, part in zip(claims, p_values, np.split(adjusted, ends), strict=True)
    ]


def _of_analysis(claim: AssessedClaim, comparison: Comparison) -> NDArray[np.float64]:
    """Return the adjusted p-values of the analysis on the datasets of a claim."""
    adjusted = dict(zip(comparison.datasets, comparison.adjusted_p_values, strict=True))
    return np.array([float(adjusted[item.dataset]) for item in claim.answers])


def with_assessments(
    results: Results, comparison: Comparison, analysis: ReplicabilityAnalysis
) -> tuple[list[Sample], list[Outcome]]:
    """Return samples and assessments of one comparison by dataset, and add the intervals that were left out."""
    samples = samples_of(results, comparison.system_a, comparison.system_b, comparison.metric, analysis.settings)
    assessments = {item.dataset: item for item in comparison.assessments}
    known = [sample for sample in samples if sample.dataset in assessments]
    found = [assessments[sample.dataset] for sample in known]
    if any(finding.code == ON_REQUEST for finding in analysis.findings):
        level, seed = 1 - analysis.settings.primary_alpha, analysis.settings.rng
        found = [
            replace(item, interval=interval_for(SIGNIFICANCE_TESTS[item.test], sample, item, level, seed))
            for sample, item in zip(known, found, strict=True)
        ]
    return known, found


def compared(
    results: Results | None,
    analysis: ReplicabilityAnalysis,
    system_a: str | None = None,
    system_b: str | None = None,
    datasets: Sequence[str] | str | None = None,
    *,
    margins: Sequence[float | None] = (),
) -> list[tuple[Comparison, list[Sample], list[Outcome]]]:
    """Find the comparisons that are meant, with their samples and assessments on some datasets.

    Of two systems that are compared in both directions, the first comparison.

    Parameters
    ----------
    results : Results or None
        The scores; None where only printed figures are known.
    analysis : ReplicabilityAnalysis
        By its primary metric.
    system_a, system_b : str, optional
        Comparisons of these only; all by default.
    datasets : sequence of str, optional
        Which datasets; all by default.
    margins : sequence of float or None
        Differences that the question names, in the unit of the score.

    Raises
    ------
    SettingsError
        If only printed figures are known, or the scores do not admit the margin.
    UnknownNameError
        If there is no such comparison, or a dataset is not among those compared.
    """
    if results is None:
        raise SettingsError(
            "posteriors and Bayes factors need scores by instance, and only printed figures are known",
            remedy="give the scores, or counts of right answers (columns k and n)",
        )
    wanted = [datasets] if isinstance(datasets, str) else datasets
    for name in wanted or ():
        if name not in analysis.datasets:
            raise UnknownNameError("dataset", name, analysis.datasets)
    found, seen = [], set()
    for item in analysis.comparisons:
        pair = frozenset((item.system_a, item.system_b))
        named = system_a in (None, item.system_a) and system_b in (None, item.system_b)
        if item.metric != analysis.metrics[0] or not named or pair in seen:
            continue
        seen.add(pair)
        both = zip(*with_assessments(results, item, analysis), strict=True)
        kept = [(sample, outcome) for sample, outcome in both if wanted is None or sample.dataset in wanted]
        refuse_margins_in_points([sample for sample, _ in kept], margins)
        found.append((item, [sample for sample, _ in kept], [outcome for _, outcome in kept]))
    if not found:
        asked = " > ".join(name or "any system" for name in (system_a, system_b))
        raise UnknownNameError("comparison", asked, [" > ".join(pair) for pair in analysis.pairs])
    return found


def hypothesis_of(better_by: float | None = None, equivalent_by: float | None = None) -> Hypothesis:
    """Turn what is asked for into a claim; "better at all" if nothing is.

    Raises
    ------
    SettingsError
        If both are given, or a margin makes no sense.
    """
    if better_by is not None and equivalent_by is not None:
        raise SettingsError("better_by and equivalent_within are two claims", remedy="ask for one at a time")
    if equivalent_by is not None:
        return equivalent_within(equivalent_by)
    return better_by_more_than(0.0 if better_by is None else better_by)


def _hypotheses(rope: float | None) -> tuple[Hypothesis, ...]:
    plain = better_by_more_than(0.0)
    return (plain,) if rope is None else (plain, better_by_more_than(rope), equivalent_within(rope))


def findings_of(claims: list[AssessedClaim]) -> tuple[Finding, ...]:
    """Return the cautions for posteriors and Bayes factors, each once."""
    found: list[Finding] = []
    for claim in claims:
        for item in claim.answers:
            if item.posterior is not None:
                found.extend(getattr(item.posterior, "findings", ()))
            if item.bayes_factors is not None:
                found.extend(item.bayes_factors.findings)
    return tuple(dict.fromkeys(found))
