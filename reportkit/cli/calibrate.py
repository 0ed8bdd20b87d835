"""Studies of the tests: `reportkit calibrate RESULTS` and `reportkit reproducibility PREDICTIONS`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.appearance import APPEARANCE_NAMES, RENDERED, Appearance
from reportkit.cli.options import (
    PATH,
    GroupedCommand,
    columns_option,
    given,
    options_of,
    where_given,
    work_options,
    writing_options,
)
from reportkit.cli.terminal import progress_bar, write_and_say
from reportkit.settings import SETTING_NAMES, Settings

_SETTINGS = ("datasets", "metric", "alpha", "test", "higher_is_better", "kind", "missing", "rng")
_STUDY = ("systems", "families", "quick", "parts", "toy", "pair_test", "n_replicates")
_PARTS = click.Choice(("null", "joint", "pairs", "sizes", "bins", "domains"))


@click.command(
    "calibrate",
    cls=GroupedCommand,
    common=(
        *("system", "baseline", "systems", "families", "columns", "datasets", "metric", "higher_is_better", "missing"),
        *("alpha", "test", "quick", "parts", "workers", "output"),
    ),
)
@click.argument("results", type=PATH)
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
@writing_options("calibration")
def calibrate_command(results: Path, **options: Any) -> int:
    """See whether the p-values of RESULTS can be trusted, and what a gain on these datasets is worth.

    RESULTS are read as by `reportkit build`. P-values are simulated where there is no effect, all pairs of systems are
    compared, and a report is written.

    The exit code is 0; 1 if a test is found too liberal or counting is not safe; 2 if nothing can be calibrated.
    """
    from reportkit.analysis.calibration import calibrate

    system, quiet = options["system"], options["quiet"]
    pair = (system, options["baseline"]) if system else ()
    asked = (*SETTING_NAMES, *_STUDY, *(() if system else ("baseline",)))
    changes = given(options, asked) | where_given(options)
    with progress_bar(quiet=quiet) as stages:
        found = calibrate(results, *pair, columns=options["columns"], stages=stages, **changes)
    with progress_bar("writing", quiet=quiet):
        report = found.styled(**given(options, APPEARANCE_NAMES)).report().model
    write_and_say(report, options["output"] or Path("calibration"), options)
    return int(any(item.severity in ("error", "warning") for item in report.findings))


@click.command("reproducibility", cls=GroupedCommand)
@click.argument("predictions", type=PATH)
@click.option("--system", metavar="A", help="System concluded to be better; by default the first of two by name.")
@click.option("--baseline", metavar="B", help="System to compare with.")
@click.option("--metric", metavar="M", help="accuracy, chunk-f1, or what the numbers are called.  [default: accuracy]")
@click.option("--lower-is-better", is_flag=True, help="Lower scores or estimates are better.")
@work_options
@options_of(Appearance, *RENDERED)
@columns_option
@writing_options("report")
def reproducibility_command(predictions: Path, **options: Any) -> int:
    """Write a report on reproducibility under re-splitting from PREDICTIONS, a table such as .csv, also gzipped.

    PREDICTIONS holds one row per prediction (system, repeat, replicate, fold, instance, prediction, gold; token, where
    labels are those of tokens), or per score of a fold (system, repeat, replicate, fold, score), or per finished
    estimate (system, repeat, estimator, value). `repeat` is the independent division of the corpus: at least 20
    are needed, and 200 are better; with one, the t-test of the blocked cross-validation is reported. `split_tables`
    of `reportkit.reproducibility_analysis` makes the divisions.

    The exit code is 0, or 2 if the report cannot be built.
    """
    from reportkit.analysis.reproducibility import reproducibility
    from reportkit.rendering.office import require_formats

    look = Appearance().replace(**given(options, APPEARANCE_NAMES))
    require_formats(look.formats)
    how = {"columns": options["columns"], "metric": options["metric"], **where_given(options)}
    how["higher_is_better"] = not options["lower_is_better"]
    with progress_bar("estimating", quiet=options["quiet"]):
        found: Any = reproducibility(predictions, options["system"], options["baseline"], **how)
        report = found.styled(**given(options, APPEARANCE_NAMES)).report().model
    write_and_say(report, options["output"] or Path("report"), options)
    return int(any(item.severity == "error" for item in report.findings))
