"""`reportkit show REPORT`: what a report says, its signature, and its files again without the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.appearance.appearance import Appearance
from reportkit.cli.declared_options import given, options_of
from reportkit.cli.grouped_help import GroupedCommand

if TYPE_CHECKING:
    from reportkit.report.model import Report

DIFFERENT = 1


@click.command(
    "show",
    cls=GroupedCommand,
    common=("output", "venue", "marks", "length", "order", "rows", "average", "templates", "opened"),
    short_help="Show a report, or render it again without the data.",
)
@click.argument("report", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write all files to, from report.json.")
@options_of(Appearance)
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option("--check", is_flag=True, help="Say whether the files are as report.json makes them.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors; with --check, only what differs.")
def show_command(report: Path, **options: Any) -> int:
    """Show REPORT: a folder that `reportkit build` wrote, or the report.json in it.

    Prints the summary and the signature. With --output, all files are written again from report.json alone, and may be
    set for another venue, in another environment, with captions on the other side, in the other Markdown. What decides
    what the report says (marks, cells, length, ...) needs the results: build it again.

    The exit code is 0; 1 if --check finds a file that is not as it was written; 2 if the report cannot be read.
    """
    return run_show(report, options)


def run_show(path: Path, options: Mapping[str, Any]) -> int:
    """Read `report.json`, and show, write or check.

    Raises
    ------
    ReadingError
        If there is no report, or it is not as reportkit writes it.
    SettingsError
        If an option needs the analysis again, or asks for nothing.
    """
    from reportkit.cli.writing import open_page
    from reportkit.errors import SettingsError
    from reportkit.rendering.files.manifest import read_manifest
    from reportkit.rendering.files.stored import restyled

    changes = given(options, Appearance)
    if options["check"] and (changes or options["output"]):
        raise SettingsError(
            "--check compares the files as they are, and takes neither --output nor an appearance",
            remedy="leave it away, or check the folder that is written afterwards",
        )
    if (changes or options["templates"]) and not (options["output"] or options["check"]):
        named = next(iter(changes), "templates").replace("_", "-")
        raise SettingsError(f"--{named} says how files are written, and none are", remedy="add --output FOLDER")
    manifest = read_manifest(path)
    folder = path if path.is_dir() else path.parent
    if options["check"]:
        return _check(folder, manifest, options)
    with manifest.rendering():
        report = restyled(manifest.report, **changes)
        if options["output"]:
            from reportkit.rendering.files.write import write_report

            files = write_report(report, options["output"], templates=options["templates"])
        else:
            files = tuple(folder / name for name in manifest.files)
            files = (*files[:1], *(one for one in [folder / "report.pdf"] if one.exists()), *files[1:])
        shown = options["output"] or folder
        if not options["quiet"]:
            _print(report, files, shown)
        if options["opened"]:
            open_page(shown)
    return 0


def _print(report: Report, files: Sequence[Path], folder: Path) -> None:
    from reportkit.cli.terminal import print_lines, show_summary
    from reportkit.cli.writing import file_lines

    show_summary(report)
    print_lines("", report.signature.line, "", *file_lines(files, folder))


def _check(folder: Path, manifest: Any, options: Mapping[str, Any]) -> int:
    from reportkit.cli.plain_lines import say
    from reportkit.rendering.files.stored import check_files

    with manifest.rendering():
        checked = check_files(folder, manifest, templates=options["templates"])
    changed = [item for item in checked if item.verdict in ("edited", "missing")]
    other = [item.name for item in checked if item.verdict in ("rendered otherwise", "not listed")]
    for item in changed:
        say(f"{item.verdict}: {folder / item.name}")
    if options["quiet"]:
        return DIFFERENT if changed else 0
    if other:
        say(
            "as written, but rendered otherwise by this version of reportkit or its libraries, or with other "
            f"templates: {', '.join(other)}"
        )
    same = sum(item.verdict == "as written" for item in checked)
    say(f"{same} of {len(checked)} files are as report.json makes them" + ("" if changed else "; none is edited"))
    return DIFFERENT if changed else 0
