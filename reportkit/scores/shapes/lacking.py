"""Which scores systems lack on a dataset, and what is said of that where all have to have the same instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reportkit.errors import MissingScoresError
from reportkit.scores.table.names import sorted_positions

if TYPE_CHECKING:
    from reportkit.scores.shapes.block import Block

UNPAIRED_REMEDY = (
    ";\nif the systems were meant to be scored on different ones, compare two independent samples:\n"
    "pairing='unpaired' (--pairing unpaired)"
)

_MOST_PLACES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """Which scores the systems of a dataset, or of a part of its instances, lack.

    Parameters
    ----------
    n_instances, n_complete : int
        Instances that at least one of the systems has a score of, and those that all have.
    of_systems : dict of str to (int, str)
        Of each system, how many it lacks, and the first of these.
    """

    n_instances: int
    n_complete: int
    of_systems: dict[str, tuple[int, str]]

    @classmethod
    def of(cls, block: Block, systems: Sequence[str]) -> Lacking:
        """What some systems lack of a dataset; one of them may have no score there."""
        narrowed = block.narrowed(systems)
        if narrowed is None:
            return cls(n_instances=0, n_complete=0, of_systems={})
        presence = narrowed.presence()
        n, nobody = presence.shape[1], np.zeros(presence.shape[1], np.bool_)
        found = {}
        for system in systems:
            absent = ~(presence[narrowed.position(system)] if system in narrowed.systems else nobody)
            if absent.any():
                found[system] = int(absent.sum()), str(narrowed.instances[int(absent.argmax())])
        complete = 0 if len(narrowed.systems) < len(systems) else int(presence.all(axis=0).sum())
        return cls(n_instances=n, n_complete=complete, of_systems=found)

    @classmethod
    def of_all(cls, parts: Sequence[Lacking]) -> Lacking:
        """Put parts of the instances together."""
        found: dict[str, list[tuple[int, str]]] = {}
        for part in parts:
            for system, lacks in part.of_systems.items():
                found.setdefault(system, []).append(lacks)
        first = {
            system: (sum(n for n, _ in lacks), lacks[sorted_positions([name for _, name in lacks])[0]][1])
            for system, lacks in found.items()
        }
        return cls(
            n_instances=sum(part.n_instances for part in parts),
            n_complete=sum(part.n_complete for part in parts),
            of_systems=first,
        )


def refuse_unequal_instances(blocks: Sequence[Block]) -> None:
    """Raise one error that lists every dataset on which systems were scored on different instances.

    Raises
    ------
    MissingScoresError
        If there is such a dataset; the message says how many instances all systems share, and who has fewest.
    """
    places = []
    nothing_common = False
    for block in blocks:
        if block.head is not None and block.head.complete:
            continue
        lacking = block.lacking()
        if not lacking.of_systems:
            continue
        nothing_common = nothing_common or (lacking.n_complete == 0 and block.unit == "instance")
        fewest = max(block.systems, key=lambda system: lacking.of_systems.get(system, (0, ""))[0])
        number, example = lacking.of_systems[fewest]
        places.append(
            f"dataset {block.dataset!r}: {lacking.n_complete:,} of {lacking.n_instances:,} {block.unit}s have a score "
            f"of all {len(block.systems)} systems; {fewest!r} lacks {number:,}, such as {shortened(example)!r}"
        )
    if places:
        more = len(places) - _MOST_PLACES
        shown = [*places[:_MOST_PLACES], *([f"and {more} more"] if more > 0 else [])]
        raise MissingScoresError(
            f"systems were not scored on the same instances on {len(places)} of {len(blocks)} "
            f"{'dataset' if len(blocks) == 1 else 'datasets'}"
            if blocks[0].unit == "instance"
            else f"systems were not {blocks[0].scored_alike}",
            where="\n".join(shown),
            remedy=blocks[0].missing_remedy + (UNPAIRED_REMEDY if nothing_common else ""),
        )


def shortened(name: str, most: int = 48) -> str:
    """The beginning of a long name."""
    return name if len(name) <= most else name[: most - 3] + "..."
