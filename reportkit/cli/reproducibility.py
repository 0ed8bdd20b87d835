"""`reportkit reproducibility PREDICTIONS`: how reproducible a conclusion is when the corpus is split anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.appearance import APPEARANCE_NAMES, RENDERED, Appearance
from reportkit.cli.declared_options import columns_option, given, options_of, where_given, work_options
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.cli.writing import write_and_say, writing_options

FINDINGS = 1


@click.command(
    "reproducibility",
    cls=GroupedCommand,
    common=("system", "baseline", "metric", "lower_is_better", "columns", "workers", "venue", "output", "pdf"),
)
@click.argument("predictions", type=click.Path(path_type=Path))
@click.option("--system", metavar="A", help="System concluded to be better; by default the first of two by name.")
@click.option("--baseline", metavar="B", help="System to compare with.")
@click.option("--metric", metavar="M", help="accuracy, chunk-f1, or what the numbers are called.  [default: accuracy]")
@click.option("--lower-is-better", is_flag=True, help="Of scores and estimates.")
@work_options
@options_of(Appearance, *RENDERED)
@columns_option
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("report"), show_default=True)
@writing_options
def reproducibility_command(predictions: Path, **options: Any) -> int:
    """Write a report on reproducibility under re-splitting from PREDICTIONS, a table such as .csv, also gzipped.

    PREDICTIONS holds one row per prediction (system, repeat, replicate, fold, instance, prediction, gold; token, where
    labels are those of tokens), or per score of a fold (system, repeat, replicate, fold, score), or per finished
    estimate (system, repeat, estimator, value). `repeat` is the independent division of the corpus, where 20 are the
    least and 200 are better; with one, the t-test of the blocked cross-validation is reported. `split_tables` of
    `reportkit.reproducibility_analysis` makes the divisions.

    The exit code is 0, or 2 if the report cannot be built.
    """
    from reportkit.analysis.reproducibility import reproducibility
    from reportkit.cli.progress import progress_bar
    from reportkit.rendering.office import require_formats

    quiet = bool(options["quiet"])
    look = Appearance().replace(**given(options, APPEARANCE_NAMES))
    require_formats(look.formats)
    with progress_bar("estimating", quiet=quiet):
        result: Any = reproducibility(
            predictions,
            options["system"],
            options["baseline"],
            columns=options["columns"],
            higher_is_better=not options["lower_is_better"],
            metric=options["metric"],
            **where_given(options),
        )
    with progress_bar("writing", quiet=quiet):
        report = result.styled(**given(options, APPEARANCE_NAMES)).report().model
    write_and_say(report, options["output"], pdf=options["pdf"], quiet=options["quiet"])
    return FINDINGS if any(item.severity == "error" for item in report.findings) else 0
