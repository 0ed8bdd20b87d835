"""`reportkit build RESULTS`: from a file of results to a folder with a report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import click

from reportkit.appearance import Appearance
from reportkit.cli.declared_options import column_options, headings_of, options_of
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.cli.inspect import reading_options
from reportkit.cli.writing import writing_options
from reportkit.scores.choices import LONG_ROLES as ROLES
from reportkit.settings import Settings
from reportkit.settings.arguments import ComparisonArguments

COLUMNS = {role: f"the {role}" for role in ROLES} | {"k": "the number of right answers", "n": "the number of instances"}


class BuildCommand(GroupedCommand):
    """`reportkit build`, with its options under headings."""

    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **headings_of(ComparisonArguments, Settings, Appearance),
        "What is read": ("file_format", "filter", "wide_systems", "higher_is_better_for", "exclude", "dry_run"),
        "Names of the columns": tuple(f"{role}_column" for role in ROLES),
    }


@click.command("build", cls=BuildCommand, short_help="Write a report from a file of results.")
@click.argument("results", nargs=-1, required=True, type=click.Path())
@reading_options
@options_of(ComparisonArguments)
@options_of(Settings)
@options_of(Appearance)
@column_options(COLUMNS)
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Settings in TOML; by default RESULTS.toml or reportkit.toml beside it.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write.  [default: report]")
@click.option("--dry-run", is_flag=True, help="Say what would be read, and stop.")
@writing_options
def build_command(results: tuple[str, ...], **options: Any) -> int:
    """Write a report from RESULTS: files, folders, patterns or URLs, as an evaluation harness or you wrote them.

    What a harness wrote (lm-evaluation-harness, Inspect, HELM, ...) is recognised by its content. A table (.csv,
    .parquet, .jsonl, also compressed) holds one row per score (system, dataset, instance, score), or one column per
    system, or what a paper prints (dataset, score_a, score_b, p_value). With one --system and one
    --baseline, the claim is that the system is better. With neither, two systems are compared in both directions and
    more than two as all pairs.

    The exit code is 0; 1 if there is an error, or if data that you gave are not in the report, which is written all
    the same; 2 if the report cannot be built.
    """
    from reportkit.cli.building import run_build

    return run_build(results, options)
