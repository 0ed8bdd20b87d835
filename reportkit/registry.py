"""Names to entries; an unknown name is answered with the nearest known ones."""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reportkit.errors import SettingsError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A mapping that is filled by `register`, in order of registration, and by packages of others.

    Parameters
    ----------
    kind : str
        What the entries are, for messages: "significance test".

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

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, T] = {}
        self._built_in: frozenset[str] = frozenset()
        self._open: tuple[str, Callable[[Any], object]] | None = None
        self._loading = False
        self._broken: list[str] = []
        self._lock = RLock()

    def register(self, name: str, entry: T) -> None:
        """Add one entry under a name that is not taken."""
        if name in self._entries:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self._entries[name] = entry

    def open_to(self, group: str, add: Callable[[Any], object]) -> None:
        """Let others add entries: by `add`, or by entry points, which are read when all names are needed.

        Parameters
        ----------
        group : str
            Group of entry points: "reportkit.tests".
        add : callable
            Checks what it is given, and calls `add`. An entry point that cannot be loaded, or is refused, is a warning,
            and is named again in the error about an unknown name.
        """
        self._built_in = frozenset(self._entries)
        self._open = group, add

    def add(self, name: str, entry: T) -> None:
        """Add an entry of a user, in the place of one of the same name that a user added before.

        Raises
        ------
        SettingsError
            If the name is that of an entry of reportkit, or of two packages.
        """
        if name in self._built_in or (self._loading and name in self._entries):
            raise SettingsError(f"there is a {self.kind} {name!r} already", remedy="choose another name")
        self._entries[name] = entry

    def remove(self, name: str) -> None:
        """Take away what `add` added."""
        if name not in self._built_in:
            self._entries.pop(name, None)

    @property
    def built_in(self) -> tuple[str, ...]:
        """Names of reportkit's own entries, in their order."""
        return tuple(name for name in self._entries if name in self._built_in)

    def _complete(self) -> None:
        with self._lock:
            if self._open is None:
                return
            (group, add), self._open = self._open, None  # a package may look something up while it is loaded
            self._loading = True
            from importlib.metadata import entry_points  # for which it loads what reads e-mail

            for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
                try:
                    add(point.load())
                except Exception as error:  # whatever somebody else's package does, the rest goes on
                    self._broken.append(f"{_described(point)}: {type(error).__name__}: {error}")
            self._loading = False
        for text in self._broken:
            warnings.warn(f"a {self.kind} is left out: {text}", stacklevel=3)

    def __getitem__(self, name: str) -> T:
        try:
            if name not in self._entries:
                self._complete()
            return self._entries[name]
        except (KeyError, TypeError):  # a list, or a table of a settings file, is no name either
            where = "\n".join(f"left out is {text}" for text in self._broken) or None
            raise UnknownNameError(self.kind, name, self._entries, where=where) from None

    def __contains__(self, name: object) -> bool:
        if name not in self._entries:
            self._complete()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return iter(self._entries)

    def __len__(self) -> int:
        self._complete()
        return len(self._entries)

    def items(self) -> ItemsView[str, T]:
        """Names and entries, in order of registration."""
        self._complete()
        return self._entries.items()

    def values(self) -> ValuesView[T]:
        """Entries, in order of registration."""
        self._complete()
        return self._entries.values()


def _described(point: EntryPoint) -> str:
    owner = f" of {point.dist.name} {point.dist.version}" if point.dist is not None else ""
    return f"entry point {point.name!r}{owner} ({point.value})"


def defined_in(package: str, kind: type[T]) -> list[T]:
    """Objects of a type at the top level of the modules of a package, each once: the folder is the list.

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
