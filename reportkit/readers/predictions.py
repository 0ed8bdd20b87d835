"""Predictions beside gold labels: right or wrong by instance, or the counts from which F1 and others are computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.corpus.catalogue import corpus_metric_named, register_metric
from reportkit.metrics.corpus.f_measures import f1, precision, recall
from reportkit.metrics.corpus.metric import Floats
from reportkit.metrics.correlation.coefficients import named_coefficient
from reportkit.readers.understood import Request, shell
from reportkit.scores.table.columns import choice_text, folded, role_named
from reportkit.scores.table.row_numbers import names_text, quoted, rows_text
from reportkit.scores.table.score_values import number_of

GOLD = frozenset(
    {"gold", "goldlabel", "goldlabels", "goldstandard", "label", "labels", "truelabel", "ytrue", "target", "targets"}
    | {"truth", "groundtruth", "expected"}
)
"""Folded names of columns, and of files, that hold the right labels."""

PREDICTED = frozenset(
    {"prediction", "predictions", "pred", "preds", "predicted", "predictedlabel", "predlabel", "ypred"}
)

MACRO = "macro-f1"

_OF_CLASS = {"f1": f1, "precision": precision, "recall": recall}
_POSITIVE = frozenset({"1", "true", "yes", "positive", "pos"})
_MOST_LABELS = 200
_PER_LABEL = 2
"""Fewer instances per label than this: texts, and no labels."""

_KEPT = frozenset({"system", "dataset", "instance", "cluster", "seed", "weight", "fold"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """Which columns of a table hold gold labels and predictions.

    Parameters
    ----------
    gold : str
        Column of the right labels.
    systems : tuple of str
        Wide form: the columns of predictions. Long form: the one column of them.
    long : bool
        Whether there is one row per prediction.
    labels : tuple of str
        All labels, in order.
    strange : tuple of str
        Predictions that are no gold label.
    numbers : bool
        Whether labels are numbers, which may be ratings as well.
    """

    gold: str
    systems: tuple[str, ...]
    long: bool
    labels: tuple[str, ...]
    strange: tuple[str, ...] = ()
    numbers: bool = False


def predictions_in(frame: pd.DataFrame, request: Request) -> Predictions | None:
    """Find predictions beside gold labels; None if the table holds scores, or correlations are asked for.

    Parameters
    ----------
    frame : DataFrame
        A column of gold labels and a column `prediction`, or one column of predictions for each system.
    request : Request
        Columns and metrics that the user names.

    Examples
    --------
    >>> frame = pd.DataFrame({"id": [1, 2, 3, 4], "gold": ["n", "p", "n", "p"], "a": ["n", "n", "p", "p"], "b": "p"})
    >>> found = predictions_in(frame, Request())
    >>> found.gold, found.systems, found.labels
    ('gold', ('a', 'b'), ('n', 'p'))
    """
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names) or any(named_coefficient(name) for name in request.metrics):
        return None
    declared = request.columns
    golds = [declared["gold"]] if "gold" in declared else [name for name in names if folded(name) in GOLD]
    if len(golds) != 1 or golds[0] not in names or "score" in declared or {"k", "n"} & {*declared}:
        return None
    gold = golds[0]
    roles = {name: role_named(name) for name in names if name != gold}
    if any(role in ("score", "metric") for role in roles.values()):
        return None
    labels = _labels(frame[gold])
    if labels is None:
        return None
    of_long = [name for name in names if folded(name) in PREDICTED]
    if len(of_long) == 1 and not request.systems:
        systems, long = of_long, True
    else:
        taken = {*declared.values()}
        free = [name for name in names if name != gold and name not in taken and roles[name] not in _KEPT]
        systems = list(request.systems or [name for name in free if _predicts(frame[name], labels)])
        if len(systems) < 2 or "system" in roles.values():
            return None
        long = False
    known = set(labels)
    strange = dict.fromkeys(text for name in systems for text in _distinct(frame[name]) if text not in known)
    return Predictions(
        gold=gold,
        systems=tuple(systems),
        long=long,
        labels=tuple(sorted(labels, key=_label_order)),
        strange=tuple(strange),
        numbers=all(number_of(text) is not None for text in labels),
    )


def beside_gold(tables: Sequence[tuple[str, pd.DataFrame]]) -> list[pd.DataFrame | None]:
    """Put the labels of a file `gold.csv` beside the predictions in the other files; None takes its place.

    Parameters
    ----------
    tables : sequence of (str, DataFrame)
        Names of files without ending, and their rows: ids and one column of labels.

    Returns
    -------
    list of DataFrame or None
        The tables as they are, if none of them is such a file.

    Examples
    --------
    >>> gold = pd.DataFrame({"id": [1, 2], "label": ["n", "p"]})
    >>> beside_gold([("gold", gold), ("a", gold[::-1])])[1]
       id prediction gold
    0   2          p    p
    1   1          n    n
    """
    frames: list[pd.DataFrame | None] = [frame for _, frame in tables]
    golds = [place for place, (name, _) in enumerate(tables) if folded(name) in GOLD]
    if len(golds) != 1 or len(tables) < 2:
        return frames
    _, gold = tables[golds[0]]
    keys = [str(name) for name in gold.columns if role_named(str(name)) in ("dataset", "instance")]
    label = _label_column(gold, keys)
    if label is None or gold.duplicated(keys).any():
        return frames
    right = gold[[*keys, label]].rename(columns={label: "gold"}).astype(dict.fromkeys(keys, str))
    for place, (_, frame) in enumerate(tables):
        if place == golds[0]:
            frames[place] = None
            continue
        predicted = _label_column(frame, keys)
        if predicted is None or not {*keys} <= {*frame.columns} or (not keys and len(frame) != len(gold)):
            return [one for _, one in tables]
        own = frame.rename(columns={predicted: "prediction"}).astype(dict.fromkeys(keys, str)).reset_index(drop=True)
        frames[place] = (
            own.merge(right, on=keys, how="left")
            if keys
            else own.assign(gold=right["gold"].to_numpy(), instance=np.arange(1, len(own) + 1))
        )
    return frames


def _label_column(frame: pd.DataFrame, keys: Sequence[str]) -> str | None:
    """The one column that holds labels: by its name, or because there is no other."""
    others = [str(name) for name in frame.columns if str(name) not in keys]
    named = [name for name in others if folded(name) in PREDICTED | GOLD]
    found = named if len(named) == 1 else others
    return found[0] if len(found) == 1 else None


def right_or_wrong(frame: pd.DataFrame, found: Predictions) -> pd.DataFrame:
    """The table with 1 for a right prediction and 0 for a wrong one; empty where there is none.

    Examples
    --------
    >>> frame = pd.DataFrame({"id": [1, 2], "gold": ["n", "p"], "a": ["n", None], "b": ["p", "p"]})
    >>> found = Predictions(gold="gold", systems=("a", "b"), long=False, labels=("n", "p"))
    >>> right_or_wrong(frame, found)
       id    a    b
    0   1  1.0  0.0
    1   2  NaN  1.0
    """
    gold = _as_texts(frame[found.gold])
    changed = frame.drop(columns=found.gold)
    for name in found.systems:
        predicted = _as_texts(frame[name])
        changed[name] = np.where(predicted == "", np.nan, predicted == gold)
    return changed.rename(columns={found.systems[0]: "score"}) if found.long else changed


def scored(frame: pd.DataFrame, found: Predictions, request: Request) -> tuple[pd.DataFrame, tuple[Finding, ...]]:
    """Scores in the place of predictions, and what was computed.

    Parameters
    ----------
    frame : DataFrame
        As in the file.
    found : Predictions
        What is in it.
    request : Request
        The metrics that are asked for; right or wrong if there are none.

    Raises
    ------
    InputError
        If a gold label is missing.
    SettingsError
        If F1 is asked for and it is not said of which label.
    """
    _refuse_without_gold(frame, found)
    asked = [name for name in request.metrics if name not in frame.columns]
    what = listed([quoted(name) for name in found.labels], 5)
    whose = "predictions" if found.long else f"predictions of {names_text(found.systems)}"
    named = [(name, _class_of(name, found)) for name in asked]
    of_labels = [f"{name} of {quoted(label)}" if label and ":" not in name else name for name, label in named]
    done = ", ".join(of_labels) or "right (1) or wrong (0), whose mean is accuracy"
    other = next(name for name in (*other_metrics(found), "accuracy") if name not in asked)
    notes = [
        Finding(
            "predictions-scored",
            "warning" if found.numbers and len(found.labels) > 2 else "info",
            f"The {whose} were held against {found.gold!r} ({counted(len(found.labels), 'label')}: {what}); computed: "
            f"{done}.",
            remedy=f"for another metric: --metric {shell(other)} (in Python metric={other!r}); if these are scores: "
            "--metric spearman",
        )
    ]
    if found.strange:
        alike = {text.casefold(): text for text in found.labels}
        near = next(((text, alike[text.casefold()]) for text in found.strange if text.casefold() in alike), None)
        notes.append(
            Finding(
                "not-a-label",
                "warning" if near else "info",
                f"{counted(len(found.strange), 'prediction')} never a gold label: such a prediction is wrong.".replace(
                    "prediction never", "prediction is never"
                ).replace("predictions never", "predictions are never"),
                where=listed([quoted(text) for text in found.strange], 5),
                remedy=f"{near[0]!r} and {near[1]!r} differ in case only: write labels in one way" if near else "",
            )
        )
    if not asked:
        return right_or_wrong(frame, found), tuple(notes)
    return _counts(frame, found, asked), tuple(notes)


def other_metrics(found: Predictions) -> tuple[str, ...]:
    """Metrics that can be computed besides accuracy."""
    by_class = tuple(f"f1:{label}" for label in found.labels[:_MOST_LABELS])
    return (MACRO, *(("mcc",) if _positive(found) else ()), *by_class)


def _refuse_without_gold(frame: pd.DataFrame, found: Predictions) -> None:
    blank = np.flatnonzero(_as_texts(frame[found.gold]) == "")
    if blank.size:
        raise InputError(
            f"{counted(blank.size, 'row')} without a gold label",
            where=f"column {found.gold!r}, {rows_text(blank, 'DataFrame')}",
            remedy="complete the labels or remove these rows; if another column holds them: "
            + choice_text("gold", "NAME"),
        )


def _counts(frame: pd.DataFrame, found: Predictions, asked: Sequence[str]) -> pd.DataFrame:
    """One row per system and instance, with the counts of all metrics that are asked for."""
    needed = {name: _class_of(name, found) for name in asked}
    labels = [*found.labels, *found.strange]
    gold = _as_texts(frame[found.gold])
    kept = frame.drop(columns=[found.gold, *found.systems])
    if not found.long and not any(role_named(str(name)) == "instance" for name in kept.columns):
        kept = kept.assign(instance=np.arange(1, len(frame) + 1))
    parts = []
    for system in found.systems:
        predicted = _as_texts(frame[system])
        part = kept if found.long else kept.assign(system=pd.Categorical([system] * len(kept)))
        parts.append(part.assign(**_counts_of(gold, predicted, needed, labels)))
    whole = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
    if not found.long:
        whole["system"] = pd.Categorical.from_codes(
            np.repeat(np.arange(len(parts)), len(frame)), categories=pd.Index(found.systems)
        )
    return whole


def _counts_of(
    gold: NDArray[np.object_], predicted: NDArray[np.object_], needed: Mapping[str, str], labels: Sequence[str]
) -> dict[str, Floats]:
    """Counts by column name, NaN where there is no prediction; metrics that are not built in are registered."""
    absent = predicted == ""
    columns: dict[str, Floats] = {}

    def of_label(label: str, suffix: str) -> None:
        is_gold, is_predicted = gold == label, predicted == label
        cells = {
            "tp": is_gold & is_predicted,
            "fp": ~is_gold & is_predicted,
            "fn": is_gold & ~is_predicted,
            **({} if suffix else {"tn": ~is_gold & ~is_predicted}),
        }
        for name, held in cells.items():
            columns[f"stat_{name}{suffix}"] = np.where(absent, np.nan, held.astype(float))

    for metric, label in needed.items():
        if metric == "accuracy":
            columns["stat_correct"] = np.where(absent, np.nan, (gold == predicted).astype(float))
            columns["stat_total"] = np.where(absent, np.nan, 1.0)
        elif metric == MACRO:
            for place, name in enumerate(labels):
                of_label(name, f":{place}")
            register_macro_f1(len(labels))
        elif ":" in metric:
            place = labels.index(label)
            of_label(label, f":{place}")
            _register_of_class(metric, label, place)
        else:
            of_label(label, "")
    return columns


def _class_of(metric: str, found: Predictions) -> str:
    """The label that a metric is about; "" if it is about all."""
    name = metric.casefold().replace("_", "-")
    if name in ("accuracy", MACRO):
        if metric != name:
            raise SettingsError(f"there is no metric {metric!r} of labels", remedy=f"write --metric {name}")
        return ""
    kind, sign, label = metric.partition(":")
    if sign and kind in _OF_CLASS:
        if label not in found.labels:
            raise SettingsError(
                f"{metric!r} names no label",
                where=f"labels in {found.gold!r}: {listed([quoted(text) for text in found.labels], 10)}",
                remedy=f"name one of them: --metric {shell(f'{kind}:{found.labels[0]}')}",
            )
        return label
    known = corpus_metric_named(metric)
    if known is None or not {*known.columns} <= {"tp", "fp", "fn", "tn"}:
        raise SettingsError(
            f"there is no metric {metric!r} of labels",
            remedy=f"take one of these: {listed(['accuracy', *other_metrics(found)], 10)} (--metric {MACRO})",
        )
    positive = _positive(found)
    if not positive:
        first, last = (f"{known.name}:{text}" for text in (found.labels[0], found.labels[-1]))
        raise SettingsError(
            f"{known.title} is defined for one label, and it is not clear for which",
            where=f"labels in {found.gold!r}: {listed([quoted(text) for text in found.labels], 10)}",
            remedy=f"name the label, as in metric={last!r} (--metric {shell(last)}) or {first!r}; over all labels: "
            f"metric={MACRO!r} (--metric {MACRO})"
            if known.name in _OF_CLASS
            else f"take one over all labels: metric={MACRO!r} (--metric {MACRO})",
        )
    return positive


def _positive(found: Predictions) -> str:
    """Of two labels the one that means yes; "" if none does, or there are more."""
    fits = [text for text in found.labels if folded(text) in _POSITIVE]
    return fits[0] if len(found.labels) == 2 and len(fits) == 1 else ""


def register_macro_f1(n_labels: int) -> None:
    """Make macro-F1 of so many labels known: the mean of F1 by label, over labels that are gold or predicted."""

    def macro_f1(sums: Floats) -> Floats:
        cells = sums.reshape(*sums.shape[:-1], n_labels, 3)
        there = cells.sum(axis=-1) > 0
        values = np.where(there, f1(cells), 0.0).sum(axis=-1)
        return np.asarray(values / np.maximum(there.sum(axis=-1), 1))

    register_metric(
        MACRO,
        macro_f1,
        [f"{cell}:{place}" for place in range(n_labels) for cell in ("tp", "fp", "fn")],
        title="Macro-F1",
        value_range=(0, 1),
        in_percent=True,
        offered=False,
    )


def _register_of_class(metric: str, label: str, place: int) -> None:
    kind = metric.partition(":")[0]
    title = {"f1": "F1", "precision": "Precision", "recall": "Recall"}[kind]
    register_metric(
        metric,
        _OF_CLASS[kind],
        [f"{cell}:{place}" for cell in ("tp", "fp", "fn")],
        title=f"{title}:{label}",
        value_range=(0, 1),
        in_percent=True,
        offered=False,
    )


def _labels(series: pd.Series[Any]) -> list[str] | None:
    """Labels of a column; None if it holds numbers with decimals, or texts that hardly recur."""
    texts = _distinct(series)
    n = int(series.notna().sum())
    if not 2 <= len(texts) <= _MOST_LABELS or n < _PER_LABEL * len(texts):
        return None
    numbers = [number_of(text) for text in texts]
    decimals = any(number is not None and number % 1 != 0 for number in numbers)
    return None if decimals and all(number is not None for number in numbers) else texts


def _predicts(series: pd.Series[Any], labels: Sequence[str]) -> bool:
    """Whether most of what a column holds is a label."""
    texts = _as_texts(series)
    texts = texts[texts != ""]
    return texts.size > 0 and bool(np.isin(texts.astype(str), np.array(labels, dtype=str)).mean() > 0.5)


def _distinct(series: pd.Series[Any]) -> list[str]:
    texts = _as_texts(series)
    return [text for text in dict.fromkeys(texts.tolist()) if text != ""]


def _as_texts(series: pd.Series[Any]) -> NDArray[np.object_]:
    """Labels as texts: 1, 1.0 and "1" are one label; "" where there is none."""
    codes, cells = pd.factorize(series)
    texts = [_as_text(cell) for cell in cells]
    return np.array([*texts, ""], dtype=object)[codes]


def _as_text(cell: object) -> str:
    if isinstance(cell, (bool, np.bool_)):
        return str(bool(cell))
    if isinstance(cell, (int, float, np.number)):
        return str(int(cell)) if float(cell).is_integer() else str(float(cell))
    return str(cell).strip()


def _label_order(text: str) -> tuple[float, str]:
    number = number_of(text)
    return (number if number is not None and number == number else np.inf), text
