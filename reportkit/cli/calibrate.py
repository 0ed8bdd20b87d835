"""`reportkit calibrate RESULTS`: whether p-values can be trusted, and what a gain is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.appearance import APPEARANCE_NAMES, Appearance
from reportkit.cli.declared_options import Choice, columns_option, given, options_of, where_given, work_options
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.cli.writing import write_and_say, writing_options
from reportkit.settings import SETTING_NAMES, Settings

_SETTINGS = ("datasets", "metric", "alpha", "test", "higher_is_better", "kind", "missing", "rng")
_STUDY = ("baseline", "systems", "families", "quick", "parts", "toy", "pair_test", "n_replicates")
_PARTS = Choice(("null", "joint", "pairs", "sizes", "bins", "domains"))


@click.command(
    "calibrate",
    cls=GroupedCommand,
    common=(
        *("system", "baseline", "systems", "families", "columns", "datasets", "metric", "higher_is_better", "missing"),
        *("alpha", "test", "quick", "parts", "workers", "output"),
    ),
)
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--system", metavar="A", help="One system of a pair; with --baseline, the other.")
@click.option("--baseline", metavar="B", help="System to pair with: --system, or every other one.")
@click.option("--only", "systems", multiple=True, metavar="S", help="Look at these systems only; repeatable.")
@click.option("--family", "families", metavar="NAME", help="Column with the family of each system.  [default: family]")
@click.option("--quick", is_flag=True, help="A first look: fewer replicates, wider intervals.")
@click.option("--part", "parts", type=_PARTS, multiple=True, help="Only these parts; repeatable.")
@click.option("--toy", is_flag=True, help="Add the simulations of Dror et al. (2017), section 5.")
@click.option("--pair-test", metavar="T", help="Test of all pairs.  [default: paired-bootstrap where it fits]")
@click.option("--replicates", "n_replicates", type=int, metavar="R", help="Simulated data sets.  [default: 2000]")
@work_options
@options_of(Settings, *_SETTINGS)
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
    from reportkit.analysis.calibration import calibrate
    from reportkit.cli.progress import progress_bar
    from reportkit.errors import SettingsError

    if options["system"] and not options["baseline"]:
        raise SettingsError("one system was named", remedy="name the other one: --baseline B")
    changes = given(options, (*SETTING_NAMES, *_STUDY)) | where_given(options)
    pair = (options["system"], changes.pop("baseline")) if options["system"] else (None, None)
    with progress_bar(quiet=options["quiet"]) as stages:
        found = calibrate(results, *pair, columns=options["columns"], stages=stages, **changes)
    if look := given(options, APPEARANCE_NAMES):
        found = found.styled(**look)
    with progress_bar("writing", quiet=options["quiet"]):
        report = found.report().model
    write_and_say(report, options["output"], pdf=options["pdf"], quiet=options["quiet"])
    return 1 if any(item.severity in ("error", "warning") for item in report.findings) else 0
