"""Who does the pieces of a work: this process, with others beside it where that takes long, or workers of Dask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reportkit.in_pieces import JoinedBy, Run
from reportkit.settings.arguments import AUTO, WhereOptions
from reportkit.significance.threads import number_at_once

WHERE = tuple(WhereOptions.__annotations__)
"""Names of the arguments that say so."""

MOST_PROCESSES = 8
"""More would wait for the last piece of work; each takes about 0.2 GB."""


def joined_by_others() -> JoinedBy:
    """Run pieces here and, where they take long, in as many processes as there are processors for."""
    return JoinedBy(min(number_at_once(), MOST_PROCESSES))


@contextmanager
def doing(options: Mapping[str, Any]) -> Iterator[Run | None]:
    """Who does pieces of work; None for this process, where nothing was said.

    Parameters
    ----------
    options : mapping
        With `workers`, `cluster` or `client`, or without; others are left aside.
    """
    given = {name: options[name] for name in WHERE if options.get(name) is not None}
    if given in ({}, {"workers": AUTO}):
        yield joined_by_others() if given else None
        return
    from reportkit.scale.asked import means_of

    holder = means_of(**given).holder
    try:
        yield holder.run
    finally:
        holder.close()
