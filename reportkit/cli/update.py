"""`reportkit update PAPER`: tables and numbers of a report in a user's paper, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.cli.grouped_help import GroupedCommand

DEFAULT_TABLE = "results"


@click.command("update", cls=GroupedCommand)
@click.argument("paper", type=click.Path(path_type=Path))
@click.argument("report", type=click.Path(path_type=Path), default=Path("report"))
@click.option("--label", "labels", metavar="LABEL[=TABLE]", multiple=True, help="Table to replace; repeatable.")
@click.option("--keep-caption", is_flag=True, help="Keep the captions of the paper.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def update_command(paper: Path, report: Path, **options: Any) -> int:
    r"""Replace tables of PAPER by those of REPORT, and leave everything else as it is, byte for byte.

    PAPER is LaTeX, with the files that it reads by \input, or Markdown; REPORT is a folder that `reportkit build`
    wrote, by default "report". In LaTeX the cells and the caption of the table with a label are replaced, --label
    tab:main=results says by which. Without a label, all that stands between "% reportkit: begin results" and
    "% reportkit: end results" ("<!-- reportkit: begin results -->" in Markdown) is replaced, the tables with the labels
    of the report, and in Markdown the number in "<!-- rk: main/sst2/ours -->93.1<!-- /rk -->".

    The exit code is 0, with --dry-run 1 if something would change, and 2 if the paper cannot be updated.
    """
    from reportkit.cli.plain_lines import say
    from reportkit.rendering.paper_update import read_pieces, update_paper
    from reportkit.rendering.text.escaping import terminal_text

    labels = named_labels(options["labels"])
    how = {"keep_caption": options["keep_caption"], "dry_run": options["dry_run"]}
    update = update_paper(paper, read_pieces(report), labels, **how)
    if not options["quiet"]:
        say(*update.notes, err=True)
        if options["dry_run"]:
            click.echo(terminal_text(update.diff), nl=False)
        for item in () if options["dry_run"] else update.files:
            say(f"{'updated' if item.path in update.changed else 'up to date:'} {item.path}")
        if options["keep_caption"] and update.changed and not options["dry_run"]:
            say("the captions are yours: see that they say what the signs stand for", err=True)
    return int(options["dry_run"] and bool(update.changed))


def named_labels(given: tuple[str, ...]) -> dict[str, str]:
    """Take labels and tables apart.

    Raises
    ------
    SettingsError
        If a label is named twice.

    Examples
    --------
    >>> named_labels(("tab:main", "tab:p=p-values"))
    {'tab:main': 'results', 'tab:p': 'p-values'}
    """
    from reportkit.errors import SettingsError

    labels: dict[str, str] = {}
    for item in given:
        label, sign, table = item.rpartition("=")
        label, table = (label, table) if sign else (item, DEFAULT_TABLE)
        if label in labels:
            raise SettingsError(f"the label {label!r} is named twice", remedy="name each label once")
        labels[label] = table
    return labels
