"""`reportkit power [RESULTS]`: how many instances are needed, what they show, and with which power."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.cli.options import PATH, GroupedCommand, columns_option, given, options_of
from reportkit.rendering.text.escaping import terminal_text
from reportkit.settings import Settings

_READ = ("missing", "higher_is_better")


@click.command("power", cls=GroupedCommand)
@click.argument("results", type=PATH, required=False)
@click.option("--effect", type=float, multiple=True, metavar="D", help="Planned difference; 1 point is 0.01.")
@click.option("--n", type=int, multiple=True, metavar="N", help="Planned instances.")
@click.option("--power", type=float, metavar="P", help="Wanted power.  [default: 0.8]")
@click.option("--accuracy", type=float, multiple=True, metavar="A", help="Accuracy of the baseline.")
@click.option("--discordant", type=float, multiple=True, metavar="R", help="Share on which exactly one is right.")
@click.option("--sd", type=float, multiple=True, metavar="S", help="Standard deviation of differences.")
@click.option("--design-effect", type=float, metavar="F", help="Variance factor of clusters, with --sd.")
@click.option("--n-datasets", type=int, metavar="N", help="Datasets, if all are planned alike.")
@click.option("--pairing", type=click.Choice(("paired", "unpaired")), help="The same instances, or others for each.")
@click.option("--alpha", type=float, metavar="LEVEL", help="Level.  [default: 0.05]")
@click.option("--alternative", type=click.Choice(("greater", "two-sided")), help="[default: greater]")
@click.option("--dependence", type=click.Choice(("any", "independent")), help="Between the datasets.  [default: any]")
@click.option("--system", metavar="A", help="With RESULTS: system planned to be better.")
@click.option("--baseline", metavar="B", help="With RESULTS: the system to compare with.")
@click.option("--metric", metavar="M", help="With RESULTS: the metric.")
@click.option("--n-runs", type=int, metavar="M", help="With RESULTS of several runs: planned runs of each system.")
@options_of(Settings, *_READ)
@click.option("--seed", "rng", type=int, metavar="N", help="Seed of the simulation of k-hat.")
@columns_option
def power_command(results: Path | None, **options: Any) -> int:
    """Plan a comparison: how many instances, how small a difference, or how much power.

    Of --n, --effect and --power, leave out the one that you ask for; with one alone, the power is 0.8. Give --effect
    and --n once for all datasets, or once for each. Earlier RESULTS, read as by `reportkit build`, say how much scores
    vary and give --n, unless --effect and --power are both given; the difference that they show is never used.

    \b
    reportkit power --effect 0.01 --accuracy 0.85       instances for one point more
    reportkit power --n 1000 --accuracy 0.85            smallest difference shown
    reportkit power --n 500 --n 2000 --effect 0.02 --sd 0.3      power on each, k-hat
    reportkit power results.csv --system new --baseline old --effect 0.01
    """  # noqa: D301 - \b is a character, click's mark for lines to leave as they are
    from reportkit.analysis.plan import power

    who = {"system_a": options["system"], "system_b": options["baseline"], "columns": options["columns"]}
    planned = given(options, options.keys() - {*_READ, "system", "baseline", "columns"})
    for name, value in planned.items():
        if isinstance(value, tuple):
            planned[name] = value[0] if len(value) == 1 else list(value)
    if reading := given(options, _READ):
        planned["settings"] = Settings().replace(**reading)
    click.echo(terminal_text(repr(power(results, **who, **planned))))
    return 0
