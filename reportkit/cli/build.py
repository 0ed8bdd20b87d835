"""`reportkit build RESULTS`: from a file of results to a folder with a report."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from reportkit.appearance import Appearance
from reportkit.cli.options import (
    PATH,
    GroupedCommand,
    headed,
    options_of,
    reading_options,
    templates_option,
    where_given,
    work_options,
    writing_options,
)
from reportkit.cli.terminal import progress_bar, say, say_finding, write_and_say
from reportkit.settings import Settings

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.analysis.analysis import Analysis
    from reportkit.cli.config import BuildConfig

_who, _work = headed("Who is compared"), headed("Where the work is done")
_MEMORY = "Memory for all processes, such as 2GB: results are read some datasets at a time."
_REQUIRE = 'Exit with 1 unless it holds: "better", "not worse by 1", "no dataset worse".'


@click.command(
    "build",
    cls=GroupedCommand,
    common=(
        *("systems", "baseline", "require", "columns", "datasets", "metric", "higher_is_better"),
        *("alpha", "dependence", "missing", "test", "venue", "marks", "length", "output", "config"),
    ),
)
@click.argument("results", nargs=-1, required=True, type=click.Path())
@_who("--system", "systems", multiple=True, metavar="A", help="System claimed to be better; repeatable.")
@_who("--baseline", multiple=True, metavar="B", help="System to compare with; repeatable.")
@_who("--require", metavar="TEXT", help=_REQUIRE)
@reading_options
@options_of(Settings)
@options_of(Appearance)
@work_options
@_work("--memory-limit", metavar="SIZE", help=_MEMORY)
@templates_option
@click.option("--config", type=PATH, help="TOML; by default RESULTS.toml or reportkit.toml.")
@writing_options("report")
def build_command(results: tuple[str, ...], **options: Any) -> int:
    """Write a report from RESULTS: files, folders, patterns or URLs, as an evaluation harness or you wrote them.

    Results have one row per score (system, dataset, instance, score) or one column per system. With --system and
    --baseline, the claim is that the system is better; with neither, all pairs are compared.

    The exit code is 1 if there is an error, data are not in the report, or --require is not met; 2 if there is no
    report.
    """
    from reportkit.cli.config import configured
    from reportkit.cli.gate import Requirement, decide, pull_request
    from reportkit.rendering.documents import unicode_finding
    from reportkit.rendering.office import require_formats
    from reportkit.replicability.coverage import DATASETS_LEFT_OUT, NOT_COMPARED
    from reportkit.scores.files import is_url
    from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

    quiet, first = bool(options["quiet"]), results[0]
    config = configured(Path(PurePosixPath(first).name if is_url(first) else first), options)
    if config.path is not None and not quiet:
        say(f"settings from {config.path}", err=True)
    requirement = Requirement.parse(options["require"]) if options["require"] else None
    require_formats(config.appearance.formats)
    if config.settings.test is not None:
        _ = SIGNIFICANCE_TESTS[config.settings.test]  # an unknown name is an error before anything is read
    analysis, frame = compared(results, config, options)
    with progress_bar("writing", quiet=quiet):
        report = dataclasses.replace(analysis, appearance=config.appearance).report().model
    write_and_say(report, config.output, options, config.templates)
    if (finding := unicode_finding(report)) is not None and not quiet:
        say_finding(finding, err=True)
    met = True
    if requirement is not None:
        met, why = decide(analysis, requirement)
        say(f"requirement {'met' if met else 'not met'}: {why}", err=not met)
        verdict = f"**{'Met' if met else 'Not met'}: “{options['require']}”**\n\n{why}."
        text = pull_request(analysis, verdict, frame)
        (config.output / "pull-request.md").write_text(text, encoding="utf-8", newline="\n")
    left_out = (DATASETS_LEFT_OUT, NOT_COMPARED, "missing-drop")
    failed = any(
        item.severity == "error" or (item.severity == "warning" and item.code in left_out) for item in report.findings
    )
    return int(failed or not met)


def compared(
    paths: Sequence[str | Path], config: BuildConfig, options: Mapping[str, Any]
) -> tuple[Analysis, pd.DataFrame | None]:
    """Read files, say what was understood, and compare; large files are read dataset by dataset.

    Returns
    -------
    Analysis
    DataFrame or None
        What was read, in long form; None of large files.
    """
    from reportkit.api import compare
    from reportkit.scores.files import may_be_large
    from reportkit.scores.read import read
    from reportkit.scores.reading import Reading

    quiet, memory_limit = options.get("quiet", False), options.get("memory_limit")
    source: Reading | list[str | Path] = list(paths)
    with progress_bar("reading", quiet=quiet) as progress:
        request = config.request(progress)
        if memory_limit is None and not may_be_large(paths):
            source = read(source, request)
    frame = source.frame if isinstance(source, Reading) else None
    if isinstance(source, Reading) and not quiet:
        say(source.sentence, "")
    how: dict[str, Any] = {"settings": config.settings, "request": request, "memory_limit": memory_limit}
    if len(config.systems) == len(config.baselines) == 1:
        how |= {"a": config.systems[0], "b": config.baselines[0]}
    else:
        how |= {"systems": config.systems, "baseline": config.baselines}
    with progress_bar("testing", quiet=quiet) as progress:
        return compare(source, claims=config.claims, progress=progress, **how, **where_given(options)), frame
