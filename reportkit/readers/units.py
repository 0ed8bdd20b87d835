"""From the scores of each system on each dataset, by all metrics, to what is understood: the last step of harnesses."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from reportkit.errors import ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers.choosing import Chosen, choose_metrics
from reportkit.readers.frame_builder import FrameBuilder
from reportkit.readers.pairing import Asked, paired_ids
from reportkit.readers.understood import Reading, Request, shell

NO_HASHES = ""
"""Name of the hashes where a format has none: ids are taken as they are."""


@dataclass(slots=True, eq=False)
class Unit:
    """What one system scored on one dataset.

    Parameters
    ----------
    system, dataset : str
    place : str
        The file, for messages.
    date : str
        Sorts evaluations of the same system on the same dataset; "" if it is not known.
    ids : list of str
        Of the instances, repeated where there are runs.
    runs : list of str
        Epoch or trial of each score; empty where there is one.
    hashes : list
        Something that is the same for equal instances; empty or None where it is not known.
    scores : dict of str to list of float or None
        Metric to scores, as many as there are ids, or fewer where the last ones have none; None is not scored.
    unknown : dict of str to str
        Metrics with a value that stands for no number, and which.
    refused : dict of str to str
        Metrics that have no scores of instances, and why.
    higher : dict of str to bool
        Metric to direction, where the files say it.
    """

    system: str
    dataset: str
    place: str
    date: str = ""
    ids: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    hashes: list[Hashable] = field(default_factory=list)
    scores: dict[str, list[float | None]] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    higher: dict[str, bool] = field(default_factory=dict)

    def score(self, metric: str, value: float | None) -> None:
        """Add the score of the instance that is added next."""
        column = self.scores.get(metric)
        if column is None:
            column = self.scores[metric] = []
        if len(column) < len(self.ids):
            column.extend([None] * (len(self.ids) - len(column)))
        column.append(value)

    @property
    def metrics(self) -> list[str]:
        """Metrics by which some instance is scored, or has a value that is not understood."""
        return [
            name
            for name, column in self.scores.items()
            if name not in self.refused and (name in self.unknown or any(value is not None for value in column))
        ]


def latest(units: Sequence[Unit], noun: str) -> tuple[list[Unit], tuple[Finding, ...]]:
    """Of several evaluations of one system on one dataset the latest, and a warning that names the others.

    Raises
    ------
    ReadingError
        If their dates do not tell.
    """
    by_pair: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        by_pair.setdefault((unit.system, unit.dataset), []).append(unit)
    kept: set[int] = set()
    older: list[str] = []
    for (system, dataset), group in by_pair.items():
        group.sort(key=lambda unit: (unit.date, unit.place))
        if len(group) > 1 and group[-1].date == group[-2].date:
            raise ReadingError(
                f"{system!r} was evaluated on {dataset!r} more than once, and it is not clear which is meant",
                where=listed([repr(unit.place) for unit in group], 3),
                remedy="give the files of one of them; to compare them, give each a folder and a name of its own",
            )
        kept.add(id(group[-1]))
        older.extend(unit.place for unit in group[:-1])
    notes = []
    if older:
        notes.append(
            Finding(
                "older-evaluations",
                "warning",
                f"{counted(len(older), 'older evaluation')} of the same {noun} left out; the latest is taken.",
                where=listed([repr(place) for place in older], 5),
                remedy="to take another one, give its files alone",
            )
        )
    return [unit for unit in units if id(unit) in kept], tuple(notes)


def common_metrics(units: Sequence[Unit]) -> dict[str, list[str]]:
    """Dataset to the metrics that all its systems have; those of all systems, where they have none in common."""
    found: dict[str, list[str]] = {}
    for unit in units:
        own = unit.metrics
        known = found.setdefault(unit.dataset, own)
        found[unit.dataset] = [name for name in known if name in own] or list(dict.fromkeys([*known, *own]))
    return found


def understood(
    units: Sequence[Unit],
    request: Request,
    *,
    format_name: str,
    nouns: tuple[str, str] = ("model", "dataset"),
    id_name: str,
    hash_name: str = NO_HASHES,
    main: Sequence[str] = (),
    notes: Sequence[Finding] = (),
    n_files: int,
) -> Reading:
    """Choose the metric, pair the instances, and put all scores into one frame.

    Parameters
    ----------
    units : sequence of Unit
        One per system and dataset.
    request : Request
    format_name : str
    nouns : tuple of str
        What a system and a dataset are called.
    id_name, hash_name : str
        What says that two systems were asked the same.
    main : sequence of str
        The main metric, or metrics, as the files say.
    notes : sequence of Finding
        What the reader has to say.
    n_files : int

    Raises
    ------
    SettingsError
        If there is no score, or one that is asked for is a text that stands for no number.
    UnknownNameError
        If there is no metric that is asked for.
    """
    if request.columns or request.systems:
        raise SettingsError(
            f"columns were named, and files of {format_name} have none",
            where=", ".join(map(repr, (*request.columns, *(request.systems or ())))),
            remedy="leave them out; the metric is named by --metric (in Python metric=...)",
        )
    refused = {name: why for unit in units for name, why in unit.refused.items()}
    available = common_metrics(units)
    chosen = choose_metrics(available, request, noun=nouns[1], main=main, refused=refused)
    higher = _directions(units, chosen, nouns[1])
    named = chosen.named or len({*higher.values()}) > 1
    if not named and higher:
        higher = {"score": next(iter(higher.values()))}
    asked = [
        Asked(unit.system, unit.dataset, unit.ids, unit.hashes or [None] * len(unit.ids), unit.place) for unit in units
    ]
    ids_of: Sequence[Sequence[str]] = [unit.ids for unit in units]
    paired_on = id_name
    of_pairs: tuple[Finding, ...] = ()
    if hash_name != NO_HASHES:
        ids_of, paired_on, of_pairs = paired_ids(asked, id_name, hash_name)
    several = any(len(set(unit.runs)) > 1 for unit in units)
    rows = FrameBuilder()
    absent = []
    for unit, ids in zip(units, ids_of, strict=True):
        for metric in chosen.metrics.get(unit.dataset, ()):
            if metric in unit.unknown:
                raise _unknown_value(unit, metric, available[unit.dataset])
            if metric not in unit.scores:
                absent.append(f"{unit.system} on {unit.dataset}: {metric}")
                continue
            column = unit.scores[metric]
            rows.add(
                unit.system,
                unit.dataset,
                ids,
                [*column, *[None] * (len(ids) - len(column))],
                metric=metric if named else "score",
                runs=(unit.runs or ["1"] * len(ids)) if several else None,
            )
    said = list(chosen.notes)
    if absent:
        said.append(Finding("scores-absent", "warning", "Some systems lack what is compared.", where=listed(absent, 5)))
    return Reading(
        frame=rows.frame(),
        format=format_name,
        metrics=chosen.metrics,
        other_metrics=chosen.others,
        paired_on=paired_on,
        higher_is_better=higher,
        notes=(*said, *notes, *of_pairs, *rows.notes()),
        nouns=nouns,
        n_files=n_files,
    )


def _unknown_value(unit: Unit, metric: str, available: Sequence[str]) -> SettingsError:
    others = [name for name in available if name != metric and name not in unit.unknown]
    return SettingsError(
        f"a value of {metric!r} is no number",
        where=f"{unit.unknown[metric]} in {unit.place!r}",
        remedy=f"take another metric: --metric {shell(others[0])}" if others else "let the metric give numbers",
    )


def _directions(units: Sequence[Unit], chosen: Chosen, noun: str) -> dict[str, bool]:
    """Direction by metric, where the files say one; metrics of which they say nothing are better when higher."""
    said: dict[str, Unit] = {}
    for unit in units:
        for metric in {*chosen.metrics.get(unit.dataset, ())} & {*unit.higher}:
            first = said.setdefault(metric, unit)
            if first.higher[metric] == unit.higher[metric]:
                continue
            same = unit.dataset == first.dataset
            raise SettingsError(
                f"the files do not agree whether higher {metric} is better" + (f" on {unit.dataset}" if same else ""),
                where=f"{first.place!r} and {unit.place!r}",
                remedy="evaluate all systems with the same version" if same else f"give the {noun}s of one kind alone",
            )
    taken = dict.fromkeys(name for names in chosen.metrics.values() for name in names) if said else {}
    return {metric: said[metric].higher[metric] if metric in said else True for metric in taken}
