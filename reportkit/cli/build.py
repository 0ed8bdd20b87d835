"""`reportkit build RESULTS`: from a file of results to a folder with a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reportkit.appearance import Appearance
from reportkit.cli.declared_options import columns_option, headings_of, options_of
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.cli.inspect import reading_options
from reportkit.cli.writing import writing_options
from reportkit.settings import Settings
from reportkit.settings.arguments import ComparisonArguments

_HEADINGS = headings_of(ComparisonArguments, Settings, Appearance)


@click.command(
    "build",
    cls=GroupedCommand,
    headings={
        **_HEADINGS,
        "Who is compared": (*_HEADINGS["Who is compared"], "require"),
        "What is read": (
            "columns",
            "exclude",
            "file_format",
            "filter",
            "wide_systems",
            "higher_is_better_for",
            "dry_run",
        ),
    },
    common=(
        *("systems", "baseline", "require", "columns", "datasets", "metric", "higher_is_better"),
        *("alpha", "dependence", "missing", "test", "venue", "marks", "length", "output", "config"),
    ),
    short_help="Write a report from a file of results.",
)
@click.argument("results", nargs=-1, required=True, type=click.Path())
@reading_options
@options_of(ComparisonArguments)
@options_of(Settings)
@options_of(Appearance)
@columns_option
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Settings in TOML; by default RESULTS.toml or reportkit.toml beside it.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write.  [default: report]")
@click.option(
    "--require",
    metavar="TEXT",
    help='Exit with 1 unless it holds: "better", "not worse by 1", "no dataset worse".',
)
@click.option("--dry-run", is_flag=True, help="Say what would be read, and stop.")
@writing_options
def build_command(results: tuple[str, ...], **options: Any) -> int:
    """Write a report from RESULTS: files, folders, patterns or URLs, as an evaluation harness or you wrote them.

    Results have one row per score (system, dataset, instance, score) or one column per system. With --system and
    --baseline, the claim is that the system is better; with neither, all pairs are compared.

    The exit code is 1 if there is an error, data are not in the report, or --require is not met; 2 if there is no
    report.
    """
    from reportkit.cli.building import run_build

    return run_build(results, options)
