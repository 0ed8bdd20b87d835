"""`reportkit update PAPER`: tables and numbers of a report in a user's paper, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

DEFAULT_TABLE = "results"
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.command("update", short_help="Bring tables and numbers in a paper up to date.")
@click.argument("paper", type=click.Path(path_type=Path))
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="Folder that `reportkit build` wrote.",
)
@click.option(
    "--label",
    "labels",
    metavar="LABEL[=TABLE]",
    multiple=True,
    help="Label of the table to replace, and by which one, such as tab:main=results; repeatable.  [default: all that "
    "stands between comments of reportkit, and labels of the report]",
)
@click.option("--keep-caption", is_flag=True, help="Keep the captions of the paper.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def update_command(paper: Path, **options: Any) -> int:
    r"""Replace tables of PAPER by those of a report, and leave everything else as it is, byte for byte.

    PAPER is LaTeX, with the files that it reads by \input, or Markdown. In LaTeX the cells and the caption of the table
    with a label are replaced. What stands between "% reportkit: begin results" and "% reportkit: end results"
    ("<!-- reportkit: begin results -->" in Markdown) is replaced without a label, and so is in Markdown the number in
    "<!-- rk: main/sst2/ours -->93.1<!-- /rk -->".

    The exit code is 0, with --dry-run 1 if something would change, and 2 if the paper cannot be updated.
    """
    from reportkit.cli.plain_lines import say
    from reportkit.rendering.paper_update import read_pieces, update_paper
    from reportkit.rendering.text.escaping import terminal_text

    update = update_paper(
        paper,
        read_pieces(options["report"]),
        named_labels(options["labels"]),
        keep_caption=options["keep_caption"],
        dry_run=options["dry_run"],
    )
    if not options["quiet"]:
        for note in update.notes:
            say(note, err=True)
    if options["dry_run"]:
        if not options["quiet"]:
            for line in terminal_text(update.diff).splitlines():
                click.secho(line, fg=_COLOURS.get(line[:1]), bold=line.startswith(("+++", "---")))
        return int(bool(update.changed))
    if not options["quiet"]:
        for item in update.files:
            say(f"{'updated' if item.path in update.changed else 'up to date:'} {item.path}", err=False)
        if options["keep_caption"] and update.changed:
            click.echo("the captions are yours: see that they say what the signs stand for", err=True)
    return 0


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
        label, _, table = item.rpartition("=") if "=" in item else (item, "", DEFAULT_TABLE)
        if label in labels:
            raise SettingsError(f"the label {label!r} is named twice", remedy="name each label once")
        labels[label] = table
    return labels
