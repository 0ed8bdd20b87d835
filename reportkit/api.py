"""The public verbs: read results, compare systems, build a report; the accessor and the command are sugar for them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

import numpy as np
import pandas as pd

from reportkit.analysis.analysis import Analysis
from reportkit.analysis.power import PerDataset, PowerResult, plan_power, refuse_numbers
from reportkit.analysis.presentation import Presented
from reportkit.analysis.report import BuiltReport
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.evidence.asked import evidence_asked_for
from reportkit.finding import Finding
from reportkit.options import with_options
from reportkit.readers import Reading, Request, frame_or_path, read_paths
from reportkit.replicability.compare import Claims, claims_for, compare_results, metrics_for
from reportkit.replicability.family import Family, by_severity
from reportkit.replicability.missing_data import LeftOut, datasets_left_out, left_out_findings
from reportkit.replicability.printed.printed_results import compare_printed
from reportkit.replicability.printed.reproduction import PrintedClaim
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.score_matrix import friedman_of
from reportkit.replicability.system_scores import SystemScore, scores_in_print, scores_of_systems
from reportkit.report.text.reproduction import reproduction_findings
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.choices import Pairing
from reportkit.scores.ingest import results_from_frame
from reportkit.scores.printed import PrintedResults, printed_from_frame
from reportkit.scores.results import Results
from reportkit.scores.scales import DeclaredKind, refuse_out_of_range
from reportkit.scores.several_metrics import Direction, read_metrics
from reportkit.scores.table.columns import recognise_columns
from reportkit.scores.table.score_table import with_index
from reportkit.settings import (
    ClaimAlternative,
    Dependence,
    ReadingOptions,
    Settings,
    SettingsOptions,
    check_alternative,
)
from reportkit.settings.arguments import (
    CalibrationArguments,
    CalibrationChoices,
    CalibrationOptions,
    ComparisonArguments,
    ComparisonOptions,
    Progress,
    refuse_unknown,
)

if TYPE_CHECKING:
    from reportkit.analysis.calibration import CalibrationReport
    from reportkit.rendering.paper.paper_update import PaperUpdate

Given = str | Path | Sequence[str | Path] | pd.DataFrame | Reading
"""What is taken as results: paths, a frame, or what was understood of files."""

MOST_OUTCOMES_FOR_OTHER_PROFILE = 2_000
"""With more outcomes than this, the other profile is not computed beside, and the report says so by its absence."""

MOST_SCORES_FOR_OTHER_PROFILE = 5_000_000
"""Nor with more pairs of scores than this, all outcomes together."""


@with_options(ReadingOptions, Settings)
def read(
    source: Given,
    *more: str | Path,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - as the command calls it
    filter: str | None = None,  # noqa: A002
    settings: Settings | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    wide_systems: Sequence[str] | None = None,
    **options: Unpack[ReadingOptions],
) -> Results | PrintedResults:
    """Read and validate results: scores by instance, or what a paper prints.

    Parameters
    ----------
    source : str, Path, sequence of these, DataFrame or Reading
        Files, folders or patterns: what an evaluation harness wrote (`reportkit.readers.HARNESSES`), or tables
        (`reportkit.readers.FORMATS`: CSV, Parquet, ...), also compressed; or what `inspect` understood of them. Or a
        frame (of pandas; or of polars or pyarrow, which is turned into one). Tables are in long or wide form, or have
        one row per dataset with two scores and a p-value. Named levels of a frame's index count as columns if one of
        them is needed. Scores of four bytes (float32) are rounded to the 7 significant digits that they hold.
    *more : str or Path
        More files, folders or patterns.
    columns : mapping of str to str, optional
        Role to column name, {"system": "model"}, where names are not recognised.
    format : str, optional
        Name of the format, where the content of the files does not tell.
    filter : str, optional
        Which reading of the answers, where files hold several: a filter of lm-evaluation-harness, a split of HELM.
    settings : Settings, optional
        All settings at once; those that are given one by one come first.
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
    refuse_unknown(options, ReadingOptions, "setting of how results are read")
    settings = (settings or Settings()).replace(**options)
    found = _found(
        source, more, columns=columns, format=format, filter=filter, metrics=settings.metrics, systems=wide_systems
    )
    if isinstance(found, Reading):
        return _of_reading(found, settings, system_a, system_b)
    return _of_frame(with_index(found, columns), "DataFrame", columns, settings, system_a, system_b, wide_systems)


def inspect(
    source: str | Path | Sequence[str | Path],
    *more: str | Path,
    metric: str | Sequence[str] = (),
    filter: str | None = None,  # noqa: A002
    format: str | None = None,  # noqa: A002
    columns: Mapping[str, str] | None = None,
    wide_systems: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Reading:
    r"""Read files and say what was understood of them, without any statistics.

    Parameters
    ----------
    source, *more : str or Path
        Files, folders or patterns.
    metric : str or sequence of str, optional
        Metrics to take; by default what the format takes, which is said.
    filter : str, optional
        Which reading of the answers, where files hold several: a filter of lm-evaluation-harness, a split of HELM.
    format : str, optional
        Name of the format, where the content of the files does not tell.
    columns : mapping of str to str, optional
        Role to column name, of tables.
    wide_systems : sequence of str, optional
        Of tables in wide form: the columns that hold systems.
    progress : callable, optional
        Called with (files read, files in all).

    Returns
    -------
    Reading
        Printed, it says what was understood; `.frame` holds the scores, `.notes` what was left out or chosen. `read`
        and `compare` take it.

    Raises
    ------
    ReadingError
        If nothing can be read, or a file is damaged.
    SettingsError
        If files of several formats are mixed, or there is no such metric; the message says what to add.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "cb.csv"
    >>> _ = path.write_text("id,new,old\n1,1,0\n2,1,1\n")
    >>> print(inspect(path).sentence())
    CSV: 2 systems, 1 dataset
    """
    paths = [source, *more] if isinstance(source, (str, os.PathLike)) else [*source, *more]
    request = Request(
        metrics=(metric,) if isinstance(metric, str) else tuple(metric),
        filter=filter,
        format=format,
        columns=columns or {},
        systems=None if wide_systems is None else tuple(wide_systems),
        **({} if progress is None else {"progress": progress}),
    )
    return read_paths(paths, request)


def _found(
    source: Given,
    more: Sequence[str | Path],
    *,
    columns: Mapping[str, str] | None,
    format: str | None,  # noqa: A002
    filter: str | None,  # noqa: A002
    metrics: Sequence[str],
    systems: Sequence[str] | None,
) -> Reading | pd.DataFrame:
    """What was understood of files; or the frame that was given."""
    if isinstance(source, Reading):
        return source
    paths = source if isinstance(source, (list, tuple)) else (source,)
    if paths and all(isinstance(path, (str, os.PathLike)) for path in paths):
        return inspect(
            [*paths, *more], metric=metrics, filter=filter, format=format, columns=columns, wide_systems=systems
        )
    found = frame_or_path(source)
    if isinstance(found, pd.DataFrame) and not more and format is None and filter is None:
        return found
    raise SettingsError(
        "a frame was given, and what is for files only", remedy="leave out further paths, format and filter"
    )


def _of_reading(
    reading: Reading, settings: Settings, system_a: str | None, system_b: str | None
) -> Results | PrintedResults:
    """Validated results of what was read from files; what the files say of directions holds unless the user says."""
    higher = settings.higher_is_better
    if reading.higher_is_better and higher is not False:
        said = higher if isinstance(higher, Mapping) else {}
        settings = settings.replace(higher_is_better={**reading.higher_is_better, **said})
    if reading.metrics and "metric" not in reading.frame:
        settings = settings.replace(metric=reading.computed or None)
    if reading.aggregates and not settings.across_datasets:
        raise DesignError(
            f"{reading.format} has one score per {reading.nouns[0]} and {reading.nouns[1]}, not one per instance",
            where=reading.sentence(),
            remedy=f"to ask whether a {reading.nouns[0]} is better on a typical {reading.nouns[1]}, take the "
            f"{reading.nouns[1]}s as the sample:\nacross_datasets=True (--across-datasets)",
        )
    results = _of_frame(reading.frame, reading.source, reading.columns, settings, system_a, system_b, reading.systems)
    if isinstance(results, PrintedResults) or not reading.notes:
        return results
    return dataclasses.replace(results, findings=(*reading.notes, *results.findings))


def _of_frame(
    frame: pd.DataFrame,
    name: str,
    columns: Mapping[str, str] | None,
    settings: Settings,
    system_a: str | None,
    system_b: str | None,
    wide_systems: Sequence[str] | None,
) -> Results | PrintedResults:

    def of_one(
        frame: pd.DataFrame,
        metric: str | None,
        columns: Mapping[str, str],
        higher_is_better: Direction,
        kind: DeclaredKind,
    ) -> Results:
        return results_from_frame(
            frame,
            columns=columns,
            higher_is_better=higher_is_better,
            kind=kind,
            missing=settings.missing,
            mixed_scales=settings.mixed_scales,
            metric=metric,
            across_datasets=settings.across_datasets,
            source=name,
            systems=wide_systems,
        )

    higher = settings.higher_is_better
    in_a_column = any(metric in frame.columns for metric in settings.metrics) and "score" not in (columns or {})
    if len(settings.metrics) > 1 or in_a_column:
        several = read_metrics(
            frame, settings.metrics, of_one, columns=columns or {}, higher_is_better=higher, kind=settings.kind
        )
        return several.select(datasets=settings.datasets)
    recognised = recognise_columns(
        frame,
        columns,
        systems=wide_systems,
        without_instances=settings.across_datasets,
        metric=settings.metrics[0] if settings.metrics else None,
    )
    if recognised.form == "printed":
        return printed_from_frame(
            frame,
            columns=columns,
            system_a=system_a,
            system_b=system_b,
            higher_is_better=higher if isinstance(higher, bool) else settings.metric_higher_is_better("score"),
            source=name,
        ).select(datasets=settings.datasets)
    of_all = of_one(frame, next(iter(settings.metrics), None), columns or {}, higher, settings.kind)
    return of_all.select(datasets=settings.datasets)


@with_options(ComparisonOptions, ComparisonArguments, Settings)
def compare(
    results: Results | PrintedResults | Given,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002
    filter: str | None = None,  # noqa: A002
    **options: Unpack[ComparisonOptions],
) -> Analysis:
    """Test on how many datasets, and on which, a system is better.

    - `compare(results, "new", "old")`: the declared claim that new is better than old.
    - `compare(results, baseline="old")`: every other system against the baseline, corrected together.
    - `compare(results)`: all pairs in both directions, corrected together; with two systems both directions, each at
      half the level.

    Parameters
    ----------
    results : Results, PrintedResults, DataFrame, Reading, str, Path or sequence of paths
        What was measured, or the files and folders that hold it.
    system_a, system_b : str, optional
        A is claimed to be better than B. `alternative="two-sided"` makes no such claim.
    columns : mapping of str to str, optional
        Role to column name.
    format, filter : str, optional
        Of files: see `read`.

    Returns
    -------
    Analysis

    Raises
    ------
    ReportkitError
        If the results or the settings do not fit; the message says what to do.
    """
    asked, changes = _split(options)
    if "alternative" in changes and system_a is not None and system_b is not None:
        check_alternative(changes["alternative"], swapped=f"compare(..., {system_b!r}, {system_a!r})")
    settings = (asked.settings or Settings()).replace(**changes)
    if (system_a is None) != (system_b is None):
        raise SettingsError("one system was named", remedy="name two, or one system and a baseline")
    if system_a is not None and system_a == system_b:
        raise SettingsError(f"{system_a!r} is compared with itself", remedy="name two different systems")
    if not isinstance(results, (Results, PrintedResults)):
        results = read(
            results,
            columns=columns,
            format=format,
            filter=filter,
            settings=settings,
            system_a=system_a,
            system_b=system_b,
        )
    if isinstance(results, PrintedResults):
        return _printed(results.select(datasets=settings.datasets), settings, asked.claims)
    if asked.claims:
        raise SettingsError(
            "claims are what a paper prints about printed results, and these results hold scores",
            remedy="leave claims away, or give the table of the paper: dataset, score_a, score_b, p_value",
        )
    metrics = metrics_for(results, settings)
    results = results.select(metric=metrics, datasets=settings.datasets)
    if settings.score_range is not None:
        refuse_out_of_range(results, settings.score_range)
    against = [asked.baseline] if isinstance(asked.baseline, str) else list(asked.baseline)
    chosen = list(asked.systems)
    if system_a is not None and system_b is not None:
        if chosen or against:
            raise SettingsError("two systems, and systems or a baseline, were named", remedy="name either")
        chosen, against = [system_a], [system_b]
    declared = settings.alternative != "two-sided"
    who = claims_for(results.systems, chosen, against, declared=declared)
    data = _analysed(results, who, settings, other_profile=asked.other_profile, progress=asked.progress)
    if settings.rope is None and not settings.bayes:
        return Analysis(data, results=results)
    evidence = evidence_asked_for(results, data)
    findings = by_severity([*data.family.findings, *evidence.findings])
    data = dataclasses.replace(data, family=dataclasses.replace(data.family, findings=findings))
    return Analysis(data, results=results, evidence=evidence)


def _split(options: ComparisonOptions) -> tuple[ComparisonArguments, SettingsOptions]:
    """What is asked, and under which settings."""
    refuse_unknown(options, ComparisonOptions, "setting")
    names = {item.name for item in dataclasses.fields(ComparisonArguments)}
    given = cast("dict[str, Any]", options)
    asked = ComparisonArguments(**{name: value for name, value in given.items() if name in names})
    return asked, cast("SettingsOptions", {name: value for name, value in given.items() if name not in names})


@with_options(ComparisonOptions, ComparisonArguments, Settings)
def build_report(
    results: Results | PrintedResults | Given,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002
    filter: str | None = None,  # noqa: A002
    **options: Unpack[ComparisonOptions],
) -> BuiltReport:
    """Compare as `compare` does, and lay out the report; `build_report(...).save("report/")` writes it.

    Parameters
    ----------
    results : Results, PrintedResults, DataFrame, Reading, str, Path or sequence of paths
        What was measured, or the files and folders that hold it.
    system_a, system_b : str, optional
        A is claimed to be better than B.
    columns : mapping of str to str, optional
        Role to column name.
    format, filter : str, optional
        Of files: see `read`.

    Returns
    -------
    BuiltReport
    """
    return compare(results, system_a, system_b, columns=columns, format=format, filter=filter, **options).report()


@with_options(CalibrationOptions, CalibrationArguments, CalibrationChoices, Settings)
def calibrate(
    results: Results | pd.DataFrame | str | Path,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    **options: Unpack[CalibrationOptions],
) -> CalibrationReport:
    """See whether the p-values of these results can be trusted, and what a gain on these datasets is worth.

    - `calibrate(results, "new", "old")`: the p-values of this pair, simulated where neither is better.
    - `calibrate(results, baseline="old")`: of every other system against the baseline.
    - `calibrate(results)`: of the two systems that score best.

    All pairs of all systems are compared in each case, where there are three systems or more. Of several levels alpha
    and several metrics, the largest level and the primary metric are looked at.

    Parameters
    ----------
    results : Results, DataFrame, str or Path
        What was measured, one score per system, dataset and instance, or several runs of each system.
    system_a, system_b : str, optional
        A pair of systems.
    columns : mapping of str to str, optional
        Role to column name.

    Returns
    -------
    CalibrationReport
        Frames, words, figures, and a report.

    Raises
    ------
    ReportkitError
        If the results or the settings do not fit; the message says what to do.
    """
    from reportkit.analysis.calibration import CalibrationReport
    from reportkit.calibration.families import families_of
    from reportkit.calibration.run_study import carry_out
    from reportkit.calibration.study import OF_STUDY, StudyPlan
    from reportkit.scores.table.families import family_column

    refuse_unknown(options, CalibrationOptions, "setting of a calibration")
    names = {item.name for item in dataclasses.fields(CalibrationArguments)}
    passed = cast("dict[str, Any]", options)
    asked = CalibrationArguments(**{name: value for name, value in passed.items() if name in names})
    of_plan = {name: value for name, value in passed.items() if name in OF_STUDY}
    changes = {name: value for name, value in passed.items() if name not in {*names, *OF_STUDY}}
    settings = (asked.settings or Settings()).replace(**cast("SettingsOptions", changes))
    families = asked.families
    given: Mapping[str, str] | None = None if not isinstance(families, Mapping) else families_of(families)
    if not isinstance(results, Results):
        given_as = frame_or_path(results)
        name = given_as.name if isinstance(given_as, Path) else "DataFrame"
        reading = inspect(given_as, columns=columns, metric=settings.metrics) if isinstance(given_as, Path) else None
        frame = given_as if isinstance(given_as, pd.DataFrame) else cast(Reading, reading).frame
        found = read(frame if reading is None else reading, columns=columns, settings=settings)
        if isinstance(found, PrintedResults):
            raise DesignError(
                "printed figures hold no scores to simulate from",
                where=name,
                remedy="give one score per system, dataset and instance",
            )
        results = dataclasses.replace(found, source=name)
        if given is None:
            column = families if isinstance(families, str) else None
            given = family_column(frame, results.columns, column, unused=results.unused_columns)
    elif isinstance(families, str):
        raise SettingsError(
            f"families={families!r} names a column, and results that were read before have none",
            remedy="give the frame or the file, or a mapping: families={'bert': ['bert-base', 'bert-large']}",
        )
    results = results.select(
        metric=metrics_for(results, settings)[:1], datasets=settings.datasets, systems=asked.systems or None
    )
    pairs = _pairs_to_calibrate(results, system_a, system_b, asked.baseline)
    plan = StudyPlan(
        pairs=pairs,
        families=given,
        test=settings.test,
        profile=settings.profile,
        missing=settings.missing,
        alpha=settings.alpha[0],
        rng=settings.rng,
        **of_plan,
    )
    heard = {} if asked.stages is None else {"stages": asked.stages}
    study = carry_out(results, plan.quick() if asked.quick else plan, **heard)
    return CalibrationReport(study, results)


def power(
    results: Results | PrintedResults | pd.DataFrame | str | Path | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    effect: PerDataset | None = None,
    n: PerDataset | None = None,
    power: float | None = None,
    accuracy: PerDataset | None = None,
    discordant: PerDataset | None = None,
    sd: PerDataset | None = None,
    design_effect: float = 1.0,
    pairing: Pairing | None = None,
    n_runs: int | None = None,
    n_datasets: int | None = None,
    alpha: float = 0.05,
    alternative: ClaimAlternative = "greater",
    dependence: Dependence = "any",
    metric: str | None = None,
    columns: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    rng: int | np.random.Generator = 0,
) -> PowerResult:
    """Plan a comparison: how many instances, how small a difference, or how much power.

    Of `n`, `effect` and `power`, leave out the one that you ask for; if only one is given, the power is 0.8. Results at
    hand give `n`, unless `effect` and `power` are both given, and say how much scores vary.

    - `power(effect=0.01, accuracy=0.85)`: how many instances show one point more than an accuracy of .85.
    - `power(n=1000, accuracy=0.85)`: the smallest difference that 1,000 instances show.
    - `power(results, "new", "old")`: the smallest difference that each dataset shows.
    - `power(results, "new", "old", effect=0.01)`: the power on each dataset, and how k-hat will come out.
    - `power(results, "new", "old", effect=0.01, power=0.8)`: the instances that each dataset needs.

    Parameters
    ----------
    results : Results, DataFrame, str or Path, optional
        Earlier results, of any form that `reportkit.compare` takes but printed ones. Never the difference is read from
        them, only how well it is known.
    system_a, system_b : str, optional
        The two systems, if the results hold more than two.
    effect : float, sequence of float, or mapping of str to float, optional
        Planned difference in units of the score (1 point of accuracy is 0.01), above 0: the smallest one that matters,
        or one known from other data. One for all datasets, or one for each; 0 where none is expected.
    n : int, sequence of int, or mapping of str to int, optional
        Planned instances on each dataset; of each system, if they have different ones.
    power : float, optional
        Wanted probability to show the difference.
    accuracy : float, sequence or mapping, optional
        Right-or-wrong scores: the share of instances on which the baseline is right.
    discordant : float, sequence or mapping, optional
        Right-or-wrong scores on the same instances: the share on which exactly one system is right. If it is not given,
        the answer is given for the lowest rate that is possible, for independent errors, and for the highest.
    sd : float, sequence or mapping, optional
        Other scores: standard deviation of the differences on single instances; of single scores, if unpaired.
    design_effect : float
        With `sd`: by how much clusters multiply the variance of the mean.
    pairing : {"paired", "unpaired"}, optional
        Whether the systems are scored on the same instances; paired, if nothing is said.
    n_runs : int, optional
        Planned runs of each system, for results with several runs of each.
    n_datasets : int, optional
        Number N of datasets, if all are planned alike.
    alpha : float
        Level of the tests, and of k-hat.
    alternative : {"greater", "two-sided"}
        One-sided, as for a declared claim; or each direction at half the level.
    dependence : {"any", "independent"}
        Between the datasets: k-hat by Fisher's method if they are independent, otherwise by Bonferroni's.
    metric : str, optional
        Which metric of the results.
    columns : mapping of str to str, optional
        Role to column name, where names are not recognised.
    settings : Settings, optional
        Other decisions on how the results are read: missing scores, kind, direction.
    rng : int or numpy.random.Generator
        Seed of the simulation of k-hat.

    Returns
    -------
    PowerResult

    Raises
    ------
    ReportkitError
        If numbers are missing or make no sense; the message says which.

    Notes
    -----
    Null hypothesis: A is not better than B. Right-or-wrong scores: exact McNemar test (same instances), Boschloo's or
    Fisher's exact test (different ones), their power summed over all outcomes. Others: power of the t test, assuming a
    near normal mean. Instances are independent, or clusters are. Type S and type M: Gelman and Carlin (2014). "Observed
    power", at the difference that the results show, is a function of the p-value and is not offered: Hoenig and Heisey
    (2001).

    Examples
    --------
    >>> import reportkit
    >>> print(reportkit.power(effect=0.02, discordant=0.1).summary())
    1,629 instances show a difference of 0.02 with power .80. The level is .05, one-sided.
    """
    if results is None and (system_a is not None or metric is not None or columns or settings is not None or n_runs):
        raise SettingsError(
            "systems, a metric, columns or n_runs were named, and there are no results",
            remedy="give the results, or plan from numbers alone",
        )
    if results is not None:
        refuse_numbers({"accuracy": accuracy, "discordant": discordant, "sd": sd, "n_datasets": n_datasets})
    settings = settings or Settings()
    settings = settings.replace(pairing=pairing or settings.pairing, metric=metric or settings.metric)
    if results is not None and not isinstance(results, (Results, PrintedResults)):
        results = read(results, columns=columns, settings=settings)
    return plan_power(
        results,
        system_a,
        system_b,
        settings,
        effect=effect,
        n=n,
        power=power,
        accuracy=accuracy,
        discordant=discordant,
        sd=sd,
        design_effect=design_effect,
        n_runs=n_runs,
        n_datasets=n_datasets,
        alpha=alpha,
        alternative=alternative,
        dependence=dependence,
        rng=rng,
    )


def _pairs_to_calibrate(
    results: Results, system_a: str | None, system_b: str | None, baseline: str | None
) -> tuple[tuple[str, str], ...]:
    if (system_a is None) != (system_b is None):
        raise SettingsError("one system was named", remedy="name two, or a baseline: baseline=...")
    for name in (system_a, system_b, baseline):
        if name is not None and name not in results.systems:
            raise UnknownNameError("system", name, results.systems)
    if system_a is not None and system_b is not None:
        if baseline is not None:
            raise SettingsError("two systems and a baseline were named", remedy="name either")
        if system_a == system_b:
            raise SettingsError(f"{system_a!r} is compared with itself", remedy="name two different systems")
        return ((system_a, system_b),)
    if baseline is None:
        return ()
    return tuple((name, baseline) for name in results.systems if name != baseline)


def _analysed(
    results: Results, who: Claims, settings: Settings, *, other_profile: bool, progress: Progress | None
) -> ReplicabilityAnalysis:
    family = compare_results(results, who, settings, progress=progress)
    other: Literal["recommended", "dror2017"] = "dror2017" if settings.profile == "recommended" else "recommended"
    sizes = [item.n or 0 for item in family.assessments]
    n_outcomes, n_scores = len(sizes) // family.sides, sum(sizes) // family.sides
    few = n_outcomes <= MOST_OUTCOMES_FOR_OTHER_PROFILE and n_scores <= MOST_SCORES_FOR_OTHER_PROFILE
    beside: Family | None = None
    refused: tuple[Finding, ...] = ()
    if other_profile and few and settings.test is None:
        beside, refused = _beside(results, who, settings.replace(profile=other))
    findings = [*family.findings, *refused]
    left_out: tuple[LeftOut, ...] = ()
    if not results.complete(named := list(dict.fromkeys(name for pair in who.pairs for name in pair))):
        left_out = datasets_left_out(results, named)
        findings = [*family.findings, *left_out_findings(left_out, results), *refused]
    analysis = ReplicabilityAnalysis(
        family=dataclasses.replace(family, findings=by_severity(findings)),
        settings=settings,
        system_scores=_scores(results.select(metric=family.metrics[0]), who, settings),
        secondary_scores={
            metric: scores_of_systems(results.select(metric=metric), settings) for metric in family.metrics[1:]
        },
        source=results.source,
        digest=results.digest(),
        n_rows=results.n_rows,
        columns=results.columns,
        unused_columns=results.unused_columns,
        named_datasets=results.named_datasets,
        left_out=left_out,
        other_profile=other if beside is not None else None,
        other_family=beside,
    )
    return _with_friedman(analysis)


def _with_friedman(analysis: ReplicabilityAnalysis) -> ReplicabilityAnalysis:
    """Add Friedman's test where it is asked for."""
    if not analysis.settings.friedman:
        return analysis
    outcome = friedman_of(analysis.parts[0])
    family = dataclasses.replace(analysis.family, findings=by_severity([*analysis.family.findings, *outcome.findings]))
    return dataclasses.replace(analysis, family=family, friedman=outcome)


def update_paper(
    paper: str | Path,
    report: Presented | str | Path,
    *,
    label: str | None = None,
    table: str = "results",
    labels: Mapping[str, str] | None = None,
    keep_caption: bool = False,
    dry_run: bool = False,
) -> PaperUpdate:
    r"""Put tables and numbers of a report into a paper, and change nothing else.

    In LaTeX the environment that holds a label is replaced; placement, star and label stay. In a float that holds more
    than one table, only the `tabular` is. What reportkit has put there stands between two comments, `% reportkit: begin
    results` and `% reportkit: end results`, which may also be written by hand; in Markdown `<!-- reportkit: begin
    results -->`, and `<!-- rk: main/sst2/ours -->93.1<!-- /rk -->` around a number.

    Parameters
    ----------
    paper : str or Path
        LaTeX, with the files that it reads by `\input`; or Markdown.
    report : Analysis or another result, BuiltReport, str or Path
        What to take them from; a path is the folder of a report.
    label : str, optional
        Label in the paper. Without any, everything between comments is brought up to date, and the tables with the
        labels that the report gives, such as `tab:results`.
    table : str
        Name of the table that goes there.
    labels : mapping of str to str, optional
        Several labels at once, with the tables that go there.
    keep_caption : bool
        Keep the caption of the paper.
    dry_run : bool
        Write nothing; the result shows what would change.

    Returns
    -------
    PaperUpdate
        Files and differences.

    Raises
    ------
    ReadingError, RenderingError
        If a file cannot be read or written; the paper is then as it was.
    UnknownNameError
        If there is no such label or table; the nearest are said.
    SettingsError
        If a label stands twice, or in no table.
    """
    if not isinstance(report, (str, Path)):
        return report.update_paper(
            paper, label=label, table=table, labels=labels, keep_caption=keep_caption, dry_run=dry_run
        )
    from reportkit.rendering.paper import paper_update
    from reportkit.rendering.paper.paper_pieces import read_pieces

    named = {**({} if label is None else {label: table}), **(labels or {})}
    return paper_update.update_paper(
        paper, read_pieces(Path(report)), named or None, keep_caption=keep_caption, dry_run=dry_run
    )


def _beside(results: Results, who: Claims, settings: Settings) -> tuple[Family | None, tuple[Finding, ...]]:
    """Run the tests of the other profile; where one of them does not fit the data, say so and do without."""
    try:
        return compare_results(results, who, settings), ()
    except DesignError as error:
        message = f"The tests of the profile {settings.profile!r} were not run beside: {error.problem}."
        return None, (Finding("other-profile", "info", message, where=error.where or ""),)


def _scores(results: Results, who: Claims, settings: Settings) -> dict[tuple[str, str], SystemScore]:
    """Scores by dataset; where the datasets are the sample, the means over them beside."""
    scores = scores_of_systems(results, settings)
    if settings.across_datasets:
        named = dict.fromkeys(name for pair in who.pairs for name in pair)
        together = taken_together(
            results.select(systems=named), missing=settings.missing, score_range=settings.score_range
        )
        scores |= scores_of_systems(together, settings)
    return scores


def _printed(results: PrintedResults, settings: Settings, claims: Sequence[PrintedClaim]) -> Analysis:
    family, reproductions = compare_printed(results, settings, claims)
    findings = by_severity([*reproduction_findings(reproductions), *family.findings])
    analysis = ReplicabilityAnalysis(
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
    return Analysis(_with_friedman(analysis))
