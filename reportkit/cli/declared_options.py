"""Options of commands, made from the fields that declare them; see `reportkit.options`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any, get_args, get_origin, get_type_hints

import click

from reportkit.cli.grouped_help import HeadedOption
from reportkit.options import choices_of, option_of
from reportkit.scores.choices import LONG_ROLES, ColumnNames


class Choice(click.Choice[str]):
    """Some values, and an answer for those who type another one."""

    def __init__(self, choices: tuple[str, ...], refused: Mapping[str, str] | None = None) -> None:
        super().__init__(choices)
        self.refused = refused or {}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Answer what somebody may well type, and name the nearest value; refuse everything else as click does."""
        if value in self.refused:
            self.fail(self.refused[value], param, ctx)
        near = get_close_matches(str(value), self.choices, 1)
        if value not in self.choices and near:
            self.fail(f"{value!r}. Did you mean {near[0]!r}? There are: {', '.join(self.choices)}.", param, ctx)
        return super().convert(value, param, ctx)


def options_of(definition: type, *names: str) -> Callable[[Any], Any]:
    """Add the options that the fields of a dataclass declare; one that is not given is None.

    Parameters
    ----------
    definition : type
        The dataclass.
    *names : str
        Its fields; all that have a sentence of help, if none is named.
    """
    hints = get_type_hints(definition)
    fields = [item for item in dataclasses.fields(definition) if option_of(item).help]

    def added(command: Any) -> Any:
        for field in reversed(fields):
            if not names or field.name in names:
                command = _added(command, field, hints[field.name])
        return command

    return added


def _added(command: Any, field: dataclasses.Field[Any], hint: Any) -> Any:
    about, kinds = option_of(field), (hint, *get_args(hint))
    option = partial(click.option, cls=HeadedOption, heading=about.heading or "Options")
    form: dict[str, Any]
    if field.name == "higher_is_better":
        form = {"metavar": "M", "multiple": True, "expose_value": False, "callback": _directions}
        text = "Metric for which higher is better, where its name does not say so; repeatable."
        command = option("--higher-is-better", "higher_is_better_for", help=text, **form)(command)
        text = f"{about.help.removesuffix('.')}; repeatable."
        return option("--lower-is-better", field.name, help=text, **form)(command)
    if about.each:
        for value in reversed(list(about.each)):
            form = {"is_flag": True, "expose_value": False, "callback": partial(_collected, field.name)}
            command = option(f"--{value}", value, help=about.each[value], **form)(command)
        return command
    several = any(get_origin(kind) is tuple and Ellipsis in get_args(kind) for kind in kinds)
    form = {"help": _help_text(field, several=several), "metavar": about.metavar, "default": None}
    scalars = [*kinds, *(inner for kind in kinds for inner in get_args(kind))]
    if hint is bool:
        form |= {"is_flag": True}
    elif choices := choices_of(hint):
        form |= {"type": Choice(choices, about.refused)}
    else:
        form |= {"type": next((kind for kind in (float, int) if kind in scalars), str)}
    if several:
        form |= {"multiple": True, "default": ()}
    if any(get_args(kind) == (float, float) for kind in kinds):
        form |= {"nargs": 2}
    return option(about.flag or "--" + field.name.replace("_", "-"), field.name, **form)(command)


def _help_text(field: dataclasses.Field[Any], *, several: bool) -> str:
    """Write the sentence, whether there may be several, and the default unless there is none."""
    default, about = field.default, option_of(field)
    text = f"{about.help.removesuffix('.')}; {about.repeated}." if several else about.help
    if default is None or isinstance(default, bool) or default == () or "[default:" in text:
        return text
    return f"{text}  [default: {', '.join(map(str, default)) if isinstance(default, tuple) else default}]"


def _directions(context: click.Context, parameter: click.Parameter, metrics: tuple[str, ...]) -> None:
    """Collect what both options say of metrics."""
    if metrics:
        said = dict.fromkeys(metrics, parameter.name == "higher_is_better_for")
        context.params["higher_is_better"] = {**context.params.get("higher_is_better", {}), **said}


def _collected(name: str, context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        context.params[name] = (*context.params.get(name, ()), parameter.name)


def columns_option(command: Any) -> Any:
    """Add `--columns ROLE=NAME,...`, which says what columns hold where their names do not."""
    text = f"What columns hold: system=Model,dataset=Task; roles: {', '.join(LONG_ROLES)}; repeatable."
    form: dict[str, Any] = {"metavar": "ROLE=NAME,...", "multiple": True, "callback": _columns, "help": text}
    return click.option("--columns", cls=HeadedOption, heading="What is read", **form)(command)


def _columns(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Split at commas before `ROLE=`; a name may hold others."""
    found: dict[str, str] = {}
    for value in values:
        for item in re.split(r",(?=\w+=)", value):
            role, sign, name = item.partition("=")
            if not sign or not name:
                raise click.BadParameter(f"{item!r} names no column. Write ROLE=NAME, as in system=Model.")
            if role not in ColumnNames.__annotations__:
                near = get_close_matches(role, ColumnNames.__annotations__, 1)
                meant = f" Did you mean {near[0]!r}?" if near else ""
                raise click.BadParameter(f"there is no role {role!r}.{meant} Roles: {', '.join(LONG_ROLES)}.")
            found[role] = name
    return found


def work_options(command: Any) -> Any:
    """Add the options that say who does the work."""
    option = partial(click.option, cls=HeadedOption, heading="Where the work is done")
    text = "Scheduler of Dask, such as tcp://host:8786, or the file with its address."
    command = option("--cluster", metavar="ADDRESS", help=text)(command)
    text = "Processes; the numbers are the same.  [default: several where the work takes long]"
    return option("--workers", type=int, metavar="N", help=text)(command)


def given(options: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the options of these names that were given."""
    return {name: options[name] for name in names if options.get(name) not in (None, ())}


def where_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return who does the work: what was said, or this process, which others join where it takes long."""
    return given(options, ("workers", "cluster")) or {"workers": "auto"}
