"""All systems on one dataset, for one metric, in one of the shapes that results come in."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, MissingScoresError, UnknownNameError
from reportkit.scores.choices import Kind, Missing, Pairing, Runs
from reportkit.scores.shapes.sample import Sample, Shape

if TYPE_CHECKING:
    from reportkit.scores.shapes.paired_scores import DatasetScores

_MISSING_REMEDY = (
    "complete the results, or say what a missing score means: missing='drop' (--missing drop) compares each pair on "
    "the instances both have, missing='worst' (--missing worst) counts no output as the worst output,\n"
    "missing='bounds' (--missing bounds) takes the worst case over all possible scores"
)

_UNPAIRED_REMEDY = (
    ";\nif the systems were meant to be scored on different ones, compare two independent samples:\n"
    "pairing='unpaired' (--pairing unpaired)"
)

_MOST_PLACES = 8
_SPREAD = 8
"""Range of codes, for each of them, up to which counting them is quicker than sorting."""


@dataclass(frozen=True, slots=True)
class Handling:
    """What is done with missing scores and with runs where two systems are paired; see `Block.pair`."""

    missing: Missing = "error"
    score_range: tuple[float, float] | None = None
    runs: Runs = "random"


STRICT = Handling()
"""Missing scores are refused."""


class CommonInstances(NamedTuple):
    """Instances on which two systems are compared, and how many were left out since only one of the two has them."""

    kept: NDArray[np.bool_]
    n_dropped: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Block(ABC):
    """What was measured of all systems on one dataset, oriented so that higher is better.

    Parameters
    ----------
    dataset : str
        Name of the dataset.
    metric : str
        Name of the metric; "score" if the input names none.
    systems : tuple of str
        Systems with at least one score here.
    instances : ndarray of shape (n_instances,)
        Ids of the instances, sorted; empty where none are known.
    kind : {"binary", "continuous", "ordinal", "count"}
        Detected, or declared by the user.
    higher_is_better : bool
        False if the values were negated; `as_given` undoes it.
    clusters : ndarray of int of shape (n_instances,), optional
        Codes into `cluster_names`.
    cluster_names : tuple of str
        Names of the clusters (documents, dialogues, ...).
    own_metric : str
        Metric of this dataset, where every dataset has its own; else empty.
    """

    shape: ClassVar[Shape]
    unit: ClassVar[str] = "instance"
    """Noun for one of the `instances`, in the singular."""
    axes: ClassVar[Mapping[str, str]]
    """Arrays by what their first two axes are: "s" systems, "i" instances; in the order in which they are hashed."""

    dataset: str
    metric: str
    systems: tuple[str, ...]
    instances: NDArray[np.object_]
    kind: Kind
    higher_is_better: bool = True
    clusters: NDArray[np.int64] | None = None
    cluster_names: tuple[str, ...] = ()
    own_metric: str = ""

    @property
    def plain(self) -> bool:
        """Whether it holds nothing but one score of every system for every instance."""
        return False

    @property
    def n_instances(self) -> int:
        """Number of instances that at least one system was scored on."""
        return int(self.instances.size)

    @property
    def instance_names(self) -> NDArray[np.object_]:
        """Ids of the instances, each once."""
        return self.instances

    def presence(self) -> NDArray[np.bool_]:
        """Return which system has a score for which instance, shape (n_systems, n_instances)."""
        return np.array([self.presence_of(system) for system in self.systems]).reshape(len(self.systems), -1)

    def presence_of(self, system: str) -> NDArray[np.bool_]:
        """Return for which instances a system has a score, shape (n_instances,); empty where none are known."""
        measured = self.measured()
        if measured is None:
            return np.ones(0, dtype=bool)
        row = measured[self.position(system)]
        return np.asarray(~np.isnan(row if row.ndim == 1 else row[:, 0]))

    def part(self, rows: Sequence[int], kept: NDArray[np.bool_]) -> Self:
        """Keep the systems of some rows, in this order, and some instances."""
        found: dict[str, Any] = {}
        for name, axes in {**self.axes, "systems": "s", "instances": "i", "clusters": "i"}.items():
            value = getattr(self, name)
            if value is None:
                continue
            several = isinstance(value, tuple)  # by system: names, or arrays of different numbers of runs
            if "s" in axes:
                value = tuple(value[row] for row in rows) if several else value[list(rows)]
            if axes == "i" and not kept.all():
                value = value[kept]
            if axes == "si" and not kept.all():
                value = tuple(one[:, kept] for one in value) if several else value[:, kept]
            found[name] = value
        return replace(self, **found)

    def hashed(self) -> str:
        """Return what is hashed before the arrays: names of runs, of counts, ..."""
        return ""

    def content(self) -> Iterator[bytes]:
        """Yield everything measured, for the hash of the results; names and instances are hashed beside."""
        yield self.hashed().encode("utf-8", "surrogatepass")
        for name in self.axes:
            value = getattr(self, name)
            if value is not None:  # never a copy of all rows
                yield from (row.tobytes() for row in (value if value.ndim > 1 else value[None]))

    @abstractmethod
    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """What a table prints of a system, as given, over all instances that it has, and the number of these."""

    @abstractmethod
    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> Sample:
        """Put two systems side by side, as this shape has them; see `pair`."""

    def unpaired(self, system_a: str, system_b: str) -> Sample:
        """Take two systems as two independent samples.

        Raises
        ------
        DesignError
            If this is not one score per system and instance, or a number of right answers.
        """
        raise DesignError(
            "pairing='unpaired' is for one score per system and instance",
            where=f"dataset {self.dataset!r}",
            remedy="leave it away: these results are compared as they are",
        )

    def pair(
        self,
        system_a: str,
        system_b: str,
        *,
        missing: Missing = "error",
        score_range: tuple[float, float] | None = None,
        pairing: Pairing = "paired",
        runs: Runs = "random",
    ) -> Sample:
        """Put two systems side by side: what a test sees.

        Parameters
        ----------
        system_a, system_b : str
            Two systems of this dataset.
        missing : {"error", "drop", "worst", "bounds"}
            What to do with an instance that only one of the two has a score for: refuse, leave it out for both, or
            count the missing output as the worst possible score, which is right for crashes and timeouts. "bounds"
            gives what "drop" gives, to which `bounded_pair` adds both extremes. An instance that neither has is always
            left out, with "worst" too: it says nothing about which of the two is better.
        score_range : tuple of float, optional
            (lowest, highest) score of the metric, as given; needed for `missing="worst"` unless scores are 0/1 or lie
            between 0 and 1.
        pairing : {"paired", "unpaired"}
            Whether instances are compared one by one, or the scores of the two systems are two independent samples.
        runs : {"random", "fixed"}
            Where systems have several runs: whether they are kept apart, or averaged instance by instance.

        Returns
        -------
        Sample
            `PairedScores` for a block of scores; see `reportkit.scores.shapes.sample` for the other shapes.

        Raises
        ------
        DesignError
            If what is asked for makes no sense for this shape.
        MissingScoresError
            If the instance sets differ and `missing="error"`, if nothing is common, or if the worst score is unknown.
        UnknownNameError
            If a system has no scores on this dataset.
        """
        if missing == "bounds" and self.shape != "paired" and not self.without_missing():
            raise DesignError(
                "missing='bounds' is for one score per system and instance",
                where=f"dataset {self.dataset!r}: {type(self).__name__}",
                remedy="complete the results, or choose missing='drop' (--missing drop)",
            )
        if pairing == "unpaired" and self.unit == "instance":
            return self.unpaired(system_a, system_b)
        return self.paired(system_a, system_b, Handling(missing, score_range, runs))

    def of_pair(self, system_a: str, system_b: str, kind: Kind | None = None) -> dict[str, Any]:
        """What every sample of two systems says of them and of the dataset."""
        return {
            "system_a": system_a,
            "system_b": system_b,
            "dataset": self.dataset,
            "metric": self.metric,
            "own_metric": self.own_metric,
            "kind": kind or self.kind,
            "higher_is_better": self.higher_is_better,
        }

    def digest(self) -> str:
        """SHA-256 of names, ids and what was measured: 64 hexadecimal digits."""
        header = [self.metric, self.dataset, self.kind, str(self.higher_is_better), *self.systems]
        total = hashlib.sha256("\x1f".join(header).encode("utf-8", "surrogatepass"))
        total.update(self.content_digest().encode())
        return total.hexdigest()

    def content_digest(self) -> str:
        """SHA-256 of ids and what was measured, under whatever names: 64 hexadecimal digits."""
        total = hashlib.sha256("\x1f".join(map(str, self.instances)).encode("utf-8", "surrogatepass"))
        for part in self.content():
            total.update(part)
        if self.clusters is not None:
            total.update(self.clusters.tobytes())
        return total.hexdigest()

    def renamed(self, metric: str) -> Block:
        """The same under another name of the metric; `own_metric` keeps the first."""
        return replace(self, metric=metric, own_metric=self.own_metric or self.metric)

    def matrix(self) -> DatasetScores | None:
        """Scores with a row per system (or run of a system) and a column per instance (or run, or fold).

        For checks of scales, ranges and kinds; None for a block that holds no scores: counts, sums, predictions.
        """
        return None

    def measured(self) -> NDArray[np.float64] | None:
        """What was measured of each system on each instance, shape (n_systems, n_instances) or (..., k), as held.

        NaN where a system has nothing; None where there are several runs, or nothing is known of single instances.
        """
        return None

    def averaged(self) -> Block:
        """The same with one score in the place of several runs."""
        return self

    def runs_as_systems(self) -> Block:
        """The same with each run as a system of its own."""
        return self

    @property
    def owners(self) -> tuple[str, ...]:
        """The system of each row of `runs_as_systems`."""
        return self.systems

    def runs_by_system(self) -> list[tuple[str, tuple[str, ...]]]:
        """Names of the runs of each system; empty where none are told apart."""
        return []

    @property
    def column_instances(self) -> NDArray[np.object_]:
        """Id of the instance that each column of scores belongs to."""
        return self.instances

    @property
    def independent_units(self) -> NDArray[np.int64] | None:
        """Code of the independent unit of each column of scores: its cluster; None if each stands alone."""
        return self.clusters

    def position(self, system: str) -> int:
        """Row of a system.

        Raises
        ------
        UnknownNameError
            If it has no score here.
        """
        try:
            return self.systems.index(system)
        except ValueError:
            raise UnknownNameError("system", system, self.systems, where=f"dataset {self.dataset!r}") from None

    def as_given(self, value: float) -> float:
        """Turn an oriented value back into what the input holds."""
        return value if self.higher_is_better else -value

    def without_missing(self) -> bool:
        """Whether every system has a score for every instance."""
        return all(bool(self.presence_of(system).all()) for system in self.systems)

    def narrowed(self, systems: Sequence[str]) -> Self | None:
        """Keep some systems, in their order, and the instances that one of them has; None if none is here."""
        found = self.instances_kept(systems)
        if found is not None and found[0] == [*range(len(self.systems))] and found[1].all():
            return self
        return None if found is None else self.part(*found)

    def instances_kept(self, systems: Sequence[str]) -> tuple[list[int], NDArray[np.bool_]] | None:
        """Rows of some systems, and which instances one of them has; None if none of the systems is here."""
        rows = [self.systems.index(system) for system in systems if system in self.systems]
        present = [self.presence_of(self.systems[row]) for row in rows]
        return (rows, np.any(present, axis=0)) if rows else None

    def common_instances(self, system_a: str, system_b: str, *, missing: Missing = "error") -> CommonInstances:
        """Find the instances on which two systems are compared.

        Raises
        ------
        MissingScoresError
            If the instance sets differ and `missing="error"`, or if nothing is common.
        UnknownNameError
            If a system has no scores on this dataset.
        """
        has_a, has_b = self.presence_of(system_a), self.presence_of(system_b)
        kept, n_dropped = has_a | has_b, 0
        if bool((has_a ^ has_b).any()):
            if missing == "error":
                raise self._unequal(system_a, system_b, has_b & ~has_a, has_a & ~has_b)
            if missing in ("drop", "bounds"):
                n_dropped = int((has_a ^ has_b).sum())
                kept = has_a & has_b
        if not bool(kept.any()):
            raise MissingScoresError(
                f"{system_a!r} and {system_b!r} have no {self.unit} in common",
                where=f"dataset {self.dataset!r}: {int(has_a.sum())} and {int(has_b.sum())} {self.unit}s",
                remedy=f"check the {self.unit} ids of the two systems; a paired test needs the same {self.unit}s"
                + (_UNPAIRED_REMEDY if self.unit == "instance" else ""),
            )
        return CommonInstances(kept, n_dropped)

    def clusters_kept(self, kept: NDArray[np.bool_]) -> NDArray[np.int64] | None:
        """Clusters of some instances; None if each instance is a cluster of its own."""
        clusters = None if self.clusters is None else self.clusters[kept]
        return None if clusters is None or n_different(clusters) == clusters.size else clusters

    @property
    def scored_alike(self) -> str:
        """What systems without missing scores are."""
        return f"scored on the same {self.unit}s"

    @property
    def missing_remedy(self) -> str:
        """What to do where scores are missing."""
        return _MISSING_REMEDY.replace("instances", f"{self.unit}s")

    def _unequal(
        self, system_a: str, system_b: str, only_b: NDArray[np.bool_], only_a: NDArray[np.bool_]
    ) -> MissingScoresError:
        parts = []
        for system, absent in ((system_a, only_b), (system_b, only_a)):
            if absent.any():
                examples = ", ".join(repr(_shortened(str(name))) for name in self.instances[absent][:3])
                more = ", ..." if int(absent.sum()) > 3 else ""
                parts.append(
                    f"{system!r} has no score for {int(absent.sum())} of {absent.size} {self.unit}s ({examples}{more})"
                )
        return MissingScoresError(
            f"{system_a!r} and {system_b!r} were not {self.scored_alike}",
            where=f"dataset {self.dataset!r}: " + "; ".join(parts),
            remedy=self.missing_remedy,
        )


def close_together(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Codes from 0 that are alike where the given ones are; not all occur, but they are few enough to be counted.

    Examples
    --------
    >>> close_together(np.array([7, 3, 7])), close_together(np.array([-(10**9), 10**9]))
    (array([4, 0, 4]), array([0, 1]))
    """
    low, high = (int(codes.min()), int(codes.max())) if codes.size else (0, 0)
    if high - low > _SPREAD * codes.size:
        return np.unique(codes, return_inverse=True)[1].ravel()
    return codes - low


def n_different(codes: NDArray[np.int64]) -> int:
    """Number of different codes."""
    return int(np.count_nonzero(np.bincount(close_together(codes))))


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
        presence = block.presence()
        lacking = (~presence).sum(axis=1)
        if not lacking.any():
            continue
        n_complete, fewest = int(presence.all(axis=0).sum()), int(lacking.argmax())
        nothing_common = nothing_common or (n_complete == 0 and block.unit == "instance")
        example = _shortened(str(block.instances[int((~presence[fewest]).argmax())]))
        places.append(
            f"dataset {block.dataset!r}: {n_complete:,} of {presence.shape[1]:,} {block.unit}s have a score of all "
            f"{len(block.systems)} systems; {block.systems[fewest]!r} lacks {int(lacking[fewest]):,}, such as "
            f"{example!r}"
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
            remedy=blocks[0].missing_remedy + (_UNPAIRED_REMEDY if nothing_common else ""),
        )


def _shortened(name: str, most: int = 48) -> str:
    return name if len(name) <= most else name[: most - 3] + "..."
