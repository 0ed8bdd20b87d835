"""Help of a command with many options, by what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click


class GroupedCommand(click.Command):
    """A command whose help lists its options under headings.

    A subclass names the headings and the options below each; what none of them names stands under `Options`.
    """

    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Say which option is meant by a name that there is not."""
        try:
            return super().parse_args(context, arguments)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-").replace("-", "_")
            meant = [repr(item.opts[0]) for item in self.params if name in getattr(item, "aliases", ())]
            if not meant:
                raise
            said = f"No such option {error.option_name!r}. Did you mean {' or '.join(meant)}?"
            raise click.NoSuchOption(error.option_name, said, ctx=context) from None

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, heading by heading, each in its order of declaration."""
        heading_of = {name: heading for heading, names in self.headings.items() for name in names}
        groups: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*self.headings, "Options")}
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None:
                groups[heading_of.get(parameter.name or "", "Options")].append(record)
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
