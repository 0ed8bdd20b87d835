"""Facts as they are printed: decimals and names of metrics as the appearance asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reportkit.appearance import Appearance, plain_label
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.report.facts import Facts
from reportkit.report.records import Metric, Scale
from reportkit.report.tokens import name

_FINEST, _LISTED = 0.1, 4


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
    every = tuple(dict.fromkeys(one for names in known.values() for one in names))
    for one in look.labels:
        if one not in every:
            raise UnknownNameError("system, dataset or metric", one, every, where="labels")
    for kind, names in known.items():
        printed: dict[str, str] = {}
        for one in names:
            label = plain_label(look.labels.get(one, one))
            if label in printed:
                raise SettingsError(
                    f"the {kind}s {printed[label]!r} and {one!r} would both be printed as {label!r}",
                    where="labels",
                    remedy="give them different labels",
                )
            printed[label] = one
    if isinstance(look.decimals, Mapping):
        for one in look.decimals:
            if one not in known["metric"]:
                raise UnknownNameError("metric", one, known["metric"], where="decimals")
    found = [one for metric in facts.metrics for one in _too_fine(facts, metric, look.decimals_of(metric.name))]
    metrics = tuple(_metric(metric, look) for metric in facts.metrics)
    return replace(facts, metrics=metrics, findings=(*facts.findings, *found))


def _too_fine(f: Facts, metric: Metric, decimals: int | None) -> list[Finding]:
    """Say on which datasets the last decimal is below a tenth of what one instance, or the standard error, changes.

    One of n right answers is 100 / n percentage points: with n = 277 a second decimal is a thirtieth of that.
    """
    if decimals is None or decimals <= metric.scale.decimals:
        return []
    steps: dict[str, float] = {}
    for item in f.outcomes:
        test, factor = f.tests[item.test], f.scale(metric.name, item.dataset).factor
        right = test.unit == "instance" and test.percent and item.n
        step = factor / item.n if right and item.n else factor * (item.standard_error or 0.0)
        if item.metric == metric.name and 10.0**-decimals < _FINEST * step * (1 - 1e-9):
            steps[item.dataset] = max(step, steps.get(item.dataset, 0.0))
    if not steps:
        return []
    names = list(steps)[:_LISTED]
    more = f" and {len(steps) - len(names)} more" if len(steps) > len(names) else ""
    message = (
        f"{decimals} decimals were requested, but one instance, or one standard error, is as much as "
        f"{max(steps.values()):.2g}: the last decimal says nothing."
    )
    remedy = f"print {metric.scale.decimals}, as without decimals (--decimals)"
    where = f"datasets {', '.join(map(repr, names))}{more}"
    return [Finding("decimals-beyond-n", "warning", message, where=where, remedy=remedy)]


def _metric(metric: Metric, look: Appearance) -> Metric:
    if metric.name in look.labels:
        metric = replace(metric, title=name(metric.name), short=name(metric.name))
    decimals = look.decimals_of(metric.name)
    if decimals is None:
        return metric

    def fixed(scale: Scale) -> Scale:
        return replace(scale, decimals=decimals)

    by_dataset = {dataset: fixed(scale) for dataset, scale in metric.by_dataset.items()}
    return replace(metric, scale=fixed(metric.scale), by_dataset=by_dataset)
