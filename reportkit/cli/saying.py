"""One line for whoever runs a command, with names in it that may be anything."""

from __future__ import annotations

import click

from reportkit.rendering.escaping import terminal_text, visible


def say(text: str, *, err: bool = True) -> None:
    r"""Print one line, in which nothing is an instruction to a terminal or a runner.

    Examples
    --------
    >>> say("changed a\n::error::b.tex, c\x07.tex", err=False)
    changed a ::error::b.tex, c\x07.tex
    """
    click.echo(terminal_text(visible(text)), err=err)
