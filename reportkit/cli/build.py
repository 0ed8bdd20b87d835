"""`reportkit build RESULTS`: from a file of results to a folder with a report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from reportkit.appearance import Appearance
from reportkit.cli.declared_options import options_of, work_options
from reportkit.cli.grouped_help import GroupedCommand, HeadedOption
from reportkit.cli.inspect import reading_options
from reportkit.cli.writing import writing_options
from reportkit.settings import Settings

_who = partial(click.option, cls=HeadedOption, heading="Who is compared")
_MEMORY = "Memory for all processes, such as 2GB: results are read some datasets at a time."
_REQUIRE = 'Exit with 1 unless it holds: "better", "not worse by 1", "no dataset worse".'


@click.command(
    "build",
    cls=GroupedCommand,
    common=(
        *("systems", "baseline", "require", "columns", "datasets", "metric", "higher_is_better"),
        *("alpha", "dependence", "missing", "test", "venue", "marks", "length", "output", "config"),
    ),
)
@click.argument("results", nargs=-1, required=True, type=click.Path())
@_who("--system", "systems", multiple=True, metavar="A", help="System claimed to be better; repeatable.")
@_who("--baseline", multiple=True, metavar="B", help="System to compare with; repeatable.")
@_who("--require", metavar="TEXT", help=_REQUIRE)
@reading_options
@options_of(Settings)
@options_of(Appearance)
@work_options
@click.option("--memory-limit", metavar="SIZE", help=_MEMORY, cls=HeadedOption, heading="Where the work is done")
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
@click.option("--config", type=click.Path(path_type=Path), help="TOML; by default RESULTS.toml or reportkit.toml.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write.  [default: report]")
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
