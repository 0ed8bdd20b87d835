"""Options of `reportkit build` that say how the report looks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from reportkit.appearance.venues import VENUES

CHOICES = {
    "marks": ("auto", "levels", "daggers", "letters", "stars", "none"),
    "bold": ("best", "statistical", "none"),
    "rows": ("auto", "systems", "datasets"),
    "environment": ("auto", "table", "table*", "tabular", "longtable"),
    "caption": ("above", "below"),
    "engine": ("tabular", "siunitx"),
    "notes": ("caption", "threeparttable"),
    "length": ("short", "standard", "full"),
    "markdown": ("github", "pandoc"),
}
"""As in `reportkit.appearance.appearance`, whose import would cost time here; a test compares them."""

_HELP = {
    "marks": "Signs behind the scores.",
    "bold": "What is set in bold: the best, or all that are not statistically significantly worse.",
    "rows": "What stands in the rows of the table of scores.",
    "environment": "What a table is wrapped in; tabular: nothing.",
    "caption": "Side of the captions of tables.  [default: the venue's]",
    "engine": "What aligns the numbers of a table.",
    "notes": "Where the signs are explained.",
    "length": "Length of the recommended-practice paragraph.",
    "markdown": "Flavour of Markdown.",
}


def appearance_options(command: Any) -> Any:
    """Add the options to a command."""
    for name, choices in reversed(CHOICES.items()):
        command = click.option(f"--{name}", type=click.Choice(choices), help=_HELP[name])(command)
    command = click.option("--average", is_flag=True, default=None, help="Add the mean over the datasets.")(command)
    command = click.option(
        "--widths", type=(float, float), metavar="COLUMN TEXT", help="Widths in points, where not the venue's."
    )(command)
    command = click.option("--decimals", type=int, metavar="D", help="Decimals of the scores.")(command)
    command = click.option("--cell", metavar="PATTERN", help='Pattern of a cell: "{score} [{ci_low}, {ci_high}]".')(
        command
    )
    command = click.option("--name", metavar="NAME", help="What keys of numbers begin with.  [default: main]")(command)
    return click.option(
        "--venue",
        metavar="V",
        help=f"Widths, type and captions of: {', '.join(name for name in VENUES.built_in if name != 'report')}."
        "  [default: report]",
    )(command)


def chosen_appearance(content: Mapping[str, Any], options: Mapping[str, Any], path: Path | None) -> Any:
    """Merge options of the command line over the table `[appearance]` of the TOML file.

    Raises
    ------
    UnknownNameError
        If a field or its value is not known.
    SettingsError
        If `appearance` is no table.
    """
    from reportkit.appearance.appearance import APPEARANCE_NAMES, Appearance
    from reportkit.errors import SettingsError, UnknownNameError

    section = content.get("appearance", {})
    if not isinstance(section, dict):
        raise SettingsError(
            f"appearance is {section!r}", where=str(path), remedy='write a table: [appearance], then venue = "acl"'
        )
    for key in section:
        if key not in APPEARANCE_NAMES:
            raise UnknownNameError("key of [appearance]", key, APPEARANCE_NAMES, where=str(path))
    given = {name: options[name] for name in APPEARANCE_NAMES if options.get(name) is not None}
    return Appearance().replace(**{**section, **given})
