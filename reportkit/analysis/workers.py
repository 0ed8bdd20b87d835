"""Who does the pieces of a study: this process, or workers that are started or named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reportkit.in_pieces import Run
from reportkit.settings.arguments import WhereOptions

WHERE = tuple(WhereOptions.__annotations__)
"""Names of the arguments that say so."""


@contextmanager
def doing(options: Mapping[str, Any]) -> Iterator[Run | None]:
    """Who does pieces of work; None for this process, where nothing was said.

    Parameters
    ----------
    options : mapping
        With `workers`, `cluster` or `client`, or without; others are left aside.
    """
    given = {name: options[name] for name in WHERE if options.get(name) is not None}
    if not given:
        yield None
        return
    from reportkit.scale.asked import means_of

    holder = means_of(**given).holder
    try:
        yield holder.run
    finally:
        holder.close()
