"""Names to entries; an unknown name is answered with the nearest known ones."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import Generic, TypeVar

from reportkit.errors import UnknownNameError

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A read-only mapping that is filled by `register`, in order of registration.

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

    def register(self, name: str, entry: T) -> None:
        """Add one entry under a name that is not taken."""
        if name in self._entries:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self._entries[name] = entry

    def replace(self, name: str, entry: T) -> None:
        """Add one entry, in the place of the one that had the name before."""
        self._entries[name] = entry

    def __getitem__(self, name: str) -> T:
        try:
            return self._entries[name]
        except (KeyError, TypeError):  # a list, or a table of a settings file, is no name either
            raise UnknownNameError(self.kind, name, self._entries) from None

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def items(self) -> ItemsView[str, T]:
        """Names and entries, in order of registration."""
        return self._entries.items()

    def values(self) -> ValuesView[T]:
        """Entries, in order of registration."""
        return self._entries.values()
