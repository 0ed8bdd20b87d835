"""All corpus metrics by name, and how users add their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from reportkit.errors import SettingsError
from reportkit.metrics.corpus import alignment, bleu, chrf, f_measures, matthews, proportions, ter
from reportkit.metrics.corpus.metric import CorpusMetric, Floats
from reportkit.registry import Registry

CORPUS_METRICS: Registry[CorpusMetric] = Registry("corpus metric")
"""Names to metrics, in the order in which they are listed to users."""

for _metric in (
    proportions.ACCURACY,
    proportions.EXACT_MATCH,
    proportions.UAS,
    proportions.LAS,
    proportions.ERROR_RATE,
    proportions.WER,
    proportions.CER,
    f_measures.F1,
    f_measures.F_HALF,
    f_measures.F2,
    f_measures.PRECISION,
    f_measures.RECALL,
    matthews.MATTHEWS,
    alignment.AER,
    bleu.BLEU,
    bleu.BLEU_FLOOR,
    bleu.BLEU_UNSMOOTHED,
    chrf.CHRF,
    chrf.CHRF_PLUS_PLUS,
    ter.TER,
):
    CORPUS_METRICS.register(_metric.name, _metric)


def corpus_metric_named(name: str) -> CorpusMetric | None:
    """Metric of a name in any case, with spaces or underscores for hyphens; None if there is none.

    Examples
    --------
    >>> corpus_metric_named("BLEU").columns[:2], corpus_metric_named("Exact_Match").title, corpus_metric_named("rouge")
    (('hyp_len', 'ref_len'), 'Exact match', None)
    """
    return CORPUS_METRICS.get(_as_key(name))


def register_metric(
    name: str,
    function: Callable[[Floats], Floats],
    columns: Sequence[str],
    *,
    title: str | None = None,
    higher_is_better: bool = True,
    value_range: tuple[float, float] = (-math.inf, math.inf),
    in_percent: bool = False,
    at_most: Iterable[tuple[str, str]] = (),
    non_negative: bool = True,
    citation: str = "",
    offered: bool = True,
) -> CorpusMetric:
    """Add a metric of your own: any function of sums of columns.

    Afterwards `df.replic.compare(..., metric=name)` computes it from these columns, with the bootstrap, the
    randomization test and the jackknife of all corpus metrics. A package names a `CorpusMetric` in its `pyproject.toml`
    instead, and nothing has to be imported:

    ```toml
    [project.entry-points."reportkit.metrics"]
    selective-accuracy = "my_package.metrics:SELECTIVE_ACCURACY"
    ```

    Parameters
    ----------
    name : str
        How it is asked for; in any case.
    function : callable
        From sums, an array of shape (..., k) with the columns along the last axis, to values of shape (...). It is
        called with many resamples at once; where the metric is undefined it returns NaN.
    columns : sequence of str
        Names of the k columns of the table, in the order of the last axis; `stat_` may stand before them there.
    title : str, optional
        Name in tables; `name` if not given.
    higher_is_better : bool
        Direction.
    value_range : tuple of float
        Lowest and highest possible value.
    in_percent : bool
        Whether the values are proportions, to be printed in percent.
    at_most : iterable of (str, str)
        Pairs of columns of which the first cannot be larger than the second; rows that break this are refused.
    non_negative : bool
        Whether negative entries of the columns are refused.
    citation : str
        BibTeX key of the source, if it is among those that reports cite.
    offered : bool
        Whether it is named among the metrics that could be computed where the user named none.

    Returns
    -------
    CorpusMetric

    Raises
    ------
    SettingsError
        If the name is that of a built-in metric, or the function does not return one value per row of sums.
        Registering another function under a name of your own replaces the first one.

    Examples
    --------
    The share of questions answered at all that were answered correctly:

    >>> from reportkit.metrics.corpus.metric import quotient
    >>> metric = register_metric(
    ...     "selective-accuracy", lambda sums: quotient(sums[..., 0], sums[..., 1]), ["right", "answered"],
    ...     in_percent=True, value_range=(0, 1), at_most=[("right", "answered")])
    >>> float(metric(np.array([40.0, 50.0])))
    0.8

    Macro-averaged F1 of two labels:

    >>> from reportkit.metrics.corpus.f_measures import f1
    >>> columns = [f"{count}_{label}" for label in ("positive", "negative") for count in ("tp", "fp", "fn")]
    >>> macro = register_metric(
    ...     "macro-f1", lambda sums: (f1(sums[..., :3]) + f1(sums[..., 3:])) / 2, columns, title="Macro-F1",
    ...     in_percent=True, value_range=(0, 1))
    >>> float(macro(np.array([3.0, 1.0, 1.0, 8.0, 2.0, 2.0])))
    0.775
    """
    names = tuple(columns)
    if not names or len(set(names)) != len(names) or isinstance(columns, str):
        raise SettingsError(f"columns of {name!r} are {columns!r}", remedy="name each column once, in a list")
    return _added(
        CorpusMetric(
            name=_as_key(name),
            title=title or name,
            columns=names,
            function=function,
            higher_is_better=higher_is_better,
            value_range=value_range,
            in_percent=in_percent,
            at_most=tuple(at_most),
            non_negative=non_negative,
            citation=citation,
            offered=offered,
        )
    )


def _added(metric: CorpusMetric) -> CorpusMetric:
    if not isinstance(metric, CorpusMetric):
        raise SettingsError(f"{metric!r} is no corpus metric", remedy="give a CorpusMetric")
    if metric.name in CORPUS_METRICS.built_in:
        raise SettingsError(
            f"there is a corpus metric {metric.name!r} already",
            where=f"columns {', '.join(CORPUS_METRICS[metric.name].columns)}",
            remedy="choose another name",
        )
    _refuse_unvectorised(metric)
    CORPUS_METRICS.add(metric.name, metric)
    return metric


CORPUS_METRICS.open_to("reportkit.metrics", _added)


def _as_key(name: str) -> str:
    return name.strip().casefold().replace("_", "-").replace(" ", "-")


def fitting_metrics(columns: Iterable[str]) -> tuple[CorpusMetric, ...]:
    """Metrics whose columns are all there, in the order of the registry.

    Examples
    --------
    >>> [metric.name for metric in fitting_metrics(["correct", "total"]) if metric.offered]
    ['accuracy']
    """
    present = set(columns)
    return tuple(metric for metric in CORPUS_METRICS.values() if present.issuperset(metric.columns))


def _refuse_unvectorised(metric: CorpusMetric) -> None:
    rows = np.arange(1.0, 6 * len(metric.columns) + 1).reshape(2, 3, -1)
    remedy = "take the columns from the last axis: `sums[..., 0] / sums[..., 1]`"
    try:
        values = metric(rows)
        alone = metric(rows[1, 2])
    except Exception as error:
        raise SettingsError(
            f"the function of {metric.name!r} cannot be called with sums of shape (2, 3, {len(metric.columns)}): "
            f"{type(error).__name__}: {error}",
            remedy=remedy,
        ) from error
    if values.shape != (2, 3) or not np.array_equal(values[1, 2], alone, equal_nan=True):
        raise SettingsError(
            f"the function of {metric.name!r} does not return one value per row of sums: from sums of shape "
            f"(2, 3, {len(metric.columns)}) it makes values of shape {values.shape}",
            remedy=remedy,
        )
