"""Use a report again: `reportkit show`, `reportkit update`, and the templates of reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.appearance import APPEARANCE_NAMES, Appearance
from reportkit.cli.options import PATH, GroupedCommand, given, options_of, quiet_option, templates_option
from reportkit.cli.terminal import file_lines, safe, say, show_summary
from reportkit.errors import SettingsError
from reportkit.rendering.text.escaping import terminal_text


@click.command("show", cls=GroupedCommand)
@click.argument("report", type=PATH)
@click.option("-o", "--output", type=PATH, help="Folder to write all files to, from report.json.")
@options_of(Appearance)
@templates_option
@quiet_option
def show_command(report: Path, **options: Any) -> int:
    """Show REPORT: a folder that `reportkit build` wrote, or the report.json in it.

    Prints the summary and the signature. With --output, all files are written again from report.json alone, in another
    way if options say so.

    The exit code is 0; 2 if the report cannot be read.
    """
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
        click.echo(f"\n{safe(found.signature.line)}\n")
        say(*file_lines(files, folder))
    return 0


@click.command("update", cls=GroupedCommand)
@click.argument("paper", type=PATH)
@click.argument("report", type=PATH, default=Path("report"))
@click.option("--label", "labels", metavar="LABEL[=TABLE]", multiple=True, help="Table to replace; repeatable.")
@click.option("--keep-caption", is_flag=True, help="Keep the captions of the paper.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@quiet_option
def update_command(paper: Path, report: Path, labels: tuple[str, ...], keep_caption: bool, **options: Any) -> int:
    r"""Replace tables of PAPER by those of REPORT, and leave everything else as it is, byte for byte.

    PAPER is LaTeX, with the files that it reads by \input, or Markdown; REPORT is a folder that `reportkit build`
    wrote, by default "report". In LaTeX the cells and the caption of the table with a label are replaced, --label
    tab:main=results says by which. Without a label, all that is between "% reportkit: begin results" and
    "% reportkit: end results" ("<!-- reportkit: begin results -->" in Markdown) is replaced, the tables with the labels
    of the report, and in Markdown the number in "<!-- rk: main/sst2/ours -->93.1<!-- /rk -->".

    The exit code is 0 on success, 1 if --dry-run finds something to change, and 2 if the paper cannot be updated.
    """
    from reportkit.rendering.paper_update import update_paper

    named: dict[str, str] = {}
    for item in labels:
        label, _, table = item.rpartition("=") if "=" in item else (item, "", "results")
        if label in named:
            raise SettingsError(f"the label {label!r} is named twice", remedy="name each label once")
        named[label] = table
    dry_run, quiet = options["dry_run"], options["quiet"]
    update = update_paper(paper, report, named, keep_caption=keep_caption, dry_run=dry_run)
    if not quiet:
        say(*update.notes, err=True)
    if dry_run and not quiet:
        click.echo(terminal_text(update.diff), nl=False)
    elif not quiet:
        say(*(f"{'updated' if item.path in update.changed else 'up to date:'} {item.path}" for item in update.files))
        if keep_caption and update.changed:
            say("the captions are yours: see that they say what the signs stand for", err=True)
    return int(dry_run and bool(update.changed))


@click.command("templates")
@click.argument("folder", required=False, type=PATH)
@click.argument("names", nargs=-1, metavar="[FORMAT/NAME]...")
@templates_option
def templates_command(folder: Path | None, names: tuple[str, ...], templates: tuple[Path, ...]) -> int:
    """List the templates and say where each comes from; copy them to FOLDER, all or those named as latex/table.

    A copy in a folder that is given with --templates (or templates = "mine" in TOML) takes the place of the one that
    it was copied from; delete the copies that you do not change. docs/reference/templates.md says what a template sees.
    """
    from reportkit.rendering.environment import copy_templates, templates_found

    files = templates_found(templates, names)
    if folder is not None:
        say(*(f"wrote {path}" for path in copy_templates(files, folder)))
        return 0
    for name, path in files.items():
        click.echo(f"{name:<31}  {safe(str(path))}")
    return 0
