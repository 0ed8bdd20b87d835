"""Facts as they are printed: decimals and names of metrics as the appearance asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reportkit.appearance import Appearance
from reportkit.errors import UnknownNameError
from reportkit.report.facts import Facts
from reportkit.report.labels import plain_labels
from reportkit.report.records import Metric
from reportkit.report.tokens import name


def as_printed(facts: Facts, look: Appearance) -> Facts:
    """Return facts with the decimals and the names of metrics that are asked for.

    Raises
    ------
    UnknownNameError
        If a label, a group or decimals are for a name that does not occur; the nearest are said.
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
        metric = replace(metric, title=name(metric.name), short=name(metric.name))
    decimals = look.decimals_of(metric.name)
    if decimals is None:
        return metric

    by_dataset = {dataset: replace(scale, decimals=decimals) for dataset, scale in metric.by_dataset.items()}
    return replace(metric, scale=replace(metric.scale, decimals=decimals), by_dataset=by_dataset)
