"""`reportkit inspect PATH...`: what would be read, and how it is understood, without any statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.cli.options import PATH, options_of, reading_options
from reportkit.cli.terminal import progress_bar, say_finding
from reportkit.rendering.text.escaping import terminal_text
from reportkit.settings import Settings

if TYPE_CHECKING:
    from reportkit.scores.reading import Reading

READ_WITH = ("metric", "higher_is_better", "pairing", "across_datasets")
"""Settings that decide how results are read."""


@click.command("inspect")
@click.argument("paths", nargs=-1, required=True, type=PATH)
@reading_options
@options_of(Settings, *READ_WITH)
def inspect_command(paths: tuple[Path, ...], **options: Any) -> int:
    """Say what is understood of PATHS: files, folders or patterns. Nothing is computed or written.

    The first line says how many systems and datasets there are, the metric and its direction, and what pairs the
    instances; then come the columns and what each is taken for, what the results support, and what was left out.
    """
    reading = inspected(paths, options)
    click.echo("\n".join(terminal_text(line) for line in reading.lines()))
    for note in reading.findings:
        say_finding(note)
    return 0


def inspected(paths: Sequence[Path], options: Mapping[str, Any]) -> Reading:
    """Read files as the options of the command, and the settings in their folder, say."""
    from reportkit.cli.config import configured
    from reportkit.scores.read import read

    config = configured(Path(paths[0]), options)
    with progress_bar("reading") as progress:
        return read(list(paths), config.request(progress))
