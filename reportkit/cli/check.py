"""`reportkit check PAPER`: what a referee would object to, before the referee does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

OUTPUT_FORMATS = ("full", "concise", "json", "sarif", "github")
_PATH = click.Path(path_type=Path)


@click.command("check")
@click.argument("papers", type=_PATH, nargs=-1)
@click.option("--data", type=_PATH, metavar="RESULTS", help="Results by instance, to recompute from.")
@click.option(
    "--config", type=_PATH, help="TOML; by default reportkit.toml or pyproject.toml beside the paper or above."
)
@click.option("--select", multiple=True, metavar="CODES", help="Only these rules: RK201, RK1, ALL; repeatable.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these rules; repeatable.")
@click.option("--output-format", type=click.Choice(OUTPUT_FORMATS), default="full", show_default=True)
@click.option("-o", "--output-file", type=_PATH, metavar="FILE", help="Write there.")
@click.option("--strict", is_flag=True, help="Warnings make the command fail too.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--explain", metavar="CODE", help="Print the manual page of a rule.")
@click.option("--list-rules", is_flag=True, help="Print all rules.")
@click.option("-v", "--verbose", is_flag=True, help="List all that was compared, also what agrees.")
@click.option("-q", "--quiet", is_flag=True, help="Findings only, no closing lines.")
def check_command(papers: tuple[Path, ...], **options: Any) -> int:
    """Check PAPERS (LaTeX or Markdown, with all that they input), results, or papers against results.

    With --data, every number of a table or of the text that can be linked to the results is recomputed and compared
    as the interval that its printed digits stand for. The last lines say how much could be checked, and what could
    not and why. Nothing is uploaded, and no file is changed.

    A finding is silenced on its line: % reportkit: ignore RK201 -- reason (Markdown: in a comment).

    The exit code is 0; 1 if there is an error; 2 if the check cannot run, or nothing of a paper was read.
    """
    from reportkit.cli.checking import run_check

    return run_check(papers, options)
