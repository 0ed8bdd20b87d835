"""`reportkit splits`: divisions of a corpus for blocked m x 2 cross-validation, as a file for training elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click


@click.command("splits", short_help="Divide a corpus for blocked cross-validation.")
@click.argument("instances", type=click.Path(path_type=Path), required=False)
@click.option("--n", "number", type=int, metavar="N", help="Number of instances, called 1 to N; instead of INSTANCES.")
@click.option("--m", type=int, default=3, show_default=True, help="Repetitions of two folds each.")
@click.option("--blocks", type=int, help="Number of blocks, a power of two.  [default: the smallest for m]")
@click.option("--repartitions", type=int, default=1, show_default=True, metavar="R", help="Independent divisions.")
@click.option("--instance-column", metavar="NAME", default="instance", show_default=True, help="Column with the ids.")
@click.option("--label-column", metavar="NAME", help="Column with labels, divided evenly among the blocks.")
@click.option("--group-column", metavar="NAME", help="Column with groups, such as documents, that are kept whole.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same divisions.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="CSV file to write."
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def splits_command(instances: Path | None, **options: Any) -> int:
    """Divide a corpus for blocked m x 2 cross-validation, once or R times, and write the folds as CSV.

    INSTANCES is a table (such as .csv, also gzipped) with one row per instance. The file has the columns repartition,
    instance, block, fold_1 to fold_M, everything numbered from 1: in each repetition, train on one fold and test on the
    other, and the other way round. Predictions in long form then go to `reportkit reproducibility`.
    """
    from reportkit.cli.plain_lines import say, writing_to
    from reportkit.errors import SettingsError
    from reportkit.reproducibility_analysis import BlockedCV, split_tables, write_splits

    number, output = options["number"], Path(options["output"])
    if (instances is None) == (number is None):
        raise SettingsError(
            "there is no corpus to divide" if number is None else "a table and a number of instances are given",
            remedy="give a table with one row per instance, or --n",
        )
    labels = groups = None
    if instances is None:
        if number < 1:
            raise SettingsError(f"--n is {number}, not a whole number of 1 or more")
        if options["label_column"] or options["group_column"]:
            raise SettingsError("--n has no columns", remedy="give a table with one row per instance")
        ids: list[Any] = list(range(1, number + 1))
    else:
        ids, labels, groups = _columns_of(instances, options)
    cv = BlockedCV(m=options["m"], blocks=options["blocks"], rng=options["seed"])
    tables = split_tables(cv, ids, labels=labels, groups=groups, repartitions=options["repartitions"])
    with writing_to(output):
        write_splits(tables, output)
    if not options["quiet"]:
        times = "1 division" if len(tables) == 1 else f"{len(tables):,} divisions"
        say(
            f"wrote {times} of {len(ids):,} instances into {cv.n_blocks} blocks, {cv.m} x 2 folds, to {output};",
            "next: train on each fold, predict the other, and give the predictions to reportkit reproducibility",
        )
    return 0


def _columns_of(path: Path, options: Mapping[str, Any]) -> tuple[list[Any], list[Any] | None, list[Any] | None]:
    """Ids, labels and groups, as texts."""
    from reportkit.errors import UnknownNameError
    from reportkit.scores.read import read_frame

    frame = read_frame(path)
    found: list[list[Any] | None] = []
    for option in ("instance_column", "label_column", "group_column"):
        name = options[option]
        if name is not None and name not in frame.columns:
            raise UnknownNameError("column", name, [str(item) for item in frame.columns], where=str(path))
        found.append(None if name is None else frame[name].astype(object).tolist())
    return found[0] or [], found[1], found[2]
