"""From results and what is asked of them to an analysis, with the other profile and further tests beside."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, cast

from reportkit.analysis.analysis import Analysis
from reportkit.errors import DesignError, SettingsError
from reportkit.finding import Finding
from reportkit.in_pieces import Run
from reportkit.replicability.claims import Claims, claims_for, metrics_for
from reportkit.replicability.compare import (
    AssessedDataset,
    ComparisonPlan,
    assessed,
    combine,
    plan_comparison,
    with_other_tests,
)
from reportkit.replicability.comparison import SystemScore, scores_in_print, scores_of_systems
from reportkit.replicability.family import by_severity
from reportkit.replicability.missing_data import LeftOut, datasets_left_out, left_out_findings
from reportkit.replicability.printed.printed_results import compare_printed
from reportkit.replicability.printed.reproduction import PrintedClaim
from reportkit.replicability.replicability_analysis import Later
from reportkit.replicability.score_matrix import friedman_of
from reportkit.report.text.reproduction import reproduction_findings
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.printed import PrintedResults
from reportkit.scores.results import Results
from reportkit.scores.scales import refuse_out_of_range
from reportkit.settings import Profile, Settings, SettingsOptions
from reportkit.settings.arguments import AUTO, ComparisonArguments, ComparisonOptions, refuse_unknown

MOST_OUTCOMES_FOR_OTHER_PROFILE = 2_000
"""With more outcomes than this, the other profile is not computed beside, and a finding says so."""

MOST_SCORES_FOR_OTHER_PROFILE = 5_000_000
"""Nor with more pairs of scores than this, all outcomes together."""


_FEW_PAIRS = 500
"""Pairs up to which no other process joins in by itself."""


def asked_and_settings(options: ComparisonOptions) -> tuple[ComparisonArguments, SettingsOptions]:
    """What is asked, and under which settings."""
    refuse_unknown(options, ComparisonOptions, "setting")
    names = {item.name for item in dataclasses.fields(ComparisonArguments)}
    given = cast("dict[str, Any]", options)
    asked = ComparisonArguments(**{name: value for name, value in given.items() if name in names})
    return asked, cast("SettingsOptions", {name: value for name, value in given.items() if name not in names})


def compare_asked(
    results: Results | PrintedResults,
    system_a: str | None,
    system_b: str | None,
    asked: ComparisonArguments,
    settings: Settings,
    run: Run | None = None,
) -> Analysis:
    """Compare what is asked for, under settings that are complete; see `reportkit.compare`."""
    if isinstance(results, PrintedResults):
        return _printed(results.select(datasets=settings.datasets), settings, asked.claims)
    if asked.claims:
        raise SettingsError(
            "claims are what a paper prints about printed results, and these results hold scores",
            remedy="leave claims away, or give the table of the paper: dataset, score_a, score_b, p_value",
        )
    results = results if settings.names_metrics else results.one_metric_each()
    metrics = metrics_for(results, settings)
    results = results.select(metric=metrics, datasets=settings.datasets)
    if settings.score_range is not None:
        refuse_out_of_range(results, settings.score_range)
    chosen, against = ([names] if isinstance(names, str) else list(names) for names in (asked.systems, asked.baseline))
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
    analysis = _analysed(results, who, settings, asked, run)
    if settings.rope is None and not settings.bayes:
        return analysis
    from reportkit.evidence.asked import evidence_asked_for  # only where it was asked for

    evidence = evidence_asked_for(results, analysis)
    findings = by_severity([*analysis.findings, *evidence.findings])
    return dataclasses.replace(analysis, findings=findings, evidence=evidence)


def _analysed(
    results: Results, who: Claims, settings: Settings, asked: ComparisonArguments, run: Run | None
) -> Analysis:
    plan = plan_comparison(results, who, settings)
    if asked.workers == AUTO and len(plan.claims.pairs) <= _FEW_PAIRS:
        run = None  # the pairs of all datasets are tested together
    parts = assessed(plan, asked.progress, run)
    found = combine(parts, plan, into=Analysis)
    other: Profile = "dror2017" if settings.profile == "recommended" else "recommended"
    sizes = [n or 0 for n in found.column("n")]
    n_outcomes, n_scores = len(sizes) // found.sides, sum(sizes) // found.sides
    few = n_outcomes <= MOST_OUTCOMES_FOR_OTHER_PROFILE and n_scores <= MOST_SCORES_FOR_OTHER_PROFILE
    beside: Later | None = None
    refused: tuple[Finding, ...] = ()
    if asked.other_profile and settings.test is None:
        beside, refused = (
            _beside(plan, parts, settings.replace(profile=other))
            if few
            else (None, (_too_many_for(other, n_outcomes, n_scores),))
        )
    findings = [*found.findings, *refused]
    left_out: tuple[LeftOut, ...] = ()
    if not results.complete(named := list(dict.fromkeys(name for pair in who.pairs for name in pair))):
        left_out = datasets_left_out(results, named)
        findings = [*found.findings, *left_out_findings(left_out, results), *refused]
    analysis = dataclasses.replace(
        found,
        results=results,
        findings=by_severity(findings),
        system_scores=_scores(results.select(metric=found.metrics[0]), who, parts, settings),
        secondary_scores={
            metric: scores_of_systems(results.select(metric=metric), settings, parts) for metric in found.metrics[1:]
        },
        source=results.source,
        digest=results.digest(),
        n_rows=results.n_rows,
        columns=results.columns,
        unused_columns=results.unused_columns,
        named_datasets=results.named_datasets,
        measures=results.measures,
        left_out=left_out,
        beside=beside,
    )
    return _with_friedman(analysis)


def _with_friedman(analysis: Analysis) -> Analysis:
    """Add Friedman's test where it is asked for."""
    if not analysis.settings.friedman:
        return analysis
    outcome = friedman_of(analysis.parts[0])
    findings = by_severity([*analysis.findings, *outcome.findings])
    return dataclasses.replace(analysis, findings=findings, friedman_outcome=outcome)


def _beside(
    plan: ComparisonPlan, parts: Sequence[AssessedDataset], settings: Settings
) -> tuple[Later | None, tuple[Finding, ...]]:
    """Run the tests of the other profile; where one of them does not fit the data, say so and do without.

    Those of Dror et al. (2017) fit all plain scores, so that they can wait until somebody looks at them, if the scores
    are in memory until then.
    """
    beside = Later(lambda: with_other_tests(plan, parts, settings))
    plain = all(block.plain for block in plan.datasets)
    if settings.profile == "dror2017" and settings.pairing == "paired" and plain:
        return beside, ()
    try:
        return beside if beside.found else None, ()
    except DesignError as error:
        message = f"The tests of the profile {settings.profile!r} were not run beside: {error.problem}."
        return None, (Finding("other-profile", "info", message, where=error.where or ""),)


def _too_many_for(profile: Profile, n_outcomes: int, n_scores: int) -> Finding:
    """Say that the tests of the other profile were not run, and how to run them."""
    size = f"{n_outcomes:,} tests"
    most = f"{MOST_OUTCOMES_FOR_OTHER_PROFILE:,}"
    if n_outcomes <= MOST_OUTCOMES_FOR_OTHER_PROFILE:
        size, most = f"{n_scores:,} pairs of scores", f"{MOST_SCORES_FOR_OTHER_PROFILE:,}"
    return Finding(
        "other-profile",
        "info",
        f"Whether the tests of the profile {profile!r} would agree was not looked at: there are {size}, and it is "
        f"looked at up to {most}.",
        remedy=f"name a baseline, or compare with profile={profile!r} (command: --profile {profile}) as well",
    )


def _scores(
    results: Results, who: Claims, parts: Sequence[AssessedDataset], settings: Settings
) -> dict[tuple[str, str], SystemScore]:
    """Scores by dataset; where the datasets are the sample, the means over them beside."""
    if not settings.across_datasets:
        return scores_of_systems(results, settings, parts)
    named = dict.fromkeys(name for pair in who.pairs for name in pair)
    together = taken_together(results.select(systems=named), missing=settings.missing, score_range=settings.score_range)
    return scores_of_systems(results, settings) | scores_of_systems(together, settings)


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
