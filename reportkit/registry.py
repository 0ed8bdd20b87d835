"""Names to entries; an unknown name is answered with the nearest known ones."""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from reportkit.errors import SettingsError, UnknownNameError, nearest

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A mapping that is filled by `register`, in order of registration, and by packages of others.

    Parameters
    ----------
    kind : str
        What the entries are, for messages: "significance test".
    other_names : mapping of str to str, optional
        Everyday names to names of entries; they are proposed, not taken.

    Attributes
    ----------
    built_in : dict
        The entries of reportkit alone.

    Raises
    ------
    UnknownNameError
        On look-up of a name that nobody registered.
    ValueError
        On registration of a name twice: a mistake of the programmer, not of the user.

    Examples
    --------
    >>> methods = Registry[int]("method")
    >>> methods.register("holm", 1)
    >>> methods["holm"], list(methods)
    (1, ['holm'])
    >>> methods["home"]
    Traceback (most recent call last):
    reportkit.errors.UnknownNameError: there is no method 'home'
      to do: did you mean 'holm'? known: 'holm'
    """

    def __init__(self, kind: str, other_names: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.other_names = other_names or {}
        self.built_in: dict[str, T] = {}
        self._added: dict[str, T] = {}
        self._open: tuple[str, Callable[[Any], object]] | None = None

    def register(self, name: str, entry: T) -> None:
        """Add one entry under a name that is not taken."""
        if name in self.built_in:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self.built_in[name] = entry

    def open_to(self, group: str, add: Callable[[Any], object]) -> None:
        """Let others add entries: by `add`, or by entry points, which are read when all names are needed.

        Parameters
        ----------
        group : str
            Group of entry points: "reportkit.tests".
        add : callable
            Checks what it is given, and calls `add`. An entry point that cannot be loaded, or is refused, is a warning.
        """
        self._open = group, add

    def add(self, name: str, entry: T) -> None:
        """Add an entry of a user; it replaces one of the same name that a user added before.

        Raises
        ------
        SettingsError
            If the name is that of an entry of reportkit.
        """
        if name in self.built_in:
            raise SettingsError(f"there is a {self.kind} {name!r} already", remedy="choose another name")
        self._added[name] = entry

    def remove(self, name: str) -> None:
        """Take away what `add` added."""
        self._added.pop(name, None)

    def complete(self) -> dict[str, T]:
        """Return all entries, those of other packages included, which are loaded the first time."""
        if self._open is not None:
            (group, add), self._open = self._open, None  # a package may use the registry while it is loaded
            from importlib.metadata import entry_points  # slow: it loads the email package

            for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
                try:
                    add(point.load())
                except Exception as error:  # a faulty package must not stop the others
                    problem = f"entry point {point.name!r} ({point.value}): {type(error).__name__}: {error}"
                    warnings.warn(f"a {self.kind} is left out: {problem}", stacklevel=3)
        return {**self.built_in, **self._added}

    def __getitem__(self, name: str) -> T:
        try:
            return self.built_in[name] if name in self.built_in else self.complete()[name]
        except (KeyError, TypeError):  # a list, or a table of a settings file, is not a name either
            near = nearest(str(name), [*self.other_names, *self])
            meant = dict.fromkeys(self.other_names.get(one, one) for one in near)
            raise UnknownNameError(self.kind, name, self, meant=meant) from None

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self.complete()

    def __iter__(self) -> Iterator[str]:
        return iter(self.complete())

    def __len__(self) -> int:
        return len(self.complete())


def defined_in(package: str, kind: type[T]) -> list[T]:
    """Return the objects of a type at the top level of a package's modules, each once: the folder is the list.

    Parameters
    ----------
    package : str
        Its dotted name; sub-packages are not entered.
    kind : type
        What is looked for.

    Returns
    -------
    list
        Module by module, in the order of their names; within one, in the order in which they are defined.

    Examples
    --------
    >>> from reportkit.significance.entry import SignificanceTest
    >>> {"mcnemar"} <= {found.name for found in defined_in("reportkit.significance.tests", SignificanceTest)}
    True
    """
    path = importlib.import_module(package).__path__
    modules = [
        importlib.import_module(f"{package}.{name}") for name in sorted(m.name for m in pkgutil.iter_modules(path))
    ]
    return list(
        {id(value): value for module in modules for value in vars(module).values() if isinstance(value, kind)}.values()
    )
