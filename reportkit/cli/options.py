"""Options made from the fields that declare them, help on one screen, and answers to options that do not exist."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping
from functools import partial, reduce
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import click

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import choices_of, meant_by, option_of
from reportkit.scores.choices import COLUMN_ROLES, LONG_ROLES
from reportkit.settings import Settings

PATH = click.Path(path_type=Path)
Decorator = Callable[[Any], Any]

ANSWERS = {
    **dict.fromkeys(("latex", "tex"), "LaTeX is always written: report.tex, paragraph.tex and tables/"),
    "html": "a page is always written: report.html",
    "report": "name the folder of the report after the paper: reportkit update paper.tex report/",
    **dict.fromkeys(
        ("correction", "adjust", "bonferroni", "holm", "fdr"),
        "Holm's correction, or one that finds more, is always used: all claims are guarded together",
    ),
    **dict.fromkeys(("seeds", "runs-column"), "say which column holds the runs: --columns seed=NAME"),
    **dict.fromkeys(("confidence", "confidence-level"), "give the level of the tests: --alpha 0.05 for 95% confidence"),
}
"""Replies to options that users look for and that do not exist."""


class HeadedOption(click.Option):
    """An option with its heading in help."""

    def __init__(self, *arguments: Any, heading: str, **form: Any) -> None:
        super().__init__(*arguments, **form)
        self.heading = heading


def headed(heading: str) -> Callable[..., Decorator]:
    """Return `click.option` for options under a heading."""
    return partial(click.option, cls=HeadedOption, heading=heading)


def heading_of(parameter: click.Parameter) -> str:
    """Return the heading of an option in help."""
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
        """Parse the arguments; for an option that does not exist, say which one is meant."""
        try:
            return super().parse_args(context, arguments)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-")
            fields = (field := name.replace("-", "_"), *meant_by(field, Settings))
            options = [item for item in self.params if isinstance(item, click.Option)]
            meant = [f"'{item.opts[0]}'" for item in options if item.name in fields]
            said = f". Did you mean {' or '.join(meant)}?" if meant else f": {ANSWERS.get(name, '')}."
            if not meant and name not in ANSWERS:
                raise
            raise click.NoSuchOption(error.option_name, f"No such option '--{name}'{said}", ctx=context) from None

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, heading by heading, each in its order of declaration."""
        options = [item for item in self.get_params(context) if isinstance(item, click.Option)]
        everything = not self.common or context.meta.get(__name__, False)
        shown = [item for item in options if everything or item.name in (*self.common, "help", "help_all")]
        for heading in dict.fromkeys(map(heading_of, shown)):
            records = [item.get_help_record(context) for item in shown if heading_of(item) == heading]
            with formatter.section(heading):
                formatter.write_dl(list(filter(None, records)))
        if left_out := len(options) - len(shown):
            formatter.write_paragraph()
            formatter.write_text(f"{context.command_path} --help-all lists {left_out} more options.")


def _show_all(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.meta[__name__] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


def stacked(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options, in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def options_of(definition: type, *names: str) -> Decorator:
    """Add the options that the fields of a dataclass declare; an option that is not given is None.

    Parameters
    ----------
    definition : type
        The dataclass.
    *names : str
        Its fields; all that have a sentence of help, if none is named.
    """
    hints = get_type_hints(definition)
    fields = [item for item in dataclasses.fields(definition) if option_of(item).help]
    return stacked(*(_declared(item, hints[item.name]) for item in fields if not names or item.name in names))


def _declared(field: dataclasses.Field[Any], hint: Any) -> Decorator:
    about, default, kinds = option_of(field), field.default, (hint, *get_args(hint))
    option = headed(about.heading)
    form: dict[str, Any] = {"expose_value": False}
    if field.name == "higher_is_better":
        text = "Metric for which {} is better, where its name does not say so; repeatable."
        form |= {"metavar": "M", "multiple": True, "callback": _directions}
        higher = option("--higher-is-better", "higher_is_better_for", help=text.format("higher"), **form)
        return stacked(option(about.flag, field.name, help=text.format("lower"), **form), higher)
    if about.each:
        form |= {"is_flag": True, "callback": partial(_collected, field.name)}
        return stacked(*(option(f"--{value}", value, help=text, **form) for value, text in about.each.items()))
    several = any(get_origin(kind) is tuple and Ellipsis in get_args(kind) for kind in kinds)
    scalars = [*kinds, *(inner for kind in kinds for inner in get_args(kind))]
    text = f"{about.help.removesuffix('.')}; {about.repeated}." if several else about.help
    if not (default is None or isinstance(default, bool) or default == () or "[default:" in text):
        text += f"  [default: {', '.join(map(str, default)) if isinstance(default, tuple) else default}]"
    form = {"help": text, "metavar": about.metavar, "multiple": several, "default": () if several else None}
    if hint is bool:
        form |= {"is_flag": True}
    elif choices := choices_of(hint):
        form |= {"metavar": f"[{'|'.join(choices)}]"}
    else:
        form |= {"type": next((kind for kind in (float, int) if kind in scalars), str)}
    if any(get_args(kind) == (float, float) for kind in kinds):
        form |= {"nargs": 2}
    return option(about.flag or "--" + field.name.replace("_", "-"), field.name, **form)


def _directions(context: click.Context, parameter: click.Parameter, metrics: tuple[str, ...]) -> None:
    """Collect the directions of metrics from both options."""
    if metrics:
        said = dict.fromkeys(metrics, parameter.name == "higher_is_better_for")
        context.params["higher_is_better"] = {**context.params.get("higher_is_better", {}), **said}


def _collected(name: str, context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        context.params[name] = (*context.params.get(name, ()), parameter.name)


def _columns(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Split at commas before `ROLE=`; a name may hold others."""
    found: dict[str, str] = {}
    for item in (item for value in values for item in re.split(r",(?=\w+=)", value)):
        role, _, name = item.partition("=")
        if not name:
            raise SettingsError(f"--columns {item!r} names no column", remedy="write ROLE=NAME, as in system=Model")
        if role not in COLUMN_ROLES:
            raise UnknownNameError("role of a column", role, LONG_ROLES)
        found[role] = name
    return found


_read, _work = headed("What is read"), headed("Where the work is done")
_COLUMNS = f"Columns by role: system=Model,dataset=Task; roles: {', '.join(LONG_ROLES)}; repeatable."
_WIDE = "Column with the scores of one system, where each has its own; repeatable."
_WORKERS = "Processes; the numbers are the same.  [default: several where the work takes long]"
_CLUSTER = "Scheduler of Dask, such as tcp://host:8786, or the file with its address."
_PDF = "Run LaTeX on the report.  [default: where pdflatex is installed]"

columns_option = _read("--columns", metavar="ROLE=NAME,...", multiple=True, callback=_columns, help=_COLUMNS)
reading_options = stacked(
    columns_option,
    _read("--filter", metavar="NAME", help="Filter, scorer or split of a harness to take."),
    _read("--wide-system", "wide_systems", multiple=True, metavar="COLUMN", help=_WIDE),
    _read("--exclude", multiple=True, metavar="PATTERN", help="Files, systems or datasets to leave out."),
)
work_options = stacked(
    _work("--workers", type=int, metavar="N", help=_WORKERS), _work("--cluster", metavar="ADDRESS", help=_CLUSTER)
)
templates_option = click.option("--templates", type=PATH, multiple=True, help="Folder with templates of your own.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")


def writing_options(folder: str) -> Decorator:
    """Add the options of a command that writes a report: `--output`, `--pdf` and `--quiet`."""
    output = click.option("-o", "--output", type=PATH, help=f"Folder to write.  [default: {folder}]")
    return stacked(output, click.option("--pdf/--no-pdf", default=None, help=_PDF), quiet_option)


def given(options: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the options of these names that were given."""
    return {name: options[name] for name in names if options.get(name) not in (None, ())}


def where_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the workers: those that were given, or this process, which others join if the work takes long."""
    return given(options, ("workers", "cluster")) or {"workers": "auto"}


def command_typed() -> tuple[str, ...]:
    """Return the command as it was typed; a question adds to it the option that settles it."""
    context = click.get_current_context(silent=True)
    return ("reportkit", *context.obj) if context is not None and context.obj else ()
