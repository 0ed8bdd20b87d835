"""Options of commands, made from the fields that declare them; see `reportkit.options`."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import click

from reportkit.options import choices_of, option_of
from reportkit.scores.choices import LONG_ROLES, ColumnNames
from reportkit.settings.arguments import AUTO

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # generic since click 8.2


class Choice(_Choice):
    """Some values, and what to tell those who type one that does not exist."""

    def __init__(self, choices: tuple[str, ...], refused: Mapping[str, str]) -> None:
        super().__init__(choices)
        self.refused = refused

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what has an answer with it, and everything else as click does."""
        if value in self.refused:
            self.fail(self.refused[value], param, ctx)
        near = get_close_matches(str(value), self.choices, 1)
        if value not in self.choices and near:
            self.fail(f"{value!r}. Did you mean {near[0]!r}? There are: {', '.join(self.choices)}.", param, ctx)
        return super().convert(value, param, ctx)


class NumberOr(Choice):
    """A whole number, or a word."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Take digits as a number, and one of the words as it is."""
        if str(value).isdecimal():
            return int(value)
        if value not in self.choices:
            self.fail(f"{value!r} is neither a whole number nor {' or '.join(self.choices)}.", param, ctx)
        return value

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """What stands behind the option in help."""
        return "|".join(("INTEGER", *self.choices))


class DeclaredOption(click.Option):
    """An option that knows under which other names somebody may look for it."""

    def __init__(self, *arguments: Any, aliases: tuple[str, ...] = (), **form: Any) -> None:
        super().__init__(*arguments, **form)
        self.aliases = aliases


def options_of(definition: type, *names: str, single: tuple[str, ...] = ()) -> Callable[[Any], Any]:
    """Add the options that the fields of a dataclass declare; what is not given on the command line is None.

    Parameters
    ----------
    definition : type
        The dataclass.
    *names : str
        Which fields; all that have a sentence of help, if none is named.
    single : tuple of str
        Of those that may have several values, those that have one here.

    Returns
    -------
    callable
        A decorator of a command.
    """
    fields = {item.name: item for item in dataclasses.fields(definition)}
    chosen = names or tuple(name for name, item in fields.items() if option_of(item).help)

    def added(command: Any) -> Any:
        for name in reversed(chosen):
            command = _click_option(fields[name], _hint(definition, fields[name]), single=name in single)(command)
        return command

    return added


def headings_of(*definitions: type) -> dict[str, tuple[str, ...]]:
    """Headings of a help text, with the names of the options below each."""
    found: dict[str, tuple[str, ...]] = {}
    seen: set[str] = set()
    for definition in definitions:
        for item in dataclasses.fields(definition):
            about = option_of(item)
            if about.help and about.heading and item.name not in seen:
                seen.add(item.name)
                found[about.heading] = (*found.get(about.heading, ()), *(about.each or (item.name,)))
    return found


def columns_option(command: Any) -> Any:
    """Add `--columns ROLE=NAME,...`, which says what columns hold where their names do not."""
    text = f"What columns hold: system=Model,dataset=Task; roles: {', '.join(LONG_ROLES)}; repeatable."
    return click.option("--columns", metavar="ROLE=NAME,...", multiple=True, callback=_columns, help=text)(command)


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


def given(options: Mapping[str, Any], definition: type) -> dict[str, Any]:
    """The options that were given, under the names of the fields."""
    values = {item.name: options.get(item.name) for item in dataclasses.fields(definition)}
    return {name: value for name, value in values.items() if value is not None and value != ()}


def where_given(options: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Where the work is done: what was given, or here, with other processes beside this one where it takes long."""
    return {name: options[name] for name in names if options[name] is not None} or {"workers": AUTO}


def _hint(definition: type, field: dataclasses.Field[Any]) -> Any:
    """The type of one field; those of others may not be known while the program runs."""
    alone = SimpleNamespace(__annotations__={field.name: field.type})
    return get_type_hints(alone, vars(sys.modules[definition.__module__]))[field.name]


def _click_option(field: dataclasses.Field[Any], hint: Any, *, single: bool) -> Callable[[Any], Any]:
    about = option_of(field)
    if about.each:
        return _one_for_each(field.name, about.each)
    kinds = [hint, *get_args(hint)]
    choices = choices_of(hint)
    single = single or (bool(choices) and get_origin(hint) is not Sequence)
    on = field.default is True or field.name == "higher_is_better"  # the option turns it off
    several = not single and any(_holds_several(kind, by_name=on) for kind in kinds)
    form: dict[str, Any] = {"help": _help_text(field, several=several), "metavar": about.metavar, "default": None}
    form |= {"cls": DeclaredOption, "aliases": (field.name, *about.aliases)}
    if on:
        if several:
            form |= {"multiple": True, "default": (), "callback": _turned_off_for}
        else:
            form |= {"is_flag": True, "callback": _turned_off}
    elif hint is bool:
        form |= {"is_flag": True}
    elif choices:
        form |= {"type": (NumberOr if int in kinds else Choice)(choices, about.refused)}
    else:
        form |= {"type": next((kind for kind in (float, int) if kind in _scalars(hint)), str)}
    if several and not on:
        form |= {"multiple": True, "default": ()}
    if any(get_args(kind) == (float, float) for kind in kinds):
        form |= {"nargs": 2}
    return click.option(about.flag or "--" + field.name.replace("_", "-"), field.name, **form)


def _one_for_each(name: str, each: Mapping[str, str]) -> Callable[[Any], Any]:
    """An option for each value of a field that holds several; those that are given are collected under its name."""

    def collected(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value:
            context.params[name] = (*context.params.get(name, ()), parameter.name)

    def added(command: Any) -> Any:
        for value in reversed(list(each)):
            form = {"is_flag": True, "expose_value": False, "callback": collected, "help": each[value]}
            command = click.option(f"--{value}", value, **form)(command)  # type: ignore[arg-type]
        return command

    return added


def _holds_several(kind: Any, *, by_name: bool) -> bool:
    """Whether a value of this type is a sequence of any length, or says something of each of several names."""
    origin, parts = get_origin(kind), get_args(kind)
    return origin is Sequence or (origin is tuple and Ellipsis in parts) or (origin is Mapping and by_name)


def _scalars(hint: Any) -> list[Any]:
    return [hint, *get_args(hint), *(inner for kind in get_args(hint) for inner in get_args(kind))]


def _help_text(field: dataclasses.Field[Any], *, several: bool) -> str:
    """The sentence, whether there may be several, and the default, unless it is nothing or the sentence says it."""
    default, about = field.default, option_of(field)
    text = f"{about.help.removesuffix('.')}; {about.repeated}." if several else about.help
    if default is None or isinstance(default, bool) or default == () or "[default:" in text:
        return text
    if isinstance(default, tuple):
        default = ", ".join(map(str, default if several else default[:1]))
    return f"{text}  [default: {default}]"


def _turned_off(_: click.Context, __: click.Parameter, value: bool | None) -> bool | None:
    return False if value else None


def _turned_off_for(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> dict[str, bool] | None:
    return dict.fromkeys(value, False) or None
