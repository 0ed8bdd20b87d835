"""Read results, compare systems, update a paper; the accessor and the command call these functions."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import meant_by
from reportkit.settings import SETTING_NAMES, Settings, check_alternative

if TYPE_CHECKING:
    from numpy.random import Generator

    from reportkit.analysis.analysis import Analysis
    from reportkit.analysis.presentation import Presented
    from reportkit.analysis.read_results import Given
    from reportkit.rendering.paper_update import PaperUpdate
    from reportkit.scores.choices import Missing, Pairing
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.reading import Reading
    from reportkit.scores.results import Results
    from reportkit.settings import ClaimAlternative, Dependence
    from reportkit.settings.arguments import Progress, Workers


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
    **options: Any,
) -> Results | PrintedResults:
    """Read and validate results: scores by instance, or what a paper prints.

    Parameters
    ----------
    source : str, Path, sequence of these, DataFrame or Reading
        Files, folders or patterns: what an evaluation tool wrote, or tables (CSV, JSON, JSON Lines, Parquet,
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
    **options
        Single fields of `Settings`: `metric`, `datasets`, `missing`, `higher_is_better`.

    Raises
    ------
    ReadingError
        If a file cannot be read.
    QuestionError
        If more than one reading is possible, or none; the message says what settles it.
    InputError
        If the content does not fit; the message says what, where, and what to do.
    """
    from reportkit.analysis.read_results import read_results, request_of

    settings = (settings or Settings()).replace(**options)
    request = request_of(
        settings, columns=columns, format=format, filter=filter, wide_systems=wide_systems, exclude=exclude
    )
    return read_results(_with(source, more), settings, request, system_a=system_a, system_b=system_b)


def _with(source: Given, more: Sequence[str | Path]) -> Given:
    """Return all paths in one list, or the frame as it is."""
    if not more:
        return source
    if isinstance(source, (str, Path)):
        return [source, *more]
    if isinstance(source, Sequence):
        return [*source, *more]
    raise SettingsError("a frame was given, and further paths", remedy="give either")


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
    from reportkit.analysis.read_results import request_of
    from reportkit.scores.read import read as read_files

    paths = [source, *more] if isinstance(source, (str, os.PathLike)) else [*source, *more]
    settings = settings or Settings()
    settings = settings.replace(metric=metric) if metric else settings
    request = request_of(
        settings, filter=filter, format=format, columns=columns, wide_systems=wide_systems, exclude=exclude
    )
    if progress is not None:
        request = dataclasses.replace(request, progress=progress)
    return read_files(paths, request)


def compare(
    source: Results | PrintedResults | Given,
    a: str | None = None,
    b: str | None = None,
    *,
    baseline: str | Sequence[str] = (),
    systems: Sequence[str] = (),
    metric: str | Sequence[str] | None = None,
    datasets: str | Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    alpha: float | Sequence[float] | None = None,
    alternative: ClaimAlternative | None = None,
    dependence: Dependence | None = None,
    missing: Missing | None = None,
    pairing: Pairing | None = None,
    test: str | None = None,
    rope: float | None = None,
    rng: int | Generator | None = None,
    workers: Workers = None,
    settings: Settings | None = None,
    **more: Any,
) -> Analysis:
    """Test on how many datasets, and on which, a system is better.

    Without names, all pairs are compared in both directions and corrected together.

    Parameters
    ----------
    source : DataFrame, str, Path, sequence of paths, Reading, Results or PrintedResults
        What was measured, or the files and folders that hold it.
    a, b : str
        The claim: A is better than B. `compare(df, "ours", "bert")`
    baseline : str or sequence of str
        Every other system against it, corrected together. `baseline="bert"`
    systems : sequence of str
        These systems only; default all. `systems=["ours", "bert"]`
    metric : str or sequence of str
        Metric, the primary one first; default the only one. `metric="f1"`
    datasets : str or sequence of str
        These datasets only; default all. `datasets=["sst2", "rte"]`
    columns : mapping of str to str
        What columns hold, where names do not say it. `columns={"system": "Model"}`
    alpha : float or sequence of float
        Levels, each with a mark; default (.05, .01). `alpha=0.05`
    alternative : {"greater", "two-sided"}
        Default "greater": the direction of a claim was chosen before the results were seen.
    dependence : {"any", "independent"}
        Default "any" assumes nothing; "independent": no two datasets share instances.
    missing : {"error", "drop", "worst"}
        Instances that a system has no score for; default "error".
    pairing : {"paired", "unpaired"}
        Default "paired": all systems were scored on the same instances.
    test : str
        One test for all datasets; default the one that fits the scores. `test="wilcoxon"`
    rope : float
        Largest difference that does not matter; adds posteriors. `rope=0.01`
    rng : int or numpy.random.Generator
        Seed of all random resamples; default 0.
    workers : int or "auto"
        Processes; the numbers are the same. Default one. `workers=4`
    settings : Settings
        Everything else; what is named here comes first. `settings=Settings(runs="fixed")`
    **more
        Single fields of `Settings`; `format` and `filter` of files; `claims` of printed results;
        `progress`; `memory_limit`, `cluster` and `client` of large results.

    Returns
    -------
    Analysis

    Raises
    ------
    ReportkitError
        If the results or the settings do not fit; the message says what to do.
    """
    from reportkit.analysis.compare import compare_results
    from reportkit.analysis.read_results import request_of
    from reportkit.parallel import workers_of
    from reportkit.scores.files import may_be_large
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.read import paths_of
    from reportkit.scores.results import Results

    named = {
        "metric": metric, "datasets": datasets, "alpha": alpha, "alternative": alternative, "dependence": dependence,
        "missing": missing, "pairing": pairing, "test": test, "rope": rope, "rng": rng,
    }  # fmt: skip
    extra = {name: more.pop(name) for name in _NO_SETTINGS if name in more}
    for name in more:
        if name not in SETTING_NAMES:
            known = (*SETTING_NAMES, "systems", "baseline", "columns", "workers", *_NO_SETTINGS)
            raise UnknownNameError("setting", name, known, meant=meant_by(name, Settings))
    if alternative is not None and a is not None and b is not None:
        check_alternative(alternative, swapped=f"compare(..., {b!r}, {a!r})")
    changes = {name: value for name, value in named.items() if value is not None}
    settings = (settings or Settings()).replace(**changes, **more)
    if (a is None) != (b is None):
        raise SettingsError("one system was named", remedy="name two, or one system and a baseline")
    if a is not None and a == b:
        raise SettingsError(f"{a!r} is compared with itself", remedy="name two different systems")
    how = {"columns": columns, "format": extra.pop("format", None), "filter": extra.pop("filter", None)}
    memory_limit = extra.pop("memory_limit", None)
    by = {"workers": workers, "cluster": extra.pop("cluster", None), "client": extra.pop("client", None)}
    with workers_of(by) as where:
        paths = paths_of(source)
        if paths and (memory_limit is not None or may_be_large(paths)):
            from reportkit.analysis.read_large import read_large  # only for what may be large

            found = read_large(
                paths,
                settings,
                request_of(settings, **how),
                workers=None if workers == "auto" else where,
                memory_limit=memory_limit,
            )
            source = source if found is None else found
        if not isinstance(source, (Results, PrintedResults)):
            source = read(source, settings=settings, system_a=a, system_b=b, **how)
        return compare_results(
            source, a, b, systems=systems, baseline=baseline, settings=settings, workers=where, **extra
        )


_NO_SETTINGS = ("format", "filter", "claims", "progress", "memory_limit", "cluster", "client")
"""What `compare` takes besides its parameters and the fields of `Settings`."""


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
    from reportkit.rendering.paper_update import pieces_of, read_pieces
    from reportkit.rendering.paper_update import update_paper as put_in

    pieces = read_pieces(Path(report)) if isinstance(report, (str, Path)) else pieces_of(report.report().model)
    named = {**({} if label is None else {label: table}), **(labels or {})}
    return put_in(paper, pieces, named or None, keep_caption=keep_caption, dry_run=dry_run)
