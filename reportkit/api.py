"""Read results, compare systems; the accessor and the command call these functions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import meant_by
from reportkit.settings import SETTING_NAMES, Settings, check_alternative

if TYPE_CHECKING:
    from numpy.random import Generator

    from reportkit.analysis.analysis import Analysis
    from reportkit.analysis.read_results import Given
    from reportkit.parallel import Workers as OpenWorkers
    from reportkit.replicability.printed import PrintedClaim
    from reportkit.scores.choices import Missing, Pairing
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.questions import Request
    from reportkit.scores.reading import Reading
    from reportkit.scores.scores import Results
    from reportkit.settings import ClaimAlternative, Dependence
    from reportkit.settings.arguments import Progress, Workers

_OF_FILES = ("filter", "wide_systems", "exclude")
_NO_SETTINGS = (*_OF_FILES, "claims", "progress", "memory_limit", "cluster", "client", "request")
"""Options of `compare` that are neither parameters of its own nor fields of `Settings`."""


def read(
    source: Given, *, columns: Mapping[str, str] | None = None, settings: Settings | None = None, **options: Any
) -> Results | PrintedResults:
    """Read and validate results: scores by instance, or what a paper prints.

    Parameters
    ----------
    source : str, Path, sequence of these, DataFrame or Reading
        Files, folders or patterns: what an evaluation tool wrote, or tables (CSV, JSON, JSON Lines, Parquet,
        Excel), also compressed or in archives; or what `inspect` understood of them. Or a frame (of pandas, polars
        or pyarrow). Named levels of a frame's index count as columns if one of them
        is needed. Scores of four bytes (float32) are rounded to the 7 significant digits that they hold.
    columns : mapping of str to str, optional
        Role to column name, {"system": "model"}, where names are not recognised.
    settings : Settings, optional
        All settings at once; those that are given one by one come first.
    **options
        Single fields of `Settings`, such as `metric`, `datasets`, `missing` and `higher_is_better`. `filter`,
        which reading of the answers, where files hold several: a filter of lm-evaluation-harness, a split of HELM.
        `wide_systems`, the columns that hold systems, in wide form. `exclude`, patterns of files, systems and datasets
        that are left out. `system_a` and `system_b`, the systems behind `score_a` and `score_b` of printed results
        without such columns.

    Raises
    ------
    ReadingError
        If a file cannot be read.
    QuestionError
        If more than one reading is possible, or none; the message says what settles it.
    InputError
        If the content does not fit; the message says what, where, and what to do.
    """
    named = {name: options.pop(name) for name in ("system_a", "system_b") if name in options}
    settings, said = _asked(settings, columns, options)
    return _results(source, settings, None, said, **named)


def _results(
    source: Given, settings: Settings, request: Request | None, said: Mapping[str, Any], **named: str | None
) -> Results | PrintedResults:
    """Read results; a frame that is in the long form and complete is taken as it is."""
    import pandas as pd

    from reportkit.analysis.read_results import read_results
    from reportkit.scores.building import stated
    from reportkit.scores.table import Asked

    higher, usual = settings.higher_is_better, settings.pairing == "paired" and not settings.across_datasets
    nothing_said = request is None and not any(said.values()) and not settings.metrics
    if isinstance(source, pd.DataFrame) and usual and nothing_said and not isinstance(higher, Mapping):
        asked = Asked(higher_is_better={} if higher is None else higher, kind=settings.kind, missing=settings.missing)
        found = stated(source, asked, datasets=settings.datasets, mixed_scales=settings.mixed_scales)
        if found is not None:
            return found
    return read_results(source, settings, request, **said, **named)


def _asked(
    settings: Settings | None, columns: Mapping[str, str] | None, options: dict[str, Any]
) -> tuple[Settings, dict[str, Any]]:
    """Return the settings with the options, and the statements on columns and files."""
    said = {name: options.pop(name) for name in _OF_FILES if name in options}
    return (settings or Settings()).replace(**options), {**said, "columns": columns}


def inspect(
    source: str | Path | Sequence[str | Path],
    *,
    columns: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> Reading:
    r"""Read files and say what was understood of them, without any statistics.

    Parameters
    ----------
    source : str, Path or sequence of these
        Files, folders or patterns.
    columns, settings, **options
        As for `read`.

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

    settings, said = _asked(settings, columns, options)
    return read_files(source, request_of(settings, **said))


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
        Columns by role, where their names do not say it. `columns={"system": "Model"}`
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
        Single fields of `Settings`; `filter`, `wide_systems`, `exclude` or a whole `request` of files; `claims` of
        printed results; `progress`; `memory_limit`, `cluster` and `client` of large results.

    Returns
    -------
    Analysis

    Raises
    ------
    ReportkitError
        If the results or the settings do not fit; the message says what to do.
    """
    import pandas as pd

    from reportkit.analysis.read_results import request_of
    from reportkit.parallel import workers_of
    from reportkit.scores.files import may_be_large
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.read import paths_of
    from reportkit.scores.scores import Results

    library = {"polars": "polars", "pyarrow": "pyarrow"}.get(type(source).__module__.partition(".")[0], "pandas")
    extra = {name: more.pop(name) for name in _NO_SETTINGS if name in more}
    for name in more:
        if name not in SETTING_NAMES:
            known = (*SETTING_NAMES, "systems", "baseline", "columns", "workers", *_NO_SETTINGS)
            raise UnknownNameError("setting", name, known, meant=meant_by(name, Settings))
    if alternative is not None and a is not None and b is not None:
        check_alternative(alternative, swapped=f"compare(..., {b!r}, {a!r})")
    if (a is None) != (b is None):
        raise SettingsError("one system was named", remedy=f"name two, or compare all with it: baseline={a or b!r}")
    if a is not None and a == b:
        raise SettingsError(f"{a!r} is compared with itself", remedy="name two different systems")
    named = {
        "metric": metric, "datasets": datasets, "alpha": alpha, "alternative": alternative, "dependence": dependence,
        "missing": missing, "pairing": pairing, "test": test, "rope": rope, "rng": rng,
    }  # fmt: skip
    more |= {name: value for name, value in named.items() if value is not None}
    more |= {name: extra.pop(name) for name in _OF_FILES if name in extra}
    settings, said = _asked(settings, columns, more)
    request = extra.pop("request", None)
    memory_limit = extra.pop("memory_limit", None)
    by = {"workers": workers, "cluster": extra.pop("cluster", None), "client": extra.pop("client", None)}
    with workers_of(by) if any(value is not None for value in by.values()) else nullcontext() as where:
        paths = None if isinstance(source, pd.DataFrame) else paths_of(source)
        if paths and (memory_limit is not None or may_be_large(paths)):
            from reportkit.analysis.read_large import read_large  # only for what may be large

            readers, request = None if workers == "auto" else where, request or request_of(settings, **said)
            found = read_large(paths, settings, request, workers=readers, memory_limit=memory_limit)
            source = source if found is None else found
        if not isinstance(source, (Results, PrintedResults)):
            source = _results(source, settings, request, said, system_a=a, system_b=b)
        analysis = _compared(source, a, b, systems, baseline, settings, where, **extra)
        return dataclasses.replace(_with_further(analysis), library=library)


def _compared(
    results: Results | PrintedResults,
    system_a: str | None,
    system_b: str | None,
    systems: str | Sequence[str],
    baseline: str | Sequence[str],
    settings: Settings,
    workers: OpenWorkers | None,
    claims: Sequence[PrintedClaim] = (),
    progress: Progress | None = None,
) -> Analysis:
    """Compare systems of results that were read; `claims` is what the paper says of printed results."""
    from reportkit.analysis.analysis import Analysis
    from reportkit.replicability.compare import claims_for, compare_systems, metrics_for
    from reportkit.replicability.printed import compare_printed
    from reportkit.scores.checks import refuse_out_of_range
    from reportkit.scores.printed import PrintedResults

    if isinstance(results, PrintedResults):
        return compare_printed(results.select("dataset", settings.datasets), settings, claims, into=Analysis)
    if claims:
        raise SettingsError(
            "claims are what a paper prints about printed results, and these results hold scores",
            remedy="leave out claims, or give the table of the paper: dataset, score_a, score_b, p_value",
        )
    results = results if settings.names_metrics else results.one_metric_each()
    results = results.select(metric=metrics_for(results, settings), datasets=settings.datasets)
    if settings.score_range is not None:
        refuse_out_of_range(results, settings.score_range)
    chosen, against = ([names] if isinstance(names, str) else list(names) for names in (systems, baseline))
    if system_a is not None and system_b is not None:
        if not all(isinstance(name, str) for name in (system_a, system_b)):
            raise SettingsError(
                "a claim about two systems takes two names",
                where=f"{system_a!r} and {system_b!r}",
                remedy=f"for several, say systems={system_a!r}, baseline={system_b!r}",
            )
        if chosen or against:
            raise SettingsError("two systems, and systems or a baseline, were named", remedy="name either")
        chosen, against = [system_a], [system_b]
    who = claims_for(results.systems, chosen, against, declared=settings.alternative != "two-sided")
    found = compare_systems(results, who, settings, into=Analysis, progress=progress, workers=workers)
    return dataclasses.replace(found, results=results)


def _with_further(analysis: Analysis) -> Analysis:
    """Add Friedman's test, posteriors and Bayes factors where they are asked for."""
    from reportkit.replicability.family import by_severity

    settings, findings = analysis.settings, [*analysis.findings]
    friedman = evidence = None
    if settings.friedman:
        from reportkit.replicability.friedman import friedman_of

        friedman = friedman_of(analysis)
        findings += friedman.findings
    if analysis.results is not None and (settings.rope is not None or settings.bayes):
        from reportkit.bayes.evidence.claims import evidence_for  # only where it was asked for

        evidence = evidence_for(analysis.results, analysis)
        findings += evidence.findings
    return dataclasses.replace(analysis, findings=by_severity(findings), friedman_outcome=friedman, evidence=evidence)
