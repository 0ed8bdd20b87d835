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
    where_given,
    work_options,
    writing_options,
)
from reportkit.settings import Settings

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.analysis.analysis import Analysis
    from reportkit.cli.config import BuildConfig
    from reportkit.cli.gate import Requirement
    from reportkit.scores.results import Results

EVERYDAY_NAMES = {
    **dict.fromkeys(("t-test", "ttest", "students-t"), "paired-t"),
    **dict.fromkeys(("bootstrap", "bootstrap-test"), "paired-bootstrap"),
    **dict.fromkeys(("permutation", "permutation-test", "randomization"), "sign-flip"),
}
"""What tests are called that have another name here."""

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
@click.option("--templates", type=PATH, multiple=True, help="Folder with templates of your own.")
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
    from reportkit.cli.terminal import progress_bar, say, say_finding, write_and_say
    from reportkit.rendering.documents import unicode_finding
    from reportkit.replicability.claims import NOT_COMPARED
    from reportkit.replicability.missing_data import DATASETS_LEFT_OUT
    from reportkit.scores.files import is_url

    quiet, first = bool(options["quiet"]), results[0]
    config = configured(Path(PurePosixPath(first).name if is_url(first) else first), options)
    if config.path is not None and not quiet:
        say(f"settings from {config.path}", err=True)
    requirement = _checked(config, options["require"])
    analysis, frame = compared(results, config, options)
    with progress_bar("writing", quiet=quiet):
        report = dataclasses.replace(analysis, appearance=config.appearance).report().model
    write_and_say(report, config.output, options, config.templates)
    if (finding := unicode_finding(report)) is not None and not quiet:
        say_finding(finding, err=True)
    met = requirement is None or _required(analysis, frame, requirement, config)
    left_out = (DATASETS_LEFT_OUT, NOT_COMPARED, "missing-drop")
    failed = any(
        item.severity == "error" or (item.severity == "warning" and item.code in left_out) for item in report.findings
    )
    return int(failed or not met)


def _checked(config: BuildConfig, required: str | None) -> Requirement | None:
    """Return the requirement; refuse formats, a requirement or a test that cannot be before anything is read."""
    from reportkit.cli.gate import Requirement
    from reportkit.errors import UnknownNameError, nearest
    from reportkit.rendering.office import require_formats
    from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

    require_formats(config.appearance.formats)
    if (name := config.settings.test) is not None and name not in SIGNIFICANCE_TESTS:
        meant = [EVERYDAY_NAMES.get(near, near) for near in nearest(name, [*EVERYDAY_NAMES, *SIGNIFICANCE_TESTS])]
        raise UnknownNameError("significance test", name, sorted(SIGNIFICANCE_TESTS), meant=dict.fromkeys(meant))
    return Requirement.parse(required) if required else None


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
    from reportkit.analysis.read_large import read_large
    from reportkit.analysis.read_results import read_results
    from reportkit.api import compare
    from reportkit.cli.terminal import progress_bar, say
    from reportkit.parallel import workers_of
    from reportkit.scores.files import may_be_large
    from reportkit.scores.read import read
    from reportkit.scores.reading import Reading

    settings, systems, baselines = config.settings, config.systems, config.baselines
    quiet, where, memory_limit = options.get("quiet", False), where_given(options), options.get("memory_limit")
    source: Reading | Results | None = None
    with progress_bar("reading", quiet=quiet) as progress:
        request = config.request(progress)
        if memory_limit is not None or may_be_large(paths):
            with workers_of(where) as given:
                workers = None if where.get("workers") == "auto" else given
                source = read_large(paths, settings, request, workers=workers, memory_limit=memory_limit)
        source = source or read(list(paths), request)
    sentence, frame = f"{source.source}: {source.n_rows:,} rows, read dataset by dataset", None
    if isinstance(source, Reading):
        sentence, frame = source.sentence, source.frame
    if not quiet:
        say(sentence, "")
    pair = (systems[0], baselines[0]) if len(systems) == len(baselines) == 1 else (None, None)
    who: dict[str, Any] = {"systems": systems, "baseline": baselines, "claims": config.claims}
    with progress_bar("testing", quiet=quiet) as progress:
        if isinstance(source, Reading):
            data = read_results(source, settings, request, system_a=pair[0], system_b=pair[1])
        else:
            data = source
        return compare(data, **who, settings=settings, progress=progress, **where), frame


def _required(analysis: Analysis, frame: pd.DataFrame | None, requirement: Requirement, config: BuildConfig) -> bool:
    """Decide, say it in one line, and write it for a pull request."""
    from reportkit.cli.gate import candidate_and_baseline, decide, pull_request
    from reportkit.cli.terminal import say
    from reportkit.errors import SettingsError

    if analysis.results is None:
        raise SettingsError("--require needs scores by instance", remedy="give the results, not a printed table")
    candidate, baseline = candidate_and_baseline(analysis.results.systems, config.systems, config.baselines)
    decision = decide(analysis.results, candidate, baseline, requirement, config.settings)
    say(f"requirement {'met' if decision.met else 'not met'}: {decision.sentence}", err=not decision.met)
    text = pull_request(decision, requirement, frame, candidate, baseline)
    (config.output / "pull-request.md").write_text(text, encoding="utf-8", newline="\n")
    return decision.met
