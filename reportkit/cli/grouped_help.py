"""Help of a command on one screen, with the rest on request, and answers to options that do not exist."""

from __future__ import annotations

from typing import Any

import click

from reportkit.options import meant_by
from reportkit.settings import Settings

ANSWERS = {
    **dict.fromkeys(("latex", "tex"), "LaTeX is always written: report.tex, paragraph.tex and tables/"),
    "html": "a page is always written: report.html",
    "report": "name the folder of the report after the paper: reportkit update paper.tex report/",
    **dict.fromkeys(
        ("correction", "adjust", "bonferroni", "holm", "fdr"),
        "Holm's correction is always used: it guards all claims together, as Bonferroni's does, and finds more",
    ),
    **dict.fromkeys(("seeds", "runs-column"), "say which column holds the runs: --columns seed=NAME"),
    **dict.fromkeys(("confidence", "confidence-level"), "give the level of the tests: --alpha 0.05 for 95% confidence"),
}
"""What to say of an option that somebody may well look for and that is not there."""


class HeadedOption(click.Option):
    """An option with the heading that it stands under in help."""

    def __init__(self, *arguments: Any, heading: str, **form: Any) -> None:
        super().__init__(*arguments, **form)
        self.heading = heading


def heading_of(parameter: click.Parameter) -> str:
    """Return the heading that an option stands under."""
    return getattr(parameter, "heading", "Options")


class GroupedCommand(click.Command):
    """A command whose help lists common options under headings, and all of them with `--help-all`.

    Parameters
    ----------
    common : tuple of str
        Names of the options that `--help` lists; all, if there are none.
    *arguments, **form
        As for `click.Command`.
    """

    def __init__(self, *arguments: Any, common: tuple[str, ...] = (), **form: Any) -> None:
        super().__init__(*arguments, **form)
        self.common = common
        if common:
            flag: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _show_all}
            self.params.append(click.Option(["--help-all"], help="List all options and exit.", **flag))

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Say which option is meant by a name that there is not."""
        try:
            return super().parse_args(context, arguments)
        except click.NoSuchOption as error:
            said = self._answer(error.option_name)
            if said is None:
                raise
            raise click.NoSuchOption(error.option_name, said, ctx=context) from None

    def _answer(self, typed: str) -> str | None:
        name = typed.lstrip("-")
        field = name.replace("-", "_")
        fields = (field, *meant_by(field, Settings))
        options = [item for item in self.params if isinstance(item, click.Option)]
        if meant := [repr(item.opts[0]) for item in options if item.name in fields]:
            return f"No such option {typed!r}. Did you mean {' or '.join(meant)}?"
        return f"No such option {typed!r}: {ANSWERS[name]}." if name in ANSWERS else None

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, heading by heading, each in its order of declaration."""
        everything = not self.common or context.meta.get(__name__, False)
        groups: dict[str, list[tuple[str, str]]] = {heading_of(item): [] for item in self.params}
        options = [item for item in self.get_params(context) if isinstance(item, click.Option)]
        shown = [item for item in options if everything or item.name in (*self.common, "help", "help_all")]
        for option in shown:
            if record := option.get_help_record(context):
                groups.setdefault(heading_of(option), []).append(record)
        rest = groups.pop("Options", [])
        for heading, records in {**groups, "Options": rest}.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
        if left_out := len(options) - len(shown):
            formatter.write_paragraph()
            formatter.write_text(f"{context.command_path} --help-all lists {left_out} more options.")


def _show_all(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.meta[__name__] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()
