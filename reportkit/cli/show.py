"""`reportkit show REPORT`: what a report says, its signature, and its files again without the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.appearance import APPEARANCE_NAMES, Appearance
from reportkit.cli.declared_options import given, options_of
from reportkit.cli.grouped_help import GroupedCommand


@click.command(
    "show",
    cls=GroupedCommand,
    common=("output", "venue", "marks", "length", "order", "rows", "average", "templates"),
)
@click.argument("report", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write all files to, from report.json.")
@options_of(Appearance)
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def show_command(report: Path, **options: Any) -> int:
    """Show REPORT: a folder that `reportkit build` wrote, or the report.json in it.

    Prints the summary and the signature. With --output, all files are written again from report.json alone, in another
    way if options say so.

    The exit code is 0; 2 if the report cannot be read.
    """
    from reportkit.cli.terminal import print_lines, show_summary
    from reportkit.cli.writing import file_lines
    from reportkit.errors import SettingsError
    from reportkit.rendering.office import require_formats
    from reportkit.rendering.report_files import PDF, write_report
    from reportkit.rendering.stored import files_of, read_report, restyled

    changes, output = given(options, APPEARANCE_NAMES), options["output"]
    if (changes or options["templates"]) and not output:
        named = next(iter(changes), "templates").replace("_", "-")
        raise SettingsError(f"--{named} says how files are written, and none are", remedy="add --output FOLDER")
    found = restyled(read_report(report), **changes)
    folder = output or (report if report.is_dir() else report.parent)
    if output:
        require_formats(found.appearance.formats)
        files = write_report(found, output, templates=options["templates"])
    else:
        files = tuple(folder / name for name in (*files_of(folder), PDF) if (folder / name).exists())
    if not options["quiet"]:
        show_summary(found)
        print_lines("", found.signature.line, "", *file_lines(files, folder))
    return 0
