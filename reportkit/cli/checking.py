"""What `reportkit check` does, once its options are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.errors import ReadingError

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport


def run_check(papers: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Check, write, and say what was found.

    Returns
    -------
    int
        0; 1 if there is an error (a warning, with --strict); 2 if nothing of a paper was read.
    """
    if options["list_rules"] or options["explain"]:
        _show_rules(options["explain"])
        return 0
    from reportkit.checker.config import check_config
    from reportkit.checker.engine import beside, check

    given = options["config"]
    config = beside(papers[0] if papers else options["data"]) if given is None else check_config(given)
    chosen = config.selection
    select, ignore = options["select"] or chosen.select, (*chosen.ignore, *options["ignore"])
    selection = replace(chosen, select=select, ignore=ignore)
    config = replace(config, selection=selection, strict=config.strict or options["strict"])
    gone = [str(path) for path in map(Path, papers or config.papers) if not path.exists()]
    if gone:
        raise ReadingError(f"there is no file {', '.join(map(repr, gone))}", remedy="check the path")
    report = check(papers, data=options["data"], config=config)
    _write(report, options)
    return 0 if options["exit_zero"] and not report.unread else report.exit_code


def _write(report: CheckReport, options: Mapping[str, Any]) -> None:
    """Write the findings to the terminal or to a file."""
    from reportkit.checker.outputs import written
    from reportkit.checker.outputs.text import closing, listing
    from reportkit.cli.plain_lines import writing_to

    text = written(report, options["output_format"])
    if options["output_format"] in ("full", "concise"):
        findings = text.removesuffix(closing(report))
        if options["quiet"]:
            text = findings.rstrip("\n") + "\n" * bool(findings)
        elif options["verbose"]:
            text = findings + listing(report) + closing(report)
    if (target := options["output_file"]) is None:
        click.echo(text, nl=False)
        return
    with writing_to(target):
        target.write_text(text, encoding="utf-8", newline="\n")


def _show_rules(name: str | None) -> None:
    """Print the manual page of a rule, or a line for each of them."""
    from reportkit.checker.catalogue import RULES, named

    if name is None:
        for code, rule in RULES.items():
            click.echo(f"{code}  {rule.severity:<8} {' + '.join(sorted(rule.needs)):<22} {rule.name}: {rule.summary}")
        return
    rule = named(name)
    click.echo(f"{rule.code} {rule.name} ({rule.severity}; needs {' and '.join(sorted(rule.needs))})\n\n{rule.page}")
