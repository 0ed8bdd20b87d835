"""`reportkit power [RESULTS]`: how many instances are needed, what they show, and with which power."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.cli.declared_options import columns_option, given, options_of, where_given
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.settings import Settings
from reportkit.settings.arguments import ComparisonArguments, PowerArguments


@click.command(
    "power",
    cls=GroupedCommand,
    common=(
        *("effect", "n", "power", "accuracy", "discordant", "sd", "n_datasets", "pairing", "alpha", "dependence"),
        *("system", "baseline", "metric", "columns"),
    ),
    short_help="Plan: instances needed, smallest difference shown, or power.",
)
@click.argument("results", type=click.Path(path_type=Path), required=False)
@options_of(PowerArguments, "effect", "n", "power", "accuracy", "discordant", "sd", "design_effect", "n_datasets")
@options_of(Settings, "pairing", "alpha", "alternative", "dependence", single=("alpha",))
@click.option("--system", metavar="A", help="With RESULTS: the system planned to be better.")
@click.option("--baseline", metavar="B", help="With RESULTS: the system to compare with.")
@options_of(PowerArguments, "metric", "n_runs")
@click.option("--missing", type=click.Choice(["error", "drop", "worst"]), help="Instances without a score.")
@click.option("--lower-is-better", metavar="M", multiple=True, help="Metric for which lower is better; repeatable.")
@click.option("--kind", metavar="K", help="Declare all scores ordinal, count, binary or continuous.")
@options_of(PowerArguments, "rng")
@options_of(ComparisonArguments, "workers", "cluster")
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
    from reportkit.rendering.text.escaping import terminal_text

    asked: dict[str, Any] = {
        name: value if not isinstance(value, tuple) else value[0] if len(value) == 1 else list(value)
        for name, value in given(options, PowerArguments).items()
    }
    reading = {name: options[name] for name in ("missing", "kind") if options[name] is not None}
    if options["lower_is_better"]:
        reading["higher_is_better"] = dict.fromkeys(options["lower_is_better"], False)
    found = power(
        results,
        options["system"],
        options["baseline"],
        columns=options["columns"],
        settings=Settings().replace(**reading) if reading else None,
        **where_given(options, ("workers", "cluster")),
        **asked,
    )
    click.echo(terminal_text(repr(found)))
    return 0
