"""What `reportkit check` does, once its options are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from reportkit.checker.config import CheckConfig
    from reportkit.checker.engine import CheckReport


def run_check(papers: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Check, write, and say what was found.

    Returns
    -------
    int
        0; 1 if there is an error (a warning, with --strict); 2 if nothing of a paper was read.
    """
    if options["list_rules"]:
        _list_rules()
        return 0
    if options["explain"]:
        _explain(options["explain"])
        return 0
    from reportkit.checker.engine import check

    config = _config(papers, options)
    _must_be_there(papers or config.papers)
    report = check(papers, data=options["data"], config=config)
    _write(report, options)
    return _exit_code(report, options)


def _exit_code(report: CheckReport, options: Mapping[str, Any]) -> int:
    """0 with --exit-zero, unless the paper was not read."""
    return 0 if options["exit_zero"] and not report.unread else report.exit_code


def _must_be_there(papers: Sequence[Path]) -> None:
    """Refuse to check a paper that does not exist."""
    from reportkit.errors import ReadingError

    gone = [str(path) for path in map(Path, papers) if not path.exists()]
    if gone:
        raise ReadingError(f"there is no file {', '.join(map(repr, gone))}", remedy="check the path")


def _config(papers: Sequence[Path], options: Mapping[str, Any]) -> CheckConfig:
    """Configuration from the file, then from the options."""
    from reportkit.checker.config import check_config
    from reportkit.checker.engine import beside

    if options["config"] is not None:
        config = check_config(options["config"])
    else:
        config = beside(papers[0] if papers else options["data"])
    chosen = config.selection
    selection = replace(
        chosen,
        select=options["select"] or chosen.select,
        ignore=(*chosen.ignore, *options["ignore"]),
    )
    return replace(config, selection=selection, strict=config.strict or options["strict"])


def _write(report: CheckReport, options: Mapping[str, Any]) -> None:
    """Write the findings to the terminal or to a file."""
    from reportkit.checker.outputs import written
    from reportkit.checker.outputs.text import closing, listing

    output_format = options["output_format"] or "full"
    text = written(report, output_format)
    if output_format in ("full", "concise"):
        findings = text.removesuffix(closing(report))
        if options["quiet"]:
            text = findings.rstrip("\n") + "\n" * bool(findings)
        elif options["verbose"]:
            text = findings + listing(report) + closing(report)
    target: Path | None = options["output_file"]
    if target is None:
        click.echo(text, nl=False)
        return
    from reportkit.cli.plain_lines import writing_to

    with writing_to(target):
        target.write_text(text, encoding="utf-8", newline="\n")


def _list_rules() -> None:
    from reportkit.checker.catalogue import RULES

    for code, rule in RULES.items():
        click.echo(f"{code}  {rule.severity:<8} {' + '.join(sorted(rule.needs)):<22} {rule.name}: {rule.summary}")


def _explain(name: str) -> None:
    from reportkit.checker.catalogue import named

    rule = named(name)
    click.echo(f"{rule.code} {rule.name} ({rule.severity}; needs {' and '.join(sorted(rule.needs))})\n")
    click.echo(rule.page)
