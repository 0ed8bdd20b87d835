"""Corpus metrics: functions of counts that are summed over all instances of a dataset."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError
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
        Names of the counts, each of which instances have one of; a table may write them with the prefix `stat_`.
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
        What the value is where the definition divides by zero, as a clause; empty if it never does.
    citation : str
        BibTeX key of the source; empty if there is none.
    at_most : tuple of (str, str)
        Pairs of columns of which the first cannot be larger than the second: matches and what was matched.
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
        """Return the values turned so that higher is better."""
        values = self(sums)
        return values if self.higher_is_better else 0.0 - values

    def position(self, column: str) -> int:
        """Place of a column among the sums."""
        return self.columns.index(column)


def quotient(numerator: Floats, denominator: Floats, undefined: float | Floats = np.nan) -> Floats:
    """Divide, with a stated value where the denominator is 0.

    Examples
    --------
    >>> quotient(np.array([1.0, 0.0]), np.array([2.0, 0.0]), undefined=0.0)
    array([0.5, 0. ])
    """
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.asarray(np.where(denominator == 0, undefined, numerator / safe), dtype=np.float64)


def share(sums: Floats) -> Floats:
    """First sum divided by the second; NaN if the second is 0.

    Examples
    --------
    >>> share(np.array([90.0, 120.0]))
    array(0.75)
    """
    return quotient(sums[..., 0], sums[..., 1])


def precision(sums: Floats) -> Floats:
    """Return the share of what was found that is right; 0 if nothing was found.

    Examples
    --------
    >>> precision(np.array([3.0, 1.0, 2.0]))
    array(0.75)
    """
    return quotient(sums[..., 0], sums[..., 0] + sums[..., 1], undefined=0.0)


def recall(sums: Floats) -> Floats:
    """Return the share of what is to be found that was found; 0 if there is nothing to be found.

    Examples
    --------
    >>> recall(np.array([3.0, 1.0, 2.0]))
    array(0.6)
    """
    return quotient(sums[..., 0], sums[..., 0] + sums[..., 2], undefined=0.0)


def f_beta(sums: Floats, beta: float) -> Floats:
    """Weighted harmonic mean of precision and recall, (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp).

    0 if nothing was found that is right, and also if there is nothing to be found and nothing was found.

    Examples
    --------
    >>> np.round(f_beta(np.array([3.0, 1.0, 2.0]), 1.0), 6)
    np.float64(0.666667)
    """
    tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
    weighted = (1.0 + beta * beta) * tp
    return quotient(weighted, weighted + beta * beta * fn + fp, undefined=0.0)


def f1(sums: Floats) -> Floats:
    """Return F-beta with beta = 1."""
    return f_beta(sums, 1.0)


def matthews_correlation(sums: Floats) -> Floats:
    """Return the correlation of predicted and true labels, from tp, fp, fn, tn; 0 if one of the margins is empty.

    Examples
    --------
    >>> np.round(matthews_correlation(np.array([6.0, 1.0, 2.0, 3.0])), 6)
    np.float64(0.478091)
    """
    tp, fp, fn, tn = (np.asarray(sums[..., column], dtype=np.float64) for column in range(4))
    scale = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    return quotient(tp * tn - fp * fn, scale, undefined=0.0)


ORDER = 4
COLUMNS = (
    "hyp_len",
    "ref_len",
    *(f"correct{n}" for n in range(1, ORDER + 1)),
    *(f"total{n}" for n in range(1, ORDER + 1)),
)
"""Counts of BLEU."""


def bleu(sums: Floats) -> Floats:
    """BLEU from 0 to 100: brevity penalty times the geometric mean of the n-gram precisions, n = 1 to 4.

    Parameters
    ----------
    sums : ndarray of shape (..., 10)
        Sums of `hyp_len, ref_len, correct1..4, total1..4`.

    Notes
    -----
    Papineni et al. (2002), section 2.3; Post (2018), whose sacreBLEU is followed step by step: 0 if nothing matches,
    and 0 if the systems put out no n-gram of some order.

    Examples
    --------
    >>> np.round(bleu(np.array([100.0, 110.0, 60.0, 35.0, 22.0, 14.0, 100.0, 95.0, 90.0, 85.0])), 4)
    np.float64(27.7918)
    """
    columns = np.ascontiguousarray(np.moveaxis(sums, -1, 0))
    hyp_len, ref_len = columns[0], columns[1]
    correct, total = columns[2 : 2 + ORDER], columns[2 + ORDER :]
    none = correct == 0
    counted = correct
    if none.any():  # orders without matches count half, a quarter, ... of one match, as in mteval-v13a
        counted = np.where(none, np.exp2(-np.cumsum(none, axis=0)), correct)
    precisions = 100.0 * counted / np.where(total == 0, 1.0, total)
    logarithms = np.log(np.where(precisions > 0, precisions, 1.0))
    mean = (logarithms[0] + logarithms[1] + logarithms[2] + logarithms[3]) / ORDER
    short = hyp_len < ref_len
    penalty = np.where(short, np.exp(1.0 - ref_len / np.where(hyp_len > 0, hyp_len, 1.0)), 1.0)
    nothing = none.all(axis=0) | (precisions == 0).any(axis=0) | (total == 0).any(axis=0) | (short & (hyp_len == 0))
    return np.asarray(np.where(nothing, 0.0, penalty * np.exp(mean)), dtype=np.float64)


def chrf(sums: Floats) -> Floats:
    """Character n-gram F-score from 0 to 100: F-beta, beta = 2, of precision and recall averaged over orders.

    Parameters
    ----------
    sums : ndarray of shape (..., 3 * number of orders)
        For each order, n-grams of the output, of the reference, and those that match.

    Notes
    -----
    An order counts if output and reference have n-grams of it (effective order); 0 if none does. Popović (2015),
    equation 1; Popović (2017) for chrF++, which adds words and pairs of words to the characters.

    Examples
    --------
    >>> np.round(chrf(np.array([50.0, 60.0, 30.0, 40.0, 50.0, 20.0])), 4)
    np.float64(46.6981)
    """
    hyp, ref, match = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    counts = (hyp > 0) & (ref > 0)
    number = counts.sum(axis=-1)
    precision = quotient((quotient(match, hyp, 0.0) * counts).sum(axis=-1), number, 0.0)
    recall = quotient((quotient(match, ref, 0.0) * counts).sum(axis=-1), number, 0.0)
    return 100.0 * quotient(5.0 * precision * recall, 4.0 * precision + recall, 0.0)  # beta = 2


def ter(sums: Floats) -> Floats:
    """Edits per 100 words of the reference; with several references, per 100 words of their mean length.

    Without any word in the references, 100 if there are edits, and 0 if there are none. Snover et al. (2006).

    Examples
    --------
    >>> float(ter(np.array([30.0, 120.0])))
    25.0
    """
    edits, ref_len = sums[..., 0], sums[..., 1]
    return 100.0 * quotient(edits, ref_len, undefined=np.where(edits > 0, 1.0, 0.0))


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


def corpus_metric_named(name: str) -> CorpusMetric | None:
    """Return the metric of a name in any case, with spaces or underscores for hyphens; None if there is none.

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

    >>> from reportkit.metrics.corpus import quotient
    >>> metric = register_metric(
    ...     "selective-accuracy", lambda sums: quotient(sums[..., 0], sums[..., 1]), ["right", "answered"],
    ...     in_percent=True, value_range=(0, 1), at_most=[("right", "answered")])
    >>> float(metric(np.array([40.0, 50.0])))
    0.8

    Macro-averaged F1 of two labels:

    >>> from reportkit.metrics.corpus import f1
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


PREFIX = "stat_"
"""May stand before the name of a count: `stat_tp`."""

SACREBLEU = {"hyp_len": ("sys_len",), **{f"correct{n}": (f"counts_{n}",) for n in range(1, 5)}} | {
    f"total{n}": (f"totals_{n}",) for n in range(1, 5)
}
"""Other names of counts: those under which sacreBLEU keeps them."""


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
    >>> from reportkit.metrics.corpus import F1
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
        names_of = (PREFIX + column, column, *SACREBLEU.get(column, ()))
        for fold in map(_folded, names_of):
            if fold in by_fold:
                found.setdefault(column, by_fold[fold])
    return found


def _folded(name: str) -> str:
    return re.sub(r"[-_.\s]+", "", name.strip().casefold())
