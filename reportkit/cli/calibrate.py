"""`reportkit calibrate RESULTS`: whether p-values can be trusted, and what a gain is worth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from reportkit.scores.table.roles import LONG_ROLES as ROLES


def _column_options(command: Any) -> Any:
    for role in reversed(ROLES):
        command = click.option(f"--{role}-column", metavar="NAME", help=f"Column that holds the {role}.")(command)
    return command


@click.command("calibrate", short_help="See whether p-values can be trusted, and what a gain is worth.")
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--system", metavar="A", help="One system of a pair; with --baseline, the other.")
@click.option("--baseline", metavar="B", help="System to pair with: --system, or every other one.")
@click.option("--only", "systems", metavar="S", multiple=True, help="Look at these systems only; repeatable.")
@click.option("--family", "family", metavar="NAME", help="Column with the family of each system.  [default: family]")
@click.option("--metric", metavar="M", help="Metric, if the results hold several; or bleu, f1, ... from counts.")
@click.option(
    "--part",
    "parts",
    type=click.Choice(["null", "joint", "pairs", "sizes", "bins", "domains"]),
    multiple=True,
    help="Only these parts; repeatable.",
)
@click.option("--quick", is_flag=True, help="A first look: fewer replicates, wider intervals.")
@click.option("--toy", is_flag=True, help="Add the simulations of Dror et al. (2017), section 5.")
@click.option("--test", metavar="T", help="The test to judge, by name, instead of the decision table's.")
@click.option("--pair-test", metavar="T", help="Test of all pairs.  [default: paired-bootstrap where it fits]")
@click.option(
    "--null",
    type=click.Choice(["auto", "signflip", "recentre", "seeds"]),
    help="How the null hypothesis is made true.  [default: auto]",
)
@click.option(
    "--runs-as",
    type=click.Choice(["runs", "single", "average", "instances"]),
    help="How runs of a system reach the test.  [default: runs]",
)
@click.option("--alpha", type=float, metavar="LEVEL", help="Level.  [default: 0.05]")
@click.option(
    "--profile", type=click.Choice(["recommended", "dror2017"]), help="Which decision table chooses the tests."
)
@click.option("--missing", type=click.Choice(["error", "drop", "worst"]), help="Instances without a score.")
@click.option("--lower-is-better", metavar="M", multiple=True, help="Metric of which less is better; repeatable.")
@click.option("--kind", metavar="K", help="Declare all scores ordinal, count, binary or continuous.")
@click.option("--replicates", "n_replicates", type=int, metavar="R", help="Simulated data sets.  [default: 2000]")
@click.option("--test-size", type=int, metavar="N", help="Units of the test sets drawn for the table by bins.")
@click.option("--seed", type=int, help="Seed of everything.  [default: 0]")
@click.option("--venue", metavar="V", help="Widths, type and captions of a venue, as for `reportkit build`.")
@_column_options
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("calibration"), show_default=True)
@click.option("--pdf", is_flag=True, help="Run LaTeX on the report.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def calibrate_command(results: Path, **options: Any) -> int:
    """See whether the p-values of RESULTS can be trusted, and what a gain on these datasets is worth.

    RESULTS are read as by `reportkit build`. P-values are simulated where there is no effect, all pairs of systems are
    compared, and a report is written: LaTeX, Markdown, HTML, JSON, CSV and figures.

    The exit code is 0; 1 if a test is found too liberal or counting is not safe; 2 if nothing can be calibrated.
    """
    return run_calibrate(results, options)


_PASSED = (
    "test",
    "pair_test",
    "null",
    "runs_as",
    "profile",
    "missing",
    "kind",
    "n_replicates",
    "test_size",
    "seed",
    "metric",
    "alpha",
)


def run_calibrate(results: Path, options: Mapping[str, Any]) -> int:
    """Read, simulate, write, and say what was found.

    Returns
    -------
    int
        0, or 1 if there is a warning about the p-values.
    """
    from reportkit.api import calibrate
    from reportkit.cli.progress import spinner, stage_bar
    from reportkit.cli.terminal import show_summary
    from reportkit.errors import SettingsError

    quiet = bool(options["quiet"])
    if options["system"] and not options["baseline"]:
        raise SettingsError("one system was named", remedy="name the other one: --baseline B")
    changes = {name: options[name] for name in _PASSED if options[name] is not None}
    if options["lower_is_better"]:
        changes["higher_is_better"] = dict.fromkeys(options["lower_is_better"], False)
    pair = (options["system"], options["baseline"]) if options["system"] else (None, None)
    with stage_bar(quiet=quiet) as stages:
        found = calibrate(
            results,
            *pair,
            baseline=None if options["system"] else options["baseline"],
            systems=options["systems"],
            families=options["family"],
            parts=options["parts"],
            quick=options["quick"],
            toy=options["toy"],
            columns={role: options[f"{role}_column"] for role in ROLES if options[f"{role}_column"]},
            stages=stages,
            **changes,
        )
    if options["venue"]:
        found = found.styled(venue=options["venue"])
    with spinner("writing", quiet=quiet):
        report = found.report()
        files = report.save(options["output"])
        if options["pdf"]:
            from reportkit.rendering.latex.pdf import compile_pdf

            files = (*files, compile_pdf(options["output"]))
    if not quiet:
        show_summary(report.model, files, options["output"])
    return 1 if any(item.severity in ("error", "warning") for item in report.model.findings) else 0
