"""Which columns of a table hold counts, and which metrics can be computed from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from reportkit.metrics.corpus.catalogue import CORPUS_METRICS, corpus_metric_named, fitting_metrics
from reportkit.metrics.corpus.metric import CorpusMetric

PREFIX = "stat_"
"""May stand before the name of a count: `stat_tp`."""


def counted_columns(names: Iterable[str]) -> dict[str, str]:
    """Counts to column names; only the counts of metrics of which all are there.

    Case, `-`, `_`, `.` and spaces do not count; a name with the prefix `stat_` wins over one without.

    Examples
    --------
    >>> counted_columns(["system", "TP", "FP", "FN", "edits"])
    {'tp': 'TP', 'fp': 'FP', 'fn': 'FN'}
    >>> counted_columns(["correct", "stat_correct", "stat_total"])
    {'correct': 'stat_correct', 'total': 'stat_total'}
    """
    found = _present(names)
    complete = dict.fromkeys(column for metric in fitting_metrics(found) for column in metric.columns)
    return {column: found[column] for column in complete}


def missing_counts(metric: CorpusMetric, names: Iterable[str]) -> tuple[str, ...]:
    """Counts that a metric needs and that no column holds, in the order of the metric.

    Examples
    --------
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> missing_counts(F1, ["system", "tp", "fp"])
    ('fn',)
    """
    found = _present(names)
    return tuple(column for column in metric.columns if column not in found)


def counts_remedy(names: Iterable[str], metric: str | None = None) -> str:
    """Say what is missing from the counts of the metric that was asked for, or of one that is half there; or nothing.

    Examples
    --------
    >>> print(counts_remedy(["system", "tp", "fp"]))
    to compute f1, add the counts 'fn';
    f1 needs the columns tp, fp, fn
    """
    names = list(names)
    asked = None if metric is None else corpus_metric_named(metric)
    if asked is None:
        begun = [
            known
            for known in CORPUS_METRICS.values()
            if known.offered and 2 * len(missing_counts(known, names)) <= len(known.columns)
        ]
        if not begun:
            return ""
        asked = min(begun, key=lambda known: len(missing_counts(known, names)))
    absent = missing_counts(asked, names)
    if not absent:
        return ""
    return (
        f"to compute {asked.name}, add the counts {', '.join(map(repr, absent))};\n"
        f"{asked.name} needs the columns {', '.join(asked.columns)}"
    )


def _present(names: Iterable[str]) -> Mapping[str, str]:
    by_fold: dict[str, str] = {}
    for name in names:
        by_fold.setdefault(_folded(name), name)
    found: dict[str, str] = {}
    for column in dict.fromkeys(column for metric in CORPUS_METRICS.values() for column in metric.columns):
        for fold in (_folded(PREFIX + column), _folded(column)):
            if fold in by_fold:
                found.setdefault(column, by_fold[fold])
    return found


@lru_cache(maxsize=4096)
def _folded(name: str) -> str:
    return re.sub(r"[-_.\s]+", "", name.strip().casefold())
