"""Colour for a terminal: the same text, with severities and places made easier to find."""

from __future__ import annotations

import re

from rich.console import Console
from rich.text import Text

_STYLES = (
    (re.compile(r"(?m)^(?:.*? )??(error\[RK\d{3}\])"), "bold red"),
    (re.compile(r"(?m)^(?:.*? )??(warning\[RK\d{3}\])"), "bold yellow"),
    (re.compile(r"(?m)^(?:.*? )??(info\[RK\d{3}\])"), "bold cyan"),
    (re.compile(r"(?m)^ *\|( +\^+)$"), "bold red"),
    (re.compile(r"(?m)^( *(?:-->|\||\d+ \|))(?= |$)"), "blue"),
    (re.compile(r"(?m)^ *(= (?:severity|to do|fix|possible fix|where):)"), "bold"),
    (re.compile(r"(?m)^(not checked:(?:\n +[\d,]+: .*)*)"), "dim"),
)


def coloured(text: str) -> Text:
    """Give the parts of an output styles."""
    result = Text(text)
    for pattern, style in _STYLES:
        for match in pattern.finditer(text):
            result.stylize(style, *match.span(1))
    return result


def print_coloured(text: str) -> None:
    """Print to the terminal; `NO_COLOR` is respected."""
    Console(highlight=False, soft_wrap=True).print(coloured(text), end="")
