"""From results and what is asked of them to an analysis."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from reportkit.analysis.analysis import Analysis
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.parallel import Workers
from reportkit.replicability.claims import claims_for, metrics_for
from reportkit.replicability.compare import compare_systems
from reportkit.replicability.family import by_severity
from reportkit.replicability.friedman import friedman_of
from reportkit.replicability.printed import PrintedClaim, compare_printed
from reportkit.scores.detection import refuse_out_of_range
from reportkit.scores.printed import PrintedResults
from reportkit.scores.results import Results
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
        return _with_further(
            compare_printed(results.select(datasets=settings.datasets), settings, claims, into=Analysis)
        )
    if claims:
        raise SettingsError(
            "claims are what a paper prints about printed results, and these results hold scores",
            remedy="leave claims away, or give the table of the paper: dataset, score_a, score_b, p_value",
        )
    results = results if settings.names_metrics else results.one_metric_each()
    results = results.select(metric=metrics_for(results, settings), datasets=settings.datasets)
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
    who = claims_for(results.systems, chosen, against, declared=settings.alternative != "two-sided")
    found = compare_systems(results, who, settings, into=Analysis, progress=progress, workers=workers)
    return _with_further(dataclasses.replace(found, results=results))


def _with_further(analysis: Analysis) -> Analysis:
    """Add Friedman's test, posteriors and Bayes factors where they are asked for."""
    settings, findings = analysis.settings, list[Finding]()
    friedman = evidence = None
    if settings.friedman:
        friedman = friedman_of(analysis)
        findings += friedman.findings
    if analysis.results is not None and (settings.rope is not None or settings.bayes):
        from reportkit.bayes.evidence.asked import evidence_asked_for  # only where it was asked for

        evidence = evidence_asked_for(analysis.results, analysis)
        findings += evidence.findings
    return dataclasses.replace(
        analysis,
        findings=by_severity([*analysis.findings, *findings]),
        friedman_outcome=friedman,
        evidence=evidence,
    )
