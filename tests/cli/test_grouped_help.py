"""Help under headings: every option once, and every name under a heading is that of an option."""

from __future__ import annotations

import click
from click.testing import CliRunner

from reportkit.cli.build import build_command


def test_every_option_stands_in_the_help_once():
    """No option is lost between the headings."""
    text = CliRunner().invoke(build_command, ["--help-all"]).output
    for parameter in build_command.params:
        if isinstance(parameter, click.Option):
            lines = [line for line in text.splitlines() if line.strip().startswith(parameter.opts[0])]
            assert lines, parameter.name
    assert [heading for heading in build_command.headings if f"{heading}:" not in text] == []


def test_headings_name_options_that_exist():
    """A renamed option is not left behind under a heading."""
    known = {parameter.name for parameter in build_command.params}
    assert {name for names in build_command.headings.values() for name in names} <= known
