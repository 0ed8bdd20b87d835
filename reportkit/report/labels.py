"""Printed forms of names and numbers: labels, and the decimals and names of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from reportkit.appearance import Appearance
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.language import Named
from reportkit.report import tokens
from reportkit.report.facts import Facts
from reportkit.report.records import Metric

T = TypeVar("T")


def plain_labels(look: Appearance, known: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Map names to the plain forms of their labels.

    Parameters
    ----------
    look : Appearance
        With labels.
    known : mapping of str to sequence of str
        The names that there are, by what they are names of: "system", "dataset", "metric".

    Raises
    ------
    UnknownNameError
        If a label is for a name that does not occur; the message suggests the nearest names.
    SettingsError
        If two names of a kind would be printed alike.
    """
    every = tuple(dict.fromkeys(name for group in known.values() for name in group))
    for name in look.labels:
        if name not in every:
            raise UnknownNameError("system, dataset or metric", name, every, where="labels")
    for role, group in known.items():
        printed: dict[str, str] = {}
        for name in group:
            label = look.plain_labels.get(name, name)
            if label in printed:
                raise SettingsError(
                    f"the {role}s {printed[label]!r} and {name!r} would both be printed as {label!r}",
                    where="labels",
                    remedy="give them different labels",
                )
            printed[label] = name
    return look.plain_labels


def as_printed(facts: Facts, look: Appearance) -> Facts:
    """Return facts with the decimals and the names of metrics that are asked for.

    Raises
    ------
    UnknownNameError
        If a label, a group or decimals are for a name that does not occur; the message suggests the nearest names.
    SettingsError
        If two names would be printed alike.
    """
    known: Mapping[str, tuple[str, ...]] = {
        "system": tuple(dict.fromkeys((*facts.systems, *(score.system for score in facts.scores)))),
        "dataset": tuple(dict.fromkeys((*facts.datasets, *(score.dataset for score in facts.scores)))),
        "metric": tuple(dict.fromkeys((*facts.by_metric, *facts.metric_of.values()))),
    }
    for kind, groups in (("dataset", look.dataset_groups), ("system", look.system_groups)):
        for title, members in groups.items():
            for member in members:
                if member not in known[kind]:
                    raise UnknownNameError(kind, member, known[kind], where=f"group {title!r} of {kind}_groups")
    plain_labels(look, known)
    for one in look.decimals if isinstance(look.decimals, Mapping) else ():
        if one not in known["metric"]:
            raise UnknownNameError("metric", one, known["metric"], where="decimals")
    return replace(facts, metrics=tuple(_metric(metric, look) for metric in facts.metrics))


def _metric(metric: Metric, look: Appearance) -> Metric:
    if metric.name in look.labels:
        metric = replace(metric, title=tokens.name(metric.name), short=tokens.name(metric.name))
    decimals = look.decimals_of(metric.name)
    if decimals is None:
        return metric

    by_dataset = {dataset: replace(scale, decimals=decimals) for dataset, scale in metric.by_dataset.items()}
    return replace(metric, scale=replace(metric.scale, decimals=decimals), by_dataset=by_dataset)


_RENAMED = {
    "system_a", "system_b", "dataset", "metric", "systems", "datasets", "families", "source_dataset", "target_dataset",
    "where", "pairs", "sizes", "nulls", "joint", "compared", "bins", "domains", "transfers", "omissions", "resplits",
}  # fmt: skip
"""Fields of studies that hold a name, names, something by name, or parts with such fields."""


def renamed(item: T, names: Mapping[str, str]) -> T:
    """Return the same results with names replaced in all their parts."""
    changed: Any = item
    if isinstance(item, Named):
        changed = item.relabelled(names)
    elif isinstance(item, str):
        changed = names.get(item, item)
    elif isinstance(item, (tuple, list)):
        changed = tuple(renamed(part, names) for part in item)
    elif isinstance(item, Mapping):
        changed = {renamed(key, names): renamed(part, names) for key, part in item.items()}
    elif is_dataclass(item):
        own = [field.name for field in fields(item) if field.name in _RENAMED]
        changed = replace(changed, **{name: renamed(getattr(item, name), names) for name in own})
    return changed  # type: ignore[no-any-return] # of the type of the item
