"""From results and what is asked of them to an analysis, and to what else is asked for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from reportkit.analysis.analysis import Analysis
from reportkit.errors import SettingsError
from reportkit.parallel import Workers
from reportkit.replicability.claims import Claims, claims_for, metrics_for
from reportkit.replicability.compare import assessed, combine, plan_comparison
from reportkit.replicability.comparison import SystemScore, scores_in_print, scores_of_systems
from reportkit.replicability.family import by_severity
from reportkit.replicability.missing_data import datasets_left_out, left_out_findings
from reportkit.replicability.printed.discrepancies import reproduction_findings
from reportkit.replicability.printed.printed_results import compare_printed
from reportkit.replicability.printed.reproduction import PrintedClaim
from reportkit.replicability.score_matrix import friedman_of
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.printed import PrintedResults
from reportkit.scores.results import Results
from reportkit.scores.scales import refuse_out_of_range
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress


def compare_results(
    results: Results | PrintedResults,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    settings: Settings,
    systems: str | Sequence[str] = (),
    baseline: str | Sequence[str] = (),
    claims: Sequence[PrintedClaim] = (),
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> Analysis:
    """Compare systems of results that were read; see `reportkit.compare`.

    `claims` is what the paper says of printed results. `progress` is called with (done, total).
    """
    if isinstance(results, PrintedResults):
        return _printed(results.select(datasets=settings.datasets), settings, claims)
    if claims:
        raise SettingsError(
            "claims are what a paper prints about printed results, and these results hold scores",
            remedy="leave claims away, or give the table of the paper: dataset, score_a, score_b, p_value",
        )
    results = results if settings.names_metrics else results.one_metric_each()
    metrics = metrics_for(results, settings)
    results = results.select(metric=metrics, datasets=settings.datasets)
    if settings.score_range is not None:
        refuse_out_of_range(results, settings.score_range)
    chosen, against = ([names] if isinstance(names, str) else list(names) for names in (systems, baseline))
    if system_a is not None and system_b is not None:
        if not all(isinstance(name, str) for name in (system_a, system_b)):
            raise SettingsError(
                "two systems are two names",
                where=f"{system_a!r} and {system_b!r}",
                remedy=f"for several, say systems={system_a!r}, baseline={system_b!r}",
            )
        if chosen or against:
            raise SettingsError("two systems, and systems or a baseline, were named", remedy="name either")
        chosen, against = [system_a], [system_b]
    declared = settings.alternative != "two-sided"
    who = claims_for(results.systems, chosen, against, declared=declared)
    analysis = _analysed(results, who, settings, progress, workers)
    if settings.rope is None and not settings.bayes:
        return analysis
    from reportkit.bayes.evidence.asked import evidence_asked_for  # only where it was asked for

    evidence = evidence_asked_for(results, analysis)
    findings = by_severity([*analysis.findings, *evidence.findings])
    return dataclasses.replace(analysis, findings=findings, evidence=evidence)


def _analysed(
    results: Results, who: Claims, settings: Settings, progress: Progress | None, workers: Workers | None
) -> Analysis:
    plan = plan_comparison(results, who, settings)
    parts = assessed(plan, progress, workers)
    known = {(part.metric, part.dataset): part.scores for part in parts}
    found = combine(parts, plan, into=Analysis)
    left_out = datasets_left_out(results, list(dict.fromkeys(name for pair in who.pairs for name in pair)))
    findings = [*found.findings, *left_out_findings(left_out, results)]
    analysis = dataclasses.replace(
        found,
        results=results,
        findings=by_severity(findings),
        system_scores=_scores(results.select(metric=found.metrics[0]), who, known, settings),
        secondary_scores={
            metric: scores_of_systems(results.select(metric=metric), settings, known) for metric in found.metrics[1:]
        },
        source=results.source,
        digest=results.digest(),
        n_rows=results.n_rows,
        columns=results.columns,
        unused_columns=results.unused_columns,
        named_datasets=results.named_datasets,
        measures=results.measures,
        left_out=left_out,
    )
    return _with_friedman(analysis)


def _with_friedman(analysis: Analysis) -> Analysis:
    """Add Friedman's test where it is asked for."""
    if not analysis.settings.friedman:
        return analysis
    outcome = friedman_of(analysis.parts[0])
    findings = by_severity([*analysis.findings, *outcome.findings])
    return dataclasses.replace(analysis, findings=findings, friedman_outcome=outcome)


def _scores(
    results: Results, who: Claims, known: Mapping[tuple[str, str], Mapping[str, tuple[float, int]]], settings: Settings
) -> dict[tuple[str, str], SystemScore]:
    """Scores by dataset; where the datasets are the sample, the means over them beside."""
    if not settings.across_datasets:
        return scores_of_systems(results, settings, known)
    named = dict.fromkeys(name for pair in who.pairs for name in pair)
    together = taken_together(results.select(systems=named), missing=settings.missing, score_range=settings.score_range)
    return scores_of_systems(results, settings, {}) | scores_of_systems(together, settings, {})


def _printed(results: PrintedResults, settings: Settings, claims: Sequence[PrintedClaim]) -> Analysis:
    found = compare_printed(results, settings, claims, into=Analysis)
    analysis = dataclasses.replace(
        found,
        findings=by_severity([*reproduction_findings(found.reproductions), *found.findings]),
        system_scores=scores_in_print(
            (claim.system_a, claim.system_b, item) for claim in found.comparisons for item in claim.assessments
        ),
        source=results.source,
        digest=results.digest(),
        n_rows=len(results.rows),
        columns=results.columns,
    )
    return _with_friedman(analysis)
