"""The public verbs: read results, compare systems, build a report; the accessor and the command are sugar for them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

import pandas as pd

from reportkit.analysis.analysis import Analysis
from reportkit.analysis.compare import asked_and_settings, compare_asked
from reportkit.analysis.presentation import Presented
from reportkit.analysis.read_results import Given, read_results, request_of
from reportkit.analysis.report import BuiltReport
from reportkit.errors import SettingsError
from reportkit.options import with_options
from reportkit.scores.files import may_be_large
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import Reading, paths_of
from reportkit.scores.read import read as read_files
from reportkit.scores.results import Results
from reportkit.settings import (
    ReadingOptions,
    Settings,
    check_alternative,
)
from reportkit.settings.arguments import (
    AUTO,
    CalibrationArguments,
    CalibrationChoices,
    CalibrationOptions,
    ComparisonArguments,
    ComparisonOptions,
    PowerArguments,
    PowerOptions,
    Progress,
    refuse_unknown,
)

if TYPE_CHECKING:
    from reportkit.analysis.calibration import CalibrationReport
    from reportkit.analysis.power import PowerResult
    from reportkit.rendering.paper.paper_update import PaperUpdate


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
    exclude: Sequence[str] = (),
    **options: Unpack[ReadingOptions],
) -> Results | PrintedResults:
    """Read and validate results: scores by instance, or what a paper prints.

    Parameters
    ----------
    source : str, Path, sequence of these, DataFrame or Reading
        Files, folders or patterns: what an evaluation tool wrote, or tables (CSV, JSON, JSON Lines, Parquet, Feather,
        Excel), also compressed or in archives; or what `inspect` understood of them. Or a frame (of pandas; or of
        polars or pyarrow, which is turned into one). Named levels of a frame's index count as columns if one of them
        is needed. Scores of four bytes (float32) are rounded to the 7 significant digits that they hold.
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
    exclude : sequence of str
        Patterns of files, systems and datasets that are left out.

    Raises
    ------
    ReadingError
        If a file cannot be read.
    QuestionError
        If more than one reading is possible, or none; the message says what settles it.
    InputError
        If the content does not fit; the message says what, where, and what to do.
    """
    refuse_unknown(options, ReadingOptions, "setting of how results are read")
    settings = (settings or Settings()).replace(**options)
    request = request_of(
        settings, columns=columns, format=format, filter=filter, wide_systems=wide_systems, exclude=exclude
    )
    return read_results(_with(source, more), settings, request, system_a=system_a, system_b=system_b)


def _with(source: Given, more: Sequence[str | Path]) -> Given:
    """All paths in one list, or the frame as it is."""
    if not more:
        return source
    if isinstance(source, (pd.DataFrame, Reading)):
        raise SettingsError("a frame was given, and further paths", remedy="give either")
    return [source, *more] if isinstance(source, (str, Path)) else [*source, *more]


def inspect(
    source: str | Path | Sequence[str | Path],
    *more: str | Path,
    metric: str | Sequence[str] = (),
    filter: str | None = None,  # noqa: A002
    format: str | None = None,  # noqa: A002
    columns: Mapping[str, str] | None = None,
    wide_systems: Sequence[str] | None = None,
    exclude: Sequence[str] = (),
    settings: Settings | None = None,
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
    exclude : sequence of str
        Patterns of files, systems and datasets that are left out.
    settings : Settings, optional
        Directions of metrics, pairing, and whether the datasets are the sample.
    progress : callable, optional
        Called with (files read, files in all).

    Returns
    -------
    Reading
        Printed, it says what was understood; `.frame` holds the scores, `.findings` what was left out or chosen. `read`
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
    >>> inspect(path).sentence
    '2 systems (columns new, old), 1 dataset, scored by score; paired on id'
    """
    paths = [source, *more] if isinstance(source, (str, os.PathLike)) else [*source, *more]
    settings = settings or Settings()
    settings = settings.replace(metric=metric) if metric else settings
    request = request_of(
        settings, filter=filter, format=format, columns=columns, wide_systems=wide_systems, exclude=exclude
    )
    if progress is not None:
        request = dataclasses.replace(request, progress=progress)
    return read_files(paths, request, decimal=settings.decimal)


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
    asked, changes = asked_and_settings(options)
    if "alternative" in changes and system_a is not None and system_b is not None:
        check_alternative(changes["alternative"], swapped=f"compare(..., {system_b!r}, {system_a!r})")
    settings = (asked.settings or Settings()).replace(**changes)
    if (system_a is None) != (system_b is None):
        raise SettingsError("one system was named", remedy="name two, or one system and a baseline")
    if system_a is not None and system_a == system_b:
        raise SettingsError(f"{system_a!r} is compared with itself", remedy="name two different systems")
    from reportkit.parallel import WHERE, workers_of

    how: dict[str, Any] = {"columns": columns, "format": format, "filter": filter}
    with workers_of({name: getattr(asked, name) for name in WHERE}) as workers:
        paths = paths_of(results)
        if paths and (asked.memory_limit is not None or may_be_large(paths)):
            from reportkit.analysis.read_large import read_large  # only for what may be large

            found = read_large(
                paths,
                settings,
                request_of(settings, **how),
                workers=None if asked.workers == AUTO else workers,
                memory_limit=asked.memory_limit,
            )
            results = results if found is None else found
        if not isinstance(results, (Results, PrintedResults)):
            results = read(results, settings=settings, system_a=system_a, system_b=system_b, **how)
        return compare_asked(results, system_a, system_b, asked, settings, workers)


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


@with_options(CalibrationOptions, CalibrationArguments, CalibrationChoices, Settings, ComparisonArguments)
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
    from reportkit.analysis.calibrate import calibrate_asked

    refuse_unknown(options, CalibrationOptions, "setting of a calibration")
    return calibrate_asked(results, system_a, system_b, columns, options)


@with_options(PowerOptions, PowerArguments, ComparisonArguments)
def power(
    results: Results | PrintedResults | pd.DataFrame | str | Path | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    **options: Unpack[PowerOptions],
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
    columns : mapping of str to str, optional
        Role to column name, where names are not recognised.

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
    refuse_unknown(options, PowerOptions, "argument of a plan")
    from reportkit.analysis.plan import plan_power
    from reportkit.parallel import WHERE, workers_of

    given = cast("dict[str, Any]", options)
    asked = PowerArguments(**{name: value for name, value in given.items() if name not in WHERE})
    with workers_of(given) as workers:
        return plan_power(results, system_a, system_b, asked, columns, workers)


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
