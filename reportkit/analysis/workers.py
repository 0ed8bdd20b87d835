"""Who does the pieces of a work: this process, with others beside it where that takes long, or workers of Dask."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reportkit.errors import SettingsError
from reportkit.in_pieces import JoinedBy, Run
from reportkit.scores.table.cell_index import n_threads
from reportkit.settings.arguments import AUTO, WhereOptions

WHERE = tuple(WhereOptions.__annotations__)
"""Names of the arguments that say so."""

MOST_PROCESSES = 8
"""More would wait for the last piece of work; each takes about 0.2 GB."""


def joined_by_others() -> JoinedBy:
    """Run pieces here and, where they take long, in as many processes as there are processors for."""
    threads = os.environ.get("OMP_NUM_THREADS", "")
    asked = int(threads) if threads.isdigit() and int(threads) else MOST_PROCESSES
    return JoinedBy(min(n_threads(), asked, MOST_PROCESSES))


@contextmanager
def doing(options: Mapping[str, Any], said: Callable[[str], None] = warnings.warn) -> Iterator[Run | None]:
    """Who does pieces of work; None for this process, where nothing was said.

    Parameters
    ----------
    options : mapping
        With `workers`, `cluster` or `client`, or without; others are left aside.
    said : callable
        Called with the text where no worker of a cluster has come yet.

    Raises
    ------
    SettingsError
        If two of them exclude each other, make no sense, or need a package that is not installed.
    WorkerLostError
        If no worker of the cluster comes.
    """
    given = {name: options[name] for name in WHERE if options.get(name) is not None}
    if given in ({}, {"workers": AUTO}):
        yield joined_by_others() if given else None
        return
    if len(given) > 1:
        raise SettingsError(
            "workers, a cluster and a client exclude each other",
            where="workers (--workers) are started here; a cluster (--cluster) and a client have workers of their own",
            remedy="give one of them",
        )
    if "workers" in given:
        workers = given["workers"]
        if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
            raise SettingsError(f"workers is {workers!r}", remedy="give a whole number of at least 1 (--workers 2)")
        yield JoinedBy(workers, after=0.0)
        return
    from reportkit.on_dask import OnDask, connected  # only where it is asked for

    client = given["client"] if "client" in given else connected(str(given["cluster"]))
    try:
        found = OnDask(client)
        found.wait(said)
        yield found
    finally:
        if "cluster" in given:
            client.close()
