"""`reportkit inspect PATH...`: what would be read, and how it is understood, without any statistics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.cli.declared_options import column_options
from reportkit.scores.choices import LONG_ROLES as ROLES

if TYPE_CHECKING:
    from reportkit.finding import Finding


def reading_options(command: Any) -> Any:
    """Add the options that say what files are."""
    named = click.option("--format", "file_format", metavar="NAME", help="Format of the files, if it is not seen.")
    filtered = click.option("--filter", metavar="NAME", help="Filter, scorer or split of a harness to take.")
    wide = click.option(
        "--wide-system",
        "wide_systems",
        multiple=True,
        metavar="COLUMN",
        help="Column with the scores of one system, where each has its own; repeatable.",
    )
    higher = click.option(
        "--higher-is-better",
        "higher_is_better_for",
        multiple=True,
        metavar="M",
        help="Metric for which higher is better, where its name does not say so; repeatable.",
    )
    left_out = click.option(
        "--exclude", multiple=True, metavar="PATTERN", help="Files, systems or datasets to leave out; repeatable."
    )
    return named(filtered(wide(higher(left_out(command)))))


def command_typed(paths: Sequence[object]) -> tuple[str, ...]:
    """The command as it was typed, to which a question adds what settles it."""
    context = click.get_current_context()
    return ("reportkit", *(context.obj or (str(context.info_name), *map(str, paths))))


@click.command("inspect", short_help="Say what would be read of files, and how it is understood.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--metric", "metrics", multiple=True, metavar="M", help="Metric to take; repeatable.")
@click.option("--lower-is-better", multiple=True, metavar="M", help="Metric for which lower is better; repeatable.")
@click.option("--across-datasets", is_flag=True, help="Take the means of the datasets as the data, as one sample.")
@reading_options
@column_options({role: f"the {role}" for role in ROLES})
def inspect_command(paths: tuple[Path, ...], **options: Any) -> int:
    """Say what is understood of PATHS: files, folders or patterns. Nothing is computed or written.

    The first line names the format, how many systems and datasets there are, the metric, and what pairs the
    instances; the others say what else could be taken, and what was left out.
    """
    from reportkit.api import inspect
    from reportkit.cli.plain_lines import say
    from reportkit.cli.progress import progress_bar

    with progress_bar("reading") as progress:
        reading = inspect(
            list(paths),
            metric=options["metrics"],
            filter=options["filter"],
            format=options["file_format"],
            columns={role: options[f"{role}_column"] for role in ROLES if options[f"{role}_column"]},
            wide_systems=options["wide_systems"] or None,
            exclude=options["exclude"],
            higher_is_better={
                **dict.fromkeys(options["lower_is_better"], False),
                **dict.fromkeys(options["higher_is_better_for"], True),
            },
            across_datasets=options["across_datasets"],
            command=command_typed(paths),
            progress=progress,
        )
    say(*reading.lines())
    for note in reading.findings:
        say(*note_lines(note))
    return 0


def note_lines(note: Finding) -> list[str]:
    """A note as it is said in a terminal."""
    where = f" [{note.where}]" if note.where else ""
    said = [f"{note.severity} ({note.code}) {note.message}{where}"]
    return [*said, f"  to do: {note.remedy}"] if note.remedy else said
