"""`reportkit check PAPER`: what a referee would object to, before the referee does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reportkit.checker.outputs import FORMATS, written
from reportkit.checker.outputs.text import closing, listing
from reportkit.cli.options import PATH
from reportkit.cli.terminal import writing_to
from reportkit.errors import ReadingError


@click.command("check")
@click.argument("papers", type=PATH, nargs=-1)
@click.option("--data", type=PATH, metavar="RESULTS", help="Results by instance, to recompute from.")
@click.option("--config", type=PATH, help="TOML; by default the reportkit.toml or pyproject.toml nearest to the paper.")
@click.option("--select", multiple=True, metavar="CODES", help="Only these rules: RK201, RK1, ALL; repeatable.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these rules; repeatable.")
@click.option("--output-format", type=click.Choice(tuple(FORMATS)), default="full", show_default=True)
@click.option("-o", "--output-file", type=PATH, metavar="FILE", help="Write there.")
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
    if options["list_rules"] or options["explain"]:
        _show_rules(options["explain"])
        return 0
    from reportkit.checker.config import check_config, config_beside
    from reportkit.checker.engine import check

    given, output_format = options["config"], options["output_format"]
    config = config_beside(papers[0] if papers else options["data"]) if given is None else check_config(given)
    chosen = config.selection
    selection = replace(chosen, select=options["select"] or chosen.select, ignore=(*chosen.ignore, *options["ignore"]))
    config = replace(config, selection=selection, strict=config.strict or options["strict"])
    if gone := [str(path) for path in map(Path, papers or config.papers) if not path.exists()]:
        raise ReadingError(f"there is no file {', '.join(map(repr, gone))}", remedy="check the path")
    report = check(papers, data=options["data"], config=config)
    text = written(report, output_format)
    if output_format in ("full", "concise"):
        findings = text.removesuffix(closing(report))
        text = findings + listing(report) * options["verbose"] + closing(report) * (not options["quiet"])
    if (target := options["output_file"]) is None:
        click.echo(text, nl=False)
    else:
        with writing_to(target):
            target.write_text(text, encoding="utf-8", newline="\n")
    return 0 if options["exit_zero"] and not report.unread else report.exit_code


def _show_rules(name: str | None) -> None:
    """Print the manual page of a rule, or a line for each rule."""
    from reportkit.checker.catalogue import RULES, named

    if name is None:
        for code, rule in RULES.items():
            click.echo(f"{code}  {rule.severity:<8} {' + '.join(sorted(rule.needs)):<22} {rule.name}: {rule.summary}")
        return
    rule = named(name)
    click.echo(f"{rule.code} {rule.name} ({rule.severity}; needs {' and '.join(sorted(rule.needs))})\n\n{rule.page}")
