"""Options: the fields of a frozen dataclass, each declared once, as keyword arguments, in help texts and in commands.

A field says what it is in the `Parameters` of its dataclass, and by `option` what a command needs besides: a sentence
of help, a heading, and its form where that does not follow from the type. A `TypedDict` of the same names and types is
what a type checker and an editor complete from; `with_options` shows the same to `help` and to IPython.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin

_Function = TypeVar("_Function", bound=Callable[..., Any])
_SECTION = re.compile(r"^(Returns|Raises|Notes|Examples)\n-+$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """The properties of an option besides its name, type and default.

    Parameters
    ----------
    help : str
        One sentence for the help of a command.
    heading : str
        Its heading there, and in the help of a function.
    flag : str, optional
        How the command spells it, where that is not the name.
    metavar : str, optional
        What stands for its value.
    repeated : str
        What is added to the sentence where a command takes the option several times.
    aliases : tuple of str
        Other names that somebody may well type; an error then says this one.
    refused : mapping of str to str
        Values that somebody may well type, and what to tell them.
    each : mapping of str to str
        Of a field that holds several of some values: each with a sentence of help, as an option of its own, `--value`.
    """

    help: str
    heading: str = ""
    flag: str | None = None
    metavar: str | None = None
    repeated: str = "repeatable"
    aliases: tuple[str, ...] = ()
    refused: Mapping[str, str] = dataclasses.field(default_factory=dict)
    each: Mapping[str, str] = dataclasses.field(default_factory=dict)


def option(default: Any, sentence: str, **about: Any) -> Any:
    """Declare a field with its default, its help and the other parts of an `Option`."""
    metadata = {"option": Option(help=sentence, **about)}
    if default == {}:
        return dataclasses.field(default_factory=dict, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def option_of(field: dataclasses.Field[Any]) -> Option:
    """Return the declared option of a field; one without help, if nothing was declared."""
    found: Option = field.metadata.get("option") or Option(help="")
    return found


def meant_by(name: str, *definitions: type) -> list[str]:
    """Return the fields that somebody means who types another name: an alias, or how the command spells it."""
    flag = "--" + name.replace("_", "-")
    fields = [item for definition in definitions for item in dataclasses.fields(definition)]
    return list(dict.fromkeys(i.name for i in fields if name in option_of(i).aliases or flag == option_of(i).flag))


def choices_of(hint: Any) -> tuple[str, ...]:
    """Return the values of a `Literal`, alone or among other types; nothing where there is none.

    Examples
    --------
    >>> choices_of(Literal["a", "b"] | None)
    ('a', 'b')
    """
    literals = [item for item in (hint, *get_args(hint)) if get_origin(item) is Literal]
    return get_args(literals[0]) if literals else ()


@cache
def meanings(definition: type) -> dict[str, str]:
    """Return the `Parameters` entries in the docstring of a dataclass, by name.

    Examples
    --------
    >>> print(meanings(Option)["metavar"])
    metavar : str, optional
        What stands for its value.
    """
    text = inspect.cleandoc(definition.__doc__ or "")
    _, _, parameters = text.partition("Parameters\n----------\n")
    found = _SECTION.search(parameters)
    entries = re.split(r"\n(?=\w)", parameters[: found.start() if found else None].strip())
    return {name: entry for entry in entries for name in entry.partition(" :")[0].split(", ")}
