"""What `reportkit build` does, once its options are read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reportkit.analysis.analysis import Analysis
from reportkit.analysis.read_results import read_results, request_of
from reportkit.api import compare
from reportkit.cli.config import BuildConfig, configured
from reportkit.cli.inspect import command_typed, note_lines, show_reading
from reportkit.cli.plain_lines import say
from reportkit.cli.progress import progress_bar, spinner
from reportkit.cli.writing import write_and_say, writing_choices
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.rendering.images import Draughtsman
from reportkit.replicability.claims import NOT_COMPARED
from reportkit.replicability.expected_work import ExpectedWork
from reportkit.replicability.missing_data import DATASETS_LEFT_OUT
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import Reading, read
from reportkit.scores.screening import DOUBTFUL_DIRECTION
from reportkit.scores.understanding import Request
from reportkit.settings.arguments import AUTO

FINDINGS = 1
TO_ACT_ON = frozenset({DATASETS_LEFT_OUT, NOT_COMPARED, "missing-drop", DOUBTFUL_DIRECTION})
"""Warnings that data which were given are not in the report, or may have been read the wrong way round."""


def run_build(given: Sequence[str], options: Mapping[str, Any], draughtsman: Draughtsman) -> int:
    """Read, compare, write, and say what was found.

    Returns
    -------
    int
        0, or 1 if there is a finding of severity "error", or if data that were given are not in the report.
    """
    quiet = bool(options["quiet"])
    results = [_compressed(Path(path)) for path in given]
    config = configured(results[0], options)
    if config.path is not None and not quiet:
        say(f"settings from {config.path}", err=True)
    if options["dry_run"]:
        show_reading(understood(results, config, quiet=True))
        return 0
    analysis = analyse(results, config, quiet=quiet)
    with spinner("writing", quiet=quiet):
        report = dataclasses.replace(analysis, appearance=config.appearance).report().model
    draughtsman.begin(report)
    draw = draughtsman.finished
    # while they are drawn
    from reportkit.rendering.latex.latex_head import unicode_finding
    from reportkit.rendering.layout.width_advice import width_findings

    write_and_say(report, config.output, templates=config.templates, draw=draw, **writing_choices(options))
    typesetting = [finding for finding in (unicode_finding(report), *width_findings(report)) if finding is not None]
    for finding in () if quiet else typesetting:
        say(f"{finding.severity} ({finding.code}) {finding.message}", f"  to do: {finding.remedy}", err=True)
    return FINDINGS if any(_to_act_on(item) for item in report.findings) else 0


def _to_act_on(item: Finding) -> bool:
    return item.severity == "error" or (item.severity == "warning" and item.code in TO_ACT_ON)


def _compressed(results: Path) -> Path:
    """Take `results.csv.gz` for `results.csv` if only that is there, and say so."""
    compressed = results.parent / f"{results.name}.gz"
    if results.exists() or not compressed.is_file():
        return results
    say(f"{results} is not there; reading {compressed.name} beside it", err=True)
    return compressed


def understood(results: Sequence[Path], config: BuildConfig, *, quiet: bool) -> Reading:
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


def _request(results: Sequence[Path], config: BuildConfig) -> Request:
    return request_of(
        config.settings,
        filter=config.filter,
        format=config.file_format,
        columns=config.columns,
        wide_systems=config.wide_systems,
        exclude=config.exclude,
        command=command_typed(results),
    )


def analyse(results: Sequence[Path], config: BuildConfig, *, quiet: bool) -> Analysis:
    """Read the files and compare what the configuration names."""
    systems, baselines = config.systems, config.baselines
    pair = (systems[0], baselines[0]) if len(systems) == len(baselines) == 1 else (None, None)
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
            workers=AUTO,
            progress=progress,
            notice=lambda expected: None if quiet else _announced(expected),
        )


def _announced(expected: ExpectedWork) -> None:
    """Say before the work that it will take long, and what would be cheaper."""
    if (found := expected.finding(report=True)) is not None:
        say(*note_lines(found), "", err=True)


__all__ = ["analyse", "run_build"]
