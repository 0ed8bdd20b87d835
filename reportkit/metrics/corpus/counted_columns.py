"""Which columns of a table hold counts, and which metrics can be computed from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from reportkit.metrics.corpus.catalogue import CORPUS_METRICS, fitting_metrics
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
