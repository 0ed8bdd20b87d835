"""Corpus metrics: functions of counts that are summed over all instances of a dataset."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError
from reportkit.metrics.formulas import (
    COLUMNS,
    ORDER,
    alignment_error_rate,
    bleu,
    chrf,
    f1,
    f_beta,
    folded,
    folded_names,
    matthews_correlation,
    precision,
    recall,
    share,
    ter,
)
from reportkit.registry import Registry

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusMetric:
    """A metric that is computed from sums of counts, not as a mean of scores.

    Parameters
    ----------
    name : str
        Name in the registry, in lower case: "f1".
    title : str
        Name in tables: "F1".
    columns : tuple of str
        Names of the counts; each instance has all of them; a table may write them with the prefix `stat_`.
    function : callable
        From sums, an array of shape (..., k) with one entry per column, to values of shape (...). Vectorised over all
        but the last axis; an undefined value is NaN.
    higher_is_better : bool
        Direction of the values.
    value_range : tuple of float
        Lowest and highest possible value.
    in_percent : bool
        Whether values are proportions, printed in percent.
    undefined : str
        The value where the definition divides by zero, as a clause; empty if it never does.
    citation : str
        BibTeX key of the source; empty if there is none.
    at_most : tuple of (str, str)
        Pairs of columns; the first cannot be larger than the second: matches and what was matched.
    ratio : (str, str), optional
        Numerator and denominator, if the value is one column's sum divided by another's (times a constant). If two
        systems have the same denominators, tests of such metrics are exact.
    given_by_the_data : tuple of str
        Columns that say something about the instance and not about the system, such as the length of the reference.
    non_negative : bool
        Whether counts have to be at least 0.
    offered : bool
        Whether it is named among the metrics that could be computed where the user named none.

    Examples
    --------
    >>> rate = CorpusMetric(name="rate", title="rate", columns=("hits", "tries"), ratio=("hits", "tries"),
    ...                     function=lambda sums: sums[..., 0] / sums[..., 1])
    >>> rate(np.array([[3.0, 4.0], [1.0, 4.0]]))
    array([0.75, 0.25])
    """

    name: str
    title: str
    columns: tuple[str, ...]
    function: Callable[[Floats], Floats]
    higher_is_better: bool = True
    value_range: tuple[float, float] = (-math.inf, math.inf)
    in_percent: bool = False
    undefined: str = ""
    citation: str = ""
    at_most: tuple[tuple[str, str], ...] = ()
    ratio: tuple[str, str] | None = None
    given_by_the_data: tuple[str, ...] = ()
    non_negative: bool = True
    offered: bool = True

    def __call__(self, sums: Floats) -> Floats:
        """Return the values of sums of shape (..., k), shape (...); NaN where undefined."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.asarray(self.function(sums), dtype=np.float64)

    def oriented(self, sums: Floats) -> Floats:
        """Return the values, negated if lower is better."""
        values = self(sums)
        return values if self.higher_is_better else 0.0 - values

    def position(self, column: str) -> int:
        """Place of a column among the sums."""
        return self.columns.index(column)


def _of_counts(name: str, title: str, function: Callable[[Floats], Floats], undefined: str) -> CorpusMetric:
    return CorpusMetric(
        name=name,
        title=title,
        columns=("tp", "fp", "fn"),
        function=function,
        value_range=(0.0, 1.0),
        in_percent=True,
        undefined=f"0 if {undefined}",
        citation="vanrijsbergen1979information",
    )


def _share(name: str, title: str, counted: str = "correct", *, offered: bool = False) -> CorpusMetric:
    right = counted == "correct"
    columns = (counted, "total")
    return CorpusMetric(
        name=name,
        title=title,
        columns=columns,
        function=share,
        higher_is_better=right,
        value_range=(0.0, 1.0 if right else math.inf),
        in_percent=True,
        undefined="undefined if the total is 0",
        at_most=(columns,) if right else (),
        ratio=columns,
        given_by_the_data=("total",),
        offered=offered,
    )


def _chrf(name: str, title: str, prefixes: Sequence[str], citation: str) -> CorpusMetric:
    orders = [tuple(f"{prefix[:-1]}{part}{prefix[-1]}" for part in ("hyp", "ref", "match")) for prefix in prefixes]
    columns = tuple(column for order in orders for column in order)
    return CorpusMetric(
        name=name,
        title=title,
        columns=columns,
        function=chrf,
        value_range=(0.0, 100.0),
        undefined="0 if nothing matches",
        citation=citation,
        at_most=tuple((match, other) for hyp, ref, match in orders for other in (hyp, ref)),
        given_by_the_data=tuple(ref for _, ref, _ in orders),
    )


ACCURACY = _share("accuracy", "Accuracy", offered=True)
F1 = _of_counts("f1", "F1", f1, "there is nothing to be found and nothing was found")
BLEU = CorpusMetric(
    name="bleu",
    title="BLEU",
    columns=COLUMNS,
    function=bleu,
    value_range=(0.0, 100.0),
    undefined="0 if nothing matches",
    citation="papineni2002bleu",
    at_most=tuple((f"correct{n}", f"total{n}") for n in range(1, ORDER + 1)),
    given_by_the_data=("ref_len",),
)
_CHARACTERS = tuple("123456")
CHRF = _chrf("chrf", "chrF", _CHARACTERS, "popovic2015chrf")
CHRF_PLUS_PLUS = _chrf("chrf++", "chrF++", (*_CHARACTERS, "word_1", "word_2"), "popovic2017chrfpp")
TER = CorpusMetric(
    name="ter",
    title="TER",
    columns=("edits", "ref_len"),
    function=ter,
    higher_is_better=False,
    value_range=(0.0, math.inf),
    undefined="100 if there are edits and no words in the references",
    citation="snover2006ter",
    ratio=("edits", "ref_len"),
    given_by_the_data=("ref_len",),
)

COUNTS: set[str] = set()
"""Folded names of all counts; a table with none of these names holds no counts."""

CORPUS_METRICS: Registry[CorpusMetric] = Registry("corpus metric")
"""Names to metrics, in the order in which they are listed to users."""

for _metric in (
    ACCURACY,
    _share("exact-match", "Exact match"),
    _share("uas", "UAS"),
    _share("las", "LAS"),
    _share("error-rate", "Error rate", "errors", offered=True),
    _share("wer", "WER", "errors"),
    _share("cer", "CER", "errors"),
    CorpusMetric(
        name="aer",
        title="AER",
        columns=("matches", "links", "sure"),
        function=alignment_error_rate,
        higher_is_better=False,
        value_range=(0.0, 1.0),
        in_percent=True,
        undefined="undefined if nothing is aligned",
        given_by_the_data=("sure",),
    ),
    F1,
    _of_counts("f0.5", "F0.5", partial(f_beta, beta=0.5), "there is nothing to be found and nothing was found"),
    _of_counts("precision", "Precision", precision, "nothing was found"),
    _of_counts("recall", "Recall", recall, "there is nothing to be found"),
    CorpusMetric(
        name="mcc",
        title="MCC",
        columns=("tp", "fp", "fn", "tn"),
        function=matthews_correlation,
        value_range=(-1.0, 1.0),
        undefined="0 if all predictions, or all true labels, are the same",
        citation="matthews1975comparison",
    ),
    BLEU,
    CHRF,
    CHRF_PLUS_PLUS,
    TER,
):
    CORPUS_METRICS.register(_metric.name, _metric)
    COUNTS.update(*map(folded_names, _metric.columns))


def corpus_metric_named(name: str) -> CorpusMetric | None:
    """Return the metric of a name, ignoring case, with spaces or underscores for hyphens; None if there is none.

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
        Name under which users ask for it, in upper or lower case.
    function : callable
        From sums, an array of shape (..., k) with the columns along the last axis, to values of shape (...). It is
        called with many resamples at once; where the metric is undefined it returns NaN.
    columns : sequence of str
        Names of the k columns of the table, in the order of the last axis; `stat_` may be before them there.
    title : str, optional
        Name in tables; `name` if not given.
    higher_is_better : bool
        Direction.
    value_range : tuple of float
        Lowest and highest possible value.
    in_percent : bool
        Whether the values are proportions, to be printed in percent.
    at_most : iterable of (str, str)
        Pairs of columns; the first cannot be larger than the second, and rows that break this are refused.
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

    >>> from reportkit.metrics.formulas import quotient
    >>> metric = register_metric(
    ...     "selective-accuracy", lambda sums: quotient(sums[..., 0], sums[..., 1]), ["right", "answered"],
    ...     in_percent=True, value_range=(0, 1), at_most=[("right", "answered")])
    >>> float(metric(np.array([40.0, 50.0])))
    0.8

    Macro-averaged F1 of two labels:

    >>> from reportkit.metrics.formulas import f1
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
    COUNTS.update(*map(folded_names, metric.columns))
    return metric


CORPUS_METRICS.open_to("reportkit.metrics", _added)


def _as_key(name: str) -> str:
    return name.strip().casefold().replace("_", "-").replace(" ", "-")


def fitting_metrics(columns: Iterable[str]) -> tuple[CorpusMetric, ...]:
    """Return the metrics whose columns are all there, in the order of the registry.

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


def counted_columns(names: Iterable[str]) -> dict[str, str]:
    """Return counts to column names, for the metrics whose counts are complete.

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
    """Return the counts that a metric needs and that no column holds, in the order of the metric.

    Examples
    --------
    >>> from reportkit.metrics.corpus import F1
    >>> missing_counts(F1, ["system", "tp", "fp"])
    ('fn',)
    """
    found = _present(names)
    return tuple(column for column in metric.columns if column not in found)


def _present(names: Iterable[str]) -> Mapping[str, str]:
    by_fold: dict[str, str] = {}
    for name in names:
        by_fold.setdefault(folded(name), name)
    found: dict[str, str] = {}
    for column in dict.fromkeys(column for metric in CORPUS_METRICS.values() for column in metric.columns):
        for fold in folded_names(column):
            if fold in by_fold:
                found.setdefault(column, by_fold[fold])
    return found
