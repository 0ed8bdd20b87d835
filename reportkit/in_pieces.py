"""Work in pieces that know nothing of each other: done here one after the other, or by others in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from reportkit.errors import ReportkitError


class Run(Protocol):
    """Who calls a function many times, in this process or in others."""

    def __call__(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], /
    ) -> Iterator[tuple[int, Any]]:
        """Call `function(*arguments)` for each, and yield (place, result) in any order."""


def in_order(run: Run | None, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Results in the order of the arguments, and of several errors the first, whoever does the work.

    Parameters
    ----------
    run : Run, optional
        Who does it; this process, each piece when its result is asked for, if not given.
    function : callable
        Of a module, so that other processes find it.
    arguments : iterable of tuple
        Of each call.

    Raises
    ------
    ReportkitError
        That of the first piece that has one.

    Examples
    --------
    >>> list(in_order(lambda function, given: reversed([(n, function(*one)) for n, one in enumerate(given)]), max,
    ...               [(1, 2), (3, 4)]))
    [2, 4]
    """
    if run is None:
        for given in arguments:
            yield function(*given)
        return
    found = dict(run(_done, [(function, given) for given in arguments]))
    for place in sorted(found):
        if isinstance(found[place], ReportkitError):
            raise found[place]
        yield found[place]


def _done(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """What a piece comes to: its result or its error, so that it does not matter which is met first."""
    try:
        return function(*given)
    except ReportkitError as error:
        return error
