"""Workflow commands, escaped as GitHub's toolkit escapes them."""

from __future__ import annotations

import re

from reportkit.checker.outputs.github import escaped_data, escaped_property, github

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def unescaped(text, *, is_property):
    """What the runner of GitHub reads (actions/runner, ActionCommand.cs: the last replacement is that of %25)."""
    pairs = [("%0D", "\r"), ("%0A", "\n")] + ([("%3A", ":"), ("%2C", ",")] if is_property else []) + [("%25", "%")]
    for escaped, character in pairs:
        text = text.replace(escaped, character)
    return text


def test_every_line_is_a_command_that_reads_back(report):
    """Names, places and messages survive, errors first; one line for each finding and one for coverage."""
    lines = github(report).splitlines()
    assert len(lines) == len(report) + 1
    order = ("error", "warning", "info")
    for line, item in zip(lines, sorted(report, key=lambda item: order.index(item.severity)), strict=False):
        level, properties, message = COMMAND.fullmatch(line).groups()
        read = dict(part.split("=", 1) for part in properties.split(","))
        assert level == {"error": "error", "warning": "warning", "info": "notice"}[item.severity]
        assert item.message in unescaped(message, is_property=False)
        if item.path is not None:
            assert unescaped(read["file"], is_property=True) == item.path.as_posix() == "my paper/a,b:1%.tex"
            assert (int(read["line"]), int(read["col"])) == (item.line, item.column)


def test_what_would_end_a_command_is_escaped():
    """Percent first, so that nothing is escaped twice."""
    assert escaped_data("100%\r\n%0A") == "100%25%0D%0A%250A"
    assert escaped_property("a:b,c%") == "a%3Ab%2Cc%25"
