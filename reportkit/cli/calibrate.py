"""`reportkit calibrate RESULTS`: whether p-values can be trusted, and what a gain is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.appearance import Appearance
from reportkit.cli.declared_options import columns_option, given, headings_of, options_of, where_given
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.cli.writing import write_and_say, writing_choices, writing_options
from reportkit.settings import Settings
from reportkit.settings.arguments import CalibrationArguments, CalibrationChoices, ComparisonArguments

_WHERE = ("workers", "cluster")
_SETTINGS = (
    *("datasets", "metric", "alpha", "profile", "test", "higher_is_better", "kind", "missing", "mixed_scales", "rng"),
    "across_datasets",
)


@click.command(
    "calibrate",
    cls=GroupedCommand,
    headings={
        **headings_of(CalibrationArguments, CalibrationChoices, Settings),
        "Where the work is done": _WHERE,
    },
    common=(
        *("system", "baseline", "systems", "families", "columns", "datasets", "metric", "higher_is_better", "missing"),
        *("alpha", "test", "quick", "parts", "workers", "output"),
    ),
    short_help="See whether p-values can be trusted, and what a gain is worth.",
)
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--system", metavar="A", help="One system of a pair; with --baseline, the other.")
@options_of(CalibrationArguments)
@options_of(CalibrationChoices)
@options_of(ComparisonArguments, *_WHERE)
@options_of(Settings, *_SETTINGS, single=("metric", "alpha"))
@options_of(Appearance, "venue", "full")
@columns_option
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("calibration"), show_default=True)
@writing_options
def calibrate_command(results: Path, **options: Any) -> int:
    """See whether the p-values of RESULTS can be trusted, and what a gain on these datasets is worth.

    RESULTS are read as by `reportkit build`. P-values are simulated where there is no effect, all pairs of systems are
    compared, and a report is written.

    The exit code is 0; 1 if a test is found too liberal or counting is not safe; 2 if nothing can be calibrated.
    """
    from reportkit.analysis.calibrate import calibrate
    from reportkit.cli.progress import spinner, stage_bar
    from reportkit.errors import SettingsError

    quiet = bool(options["quiet"])
    if options["system"] and not options["baseline"]:
        raise SettingsError("one system was named", remedy="name the other one: --baseline B")
    changes = given(options, Settings) | given(options, CalibrationChoices) | given(options, CalibrationArguments)
    changes |= where_given(options, _WHERE)
    if options["system"]:
        del changes["baseline"]
    pair = (options["system"], options["baseline"]) if options["system"] else (None, None)
    with stage_bar(quiet=quiet) as stages:
        found = calibrate(
            results,
            *pair,
            columns=options["columns"],
            stages=stages,
            **changes,
        )
    if look := given(options, Appearance):
        found = found.styled(**look)
    with spinner("writing", quiet=quiet):
        report = found.report().model
    write_and_say(report, options["output"], **writing_choices(options))
    return 1 if any(item.severity in ("error", "warning") for item in report.findings) else 0
