"""What `reportkit build` does, once its options are read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from reportkit.analysis.analysis import Analysis
from reportkit.analysis.read_results import read_results, request_of
from reportkit.api import compare
from reportkit.cli.config import BuildConfig, configured
from reportkit.cli.gate import Requirement, candidate_and_baseline, decide, pull_request
from reportkit.cli.inspect import command_typed, show_reading
from reportkit.cli.plain_lines import say
from reportkit.cli.progress import progress_bar, spinner
from reportkit.cli.writing import write_and_say, writing_choices
from reportkit.errors import SettingsError, UnknownNameError, nearest
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.rendering.documents import unicode_finding
from reportkit.rendering.office import require_formats
from reportkit.replicability.claims import NOT_COMPARED
from reportkit.replicability.missing_data import DATASETS_LEFT_OUT
from reportkit.scores.files import is_url, may_be_large
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import Reading, read
from reportkit.scores.results import Results
from reportkit.scores.understanding import Request
from reportkit.settings.arguments import AUTO
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

FINDINGS = 1
TO_ACT_ON = frozenset({DATASETS_LEFT_OUT, NOT_COMPARED, "missing-drop"})
"""Warnings that data which were given are not in the report."""

EVERYDAY_NAMES = {
    **dict.fromkeys(("t-test", "ttest", "students-t"), "paired-t"),
    **dict.fromkeys(("bootstrap", "bootstrap-test"), "paired-bootstrap"),
    **dict.fromkeys(("permutation", "permutation-test", "randomization"), "sign-flip"),
    **dict.fromkeys(("fisher", "fishers-exact"), "fisher-exact"),
}
"""What tests are called that have another name here."""


def run_build(given: Sequence[str], options: Mapping[str, Any]) -> int:
    """Read, compare, write, and say what was found.

    Returns
    -------
    int
        0, or 1 if there is a finding of severity "error", or if data that were given are not in the report.
    """
    quiet = bool(options["quiet"])
    # of URLs, `Path` would take a slash away
    results = [path if is_url(path) else _compressed(Path(path)) for path in given]
    config = configured(Path(PurePosixPath(results[0]).name) if isinstance(results[0], str) else results[0], options)
    if config.path is not None and not quiet:
        say(f"settings from {config.path}", err=True)
    if options["dry_run"]:
        show_reading(understood(results, config, quiet=True))
        return 0
    require_formats(config.appearance.formats)
    requirement = Requirement.parse(options["require"]) if options["require"] else None
    _known_test(config.settings.test)
    where = {name: options[name] for name in ("workers", "cluster") if options[name] is not None} or {"workers": AUTO}
    analysis = analyse(results, config, quiet=quiet, where=where, memory_limit=options["memory_limit"])
    with spinner("writing", quiet=quiet):
        report = dataclasses.replace(analysis, appearance=config.appearance).report().model
    write_and_say(report, config.output, templates=config.templates, **writing_choices(options))
    if (finding := unicode_finding(report)) is not None and not quiet:
        say(f"{finding.severity} ({finding.code}) {finding.message}", f"  to do: {finding.remedy}", err=True)
    met = requirement is None or _required(analysis, requirement, results, config, options)
    return FINDINGS if not met or any(_to_act_on(item) for item in report.findings) else 0


def _known_test(name: str | None) -> None:
    """Refuse a test that there is not before anything is read."""
    if name is None or name in SIGNIFICANCE_TESTS:
        return
    near = nearest(name, [*EVERYDAY_NAMES, *SIGNIFICANCE_TESTS])
    meant = dict.fromkeys(EVERYDAY_NAMES.get(found, found) for found in near)
    raise UnknownNameError("significance test", name, sorted(SIGNIFICANCE_TESTS), meant=meant)


def _required(
    analysis: Analysis,
    requirement: Requirement,
    results: Sequence[Path | str],
    config: BuildConfig,
    options: Mapping[str, Any],
) -> bool:
    """Decide, say it in one line, and write it for a pull request."""
    if analysis.results is None:
        raise SettingsError("--require needs scores by instance", remedy="give the results, not a printed table")
    candidate, baseline = candidate_and_baseline(analysis.results.systems, config.systems, config.baselines)
    decision = decide(analysis.results, candidate, baseline, requirement, config.settings)
    say(f"{'requirement met' if decision.met else 'requirement not met'}: {decision.sentence}", err=not decision.met)
    frame = understood(results, config, quiet=True).frame
    text = pull_request(decision, options["require"], frame, candidate, baseline)
    (config.output / "pull-request.md").write_text(text, encoding="utf-8", newline="\n")
    return decision.met


def _to_act_on(item: Finding) -> bool:
    return item.severity == "error" or (item.severity == "warning" and item.code in TO_ACT_ON)


def _compressed(results: Path) -> Path:
    """Take `results.csv.gz` for `results.csv` if only that is there, and say so."""
    compressed = results.parent / f"{results.name}.gz"
    if results.exists() or not compressed.is_file():
        return results
    say(f"{results} is not there; reading {compressed.name} beside it", err=True)
    return compressed


def understood(results: Sequence[Path | str], config: BuildConfig, *, quiet: bool) -> Reading:
    """Read the files, and say first what was understood."""
    with progress_bar("reading", quiet=quiet) as progress:
        reading = read(
            list(results),
            dataclasses.replace(_request(results, config), progress=progress),
            decimal=config.settings.decimal,
        )
    if not quiet:
        say(reading.sentence, "")
    return reading


def _request(results: Sequence[Path | str], config: BuildConfig) -> Request:
    return request_of(
        config.settings,
        filter=config.filter,
        format=config.file_format,
        columns=config.columns,
        wide_systems=config.wide_systems,
        exclude=config.exclude,
        command=command_typed(results),
    )


def analyse(
    results: Sequence[Path | str],
    config: BuildConfig,
    *,
    quiet: bool,
    where: Mapping[str, Any],
    memory_limit: str | None = None,
) -> Analysis:
    """Read the files and compare what the configuration names, by those and with the memory that the options name."""
    systems, baselines = config.systems, config.baselines
    pair = (systems[0], baselines[0]) if len(systems) == len(baselines) == 1 else (None, None)
    data: Results | PrintedResults | None = None
    if memory_limit is not None or may_be_large(results):
        data = _large(results, config, where, memory_limit, quiet=quiet)
    if data is None:
        reading = understood(results, config, quiet=quiet)
        with spinner("checking", quiet=quiet):
            data = read_results(reading, config.settings, _request(results, config), system_a=pair[0], system_b=pair[1])
    if isinstance(data, PrintedResults):
        return compare(data, settings=config.settings, claims=config.claims)
    if config.claims:
        raise SettingsError(
            "[[printed]] holds a paper's claims, but the results hold scores by instance",
            where=str(config.path),
            remedy="leave [[printed]] out, or give the paper's table as results",
        )
    with progress_bar("testing", quiet=quiet) as progress:
        return compare(
            data,
            systems=systems,
            baseline=baselines,
            settings=config.settings,
            progress=progress,
            **where,
        )


def _large(
    results: Sequence[Path | str],
    config: BuildConfig,
    where: Mapping[str, Any],
    memory_limit: str | None,
    *,
    quiet: bool,
) -> Results | None:
    """Read files dataset by dataset, and say what they are; None where they are small and are read at once."""
    from reportkit.analysis.read_large import read_large
    from reportkit.parallel import workers_of

    def said(text: str) -> None:
        if not quiet:
            say(text, err=True)

    with workers_of(where, said) as workers, progress_bar("reading", quiet=quiet) as progress:
        found = read_large(
            results,
            config.settings,
            dataclasses.replace(_request(results, config), progress=progress),
            workers=None if where.get("workers") == AUTO else workers,
            memory_limit=memory_limit,
        )
    if found is not None and not quiet:
        counts = counted(len(found.systems), "system"), counted(len(found.dataset_names), "dataset")
        say(f"{found.source}: {listed(counts)}, {counted(found.n_rows, 'row')}, read dataset by dataset", "")
    return found


__all__ = ["analyse", "run_build"]
