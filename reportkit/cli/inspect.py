"""`reportkit inspect PATH...`: what would be read, and how it is understood, without any statistics."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.cli.declared_options import columns_option, options_of
from reportkit.cli.grouped_help import HeadedOption
from reportkit.settings import Settings

if TYPE_CHECKING:
    from reportkit.scores.reading import Reading

READ_WITH = ("metric", "higher_is_better", "pairing", "across_datasets", "decimal")
"""Settings on which it depends how results are read."""

_option = partial(click.option, cls=HeadedOption, heading="What is read")


def reading_options(command: Any) -> Any:
    """Add the options that say what files are."""
    text = "Column with the scores of one system, where each has its own; repeatable."
    for added in (
        _option("--exclude", multiple=True, metavar="PATTERN", help="Files, systems or datasets to leave out."),
        _option("--wide-system", "wide_systems", multiple=True, metavar="COLUMN", help=text),
        _option("--filter", metavar="NAME", help="Filter, scorer or split of a harness to take."),
        _option("--format", "file_format", metavar="NAME", help="Format of the files, if it is not seen."),
        columns_option,
    ):
        command = added(command)
    return command


def command_typed(paths: Sequence[object]) -> tuple[str, ...]:
    """Return the command as it was typed, to which a question adds what settles it."""
    context = click.get_current_context(silent=True)
    typed = () if context is None else context.obj or (str(context.info_name), *map(str, paths))
    return ("reportkit", *typed) if typed else ()


@click.command("inspect")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@reading_options
@options_of(Settings, *READ_WITH)
def inspect_command(paths: tuple[Path, ...], **options: Any) -> int:
    """Say what is understood of PATHS: files, folders or patterns. Nothing is computed or written.

    The first line says how many systems and datasets there are, the metric and its direction, and what pairs the
    instances; then come the columns and what each is taken for, what the results support, and what was left out.
    """
    from reportkit.cli.plain_lines import finding_lines, say
    from reportkit.cli.progress import progress_bar
    from reportkit.rendering.text.escaping import terminal_text

    with progress_bar("reading") as progress:
        reading = inspected(paths, options, command_typed(paths), progress)
    click.echo("\n".join(terminal_text(line) for line in reading.lines()))
    for note in reading.findings:
        say(*finding_lines(note))
    return 0


def inspected(
    paths: Sequence[Path],
    options: Mapping[str, Any],
    command: Sequence[str],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Reading:
    """Read files as the options of the command, and the settings beside the files, say."""
    from reportkit.cli.config import configured
    from reportkit.scores.read import read

    config = configured(Path(paths[0]), options)
    request = dataclasses.replace(config.request(command), progress=progress)
    return read(list(paths), request, decimal=config.settings.decimal)
