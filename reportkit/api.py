"""The public verbs: read results, compare systems, build a report; the accessor and the command are sugar for them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from reportkit.analysis import Analysis, BuiltReport
from reportkit.errors import SettingsError
from reportkit.readers import read_frame
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.compare import Claims, Progress, claims_for, compare_results
from reportkit.replicability.family import by_severity
from reportkit.replicability.printed import compare_printed
from reportkit.replicability.reproduction import PrintedClaim
from reportkit.replicability.system_scores import scores_in_print, scores_of_systems
from reportkit.report.reproduction_wording import reproduction_findings
from reportkit.results.columns import recognise_columns
from reportkit.results.ingest import results_from_frame
from reportkit.results.printed import PrintedResults, printed_from_frame
from reportkit.results.results import Results
from reportkit.results.scales import refuse_out_of_range
from reportkit.settings import Settings

MOST_OUTCOMES_FOR_OTHER_PROFILE = 2_000
"""With more outcomes than this, the other profile is not computed beside, and the report says so by its absence."""


def read(
    source: str | Path | pd.DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    wide_systems: Sequence[str] | None = None,
) -> Results | PrintedResults:
    """Read and validate results: scores by instance, or what a paper prints.

    Parameters
    ----------
    source : str, Path or DataFrame
        A file (CSV, TSV, Parquet, JSON Lines; also gzipped) or a frame, in long or wide form; or one row per dataset
        with two scores and a p-value.
    columns : mapping of str to str, optional
        Role to column name, {"system": "model"}, where names are not recognised.
    settings : Settings, optional
        Direction and kind of the scores, missing scores.
    system_a, system_b : str, optional
        Names of the systems behind `score_a` and `score_b` of printed results without such columns.
    wide_systems : sequence of str, optional
        Wide form: the columns that hold systems.

    Raises
    ------
    ReadingError
        If a file cannot be read.
    InputError
        If the content does not fit; the message says what, where, and what to do.
    """
    settings = settings or Settings()
    frame = (
        source if isinstance(source, pd.DataFrame) else read_frame(Path(source), columns=columns, systems=wide_systems)
    )
    name = "DataFrame" if isinstance(source, pd.DataFrame) else Path(source).name
    recognised = recognise_columns(frame, columns, systems=wide_systems)
    if recognised.form == "printed":
        higher = settings.higher_is_better
        return printed_from_frame(
            frame,
            columns=columns,
            system_a=system_a,
            system_b=system_b,
            higher_is_better=higher if isinstance(higher, bool) else settings.metric_higher_is_better("score"),
            source=name,
        )
    return results_from_frame(
        frame,
        columns=columns,
        higher_is_better=settings.higher_is_better,
        kind=settings.kind,
        missing=settings.missing,
        mixed_scales=settings.mixed_scales,
        metric=settings.metric,
        across_datasets=settings.across_datasets,
        source=name,
        systems=wide_systems,
    )


def compare(
    results: Results | PrintedResults | pd.DataFrame | str | Path,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    systems: Sequence[str] = (),
    baseline: str | Sequence[str] = (),
    metric: str | None = None,
    columns: Mapping[str, str] | None = None,
    claims: Sequence[PrintedClaim] = (),
    other_profile: bool = True,
    progress: Progress | None = None,
    settings: Settings | None = None,
    **changes: Any,
) -> Analysis:
    """Test on how many datasets, and on which, a system is better.

    - `compare(results, "new", "old")`: the declared claim that new is better than old.
    - `compare(results, baseline="old")`: every other system against the baseline, corrected together.
    - `compare(results)`: all pairs in both directions, corrected together; with two systems both directions, each at
      half the level.

    Parameters
    ----------
    results : Results, PrintedResults, DataFrame, str or Path
        What was measured.
    system_a, system_b : str, optional
        A is claimed to be better than B. `alternative="two-sided"` makes no such claim.
    systems : sequence of str, optional
        The systems to compare instead of all.
    baseline : str or sequence of str, optional
        The system, or systems, to compare with.
    metric : str, optional
        Which metric, if the results hold several; or one to compute: see `Settings.metric`.
    columns : mapping of str to str, optional
        Role to column name.
    claims : sequence of PrintedClaim, optional
        For printed results: what the paper says.
    other_profile : bool
        Whether to run the tests of the other profile too and report where the verdicts differ.
    progress : callable, optional
        Called with (done, total).
    settings : Settings, optional
        All other decisions at once.
    **changes
        Single settings: alpha, datasets, alternative, profile, test, missing, seed, ...; see `Settings`.

    Returns
    -------
    Analysis

    Raises
    ------
    ReportkitError
        If the results or the settings do not fit; the message says what to do.
    """
    settings = (settings or Settings()).replace(**changes, **({} if metric is None else {"metric": metric}))
    if (system_a is None) != (system_b is None):
        raise SettingsError("one system was named", remedy="name two, or one system and a baseline")
    if system_a is not None and system_a == system_b:
        raise SettingsError(f"{system_a!r} is compared with itself", remedy="name two different systems")
    if not isinstance(results, (Results, PrintedResults)):
        results = read(results, columns=columns, settings=settings, system_a=system_a, system_b=system_b)
    if isinstance(results, PrintedResults):
        return _printed(results, settings, claims)
    if settings.metric is not None:
        results = results.select(metric=settings.metric)
    if settings.score_range is not None:
        refuse_out_of_range(results, settings.score_range)
    against = [baseline] if isinstance(baseline, str) else list(baseline)
    chosen = list(systems)
    if system_a is not None and system_b is not None:
        if chosen or against:
            raise SettingsError("two systems, and systems or a baseline, were named", remedy="name either")
        chosen, against = [system_a], [system_b]
    declared = settings.alternative != "two-sided"
    who = claims_for(results.systems, chosen, against, declared=declared)
    return Analysis(_analysed(results, who, settings, other_profile=other_profile, progress=progress))


def build_report(
    results: Results | PrintedResults | pd.DataFrame | str | Path, *args: Any, **options: Any
) -> BuiltReport:
    """Compare as `compare` does, and lay out the report; `report(...).save("report/")` writes it."""
    return compare(results, *args, **options).report()


def _analysed(
    results: Results, who: Claims, settings: Settings, *, other_profile: bool, progress: Progress | None
) -> ReplicabilityAnalysis:
    family = compare_results(results, who, settings, progress=progress)
    other: Literal["recommended", "dror2017"] = "dror2017" if settings.profile == "recommended" else "recommended"
    few = len(who.pairs) * len(family.datasets) <= MOST_OUTCOMES_FOR_OTHER_PROFILE
    beside = (
        compare_results(results, who, settings.replace(profile=other))
        if other_profile and few and settings.test is None
        else None
    )
    return ReplicabilityAnalysis(
        family=family,
        settings=settings,
        system_scores=scores_of_systems(results, settings),
        source=results.source,
        digest=results.digest(),
        n_rows=results.n_rows,
        columns=results.columns,
        unused_columns=results.unused_columns,
        other_profile=other if beside is not None else None,
        other_family=beside,
    )


def _printed(results: PrintedResults, settings: Settings, claims: Sequence[PrintedClaim]) -> Analysis:
    family, reproductions = compare_printed(results, settings, claims)
    findings = by_severity([*reproduction_findings(reproductions), *family.findings])
    return Analysis(
        ReplicabilityAnalysis(
            family=dataclasses.replace(family, findings=findings),
            settings=settings,
            system_scores=scores_in_print(
                (claim.system_a, claim.system_b, item) for claim in family.comparisons for item in claim.assessments
            ),
            source=results.source,
            digest=results.digest(),
            n_rows=len(results.rows),
            columns=results.columns,
            reproductions=reproductions,
        )
    )
