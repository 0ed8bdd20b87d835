"""Score predictions against gold: labels, sets of labels, numbers and texts."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.corpus import Floats, corpus_metric_named, f1, precision, recall, register_metric
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.names import folded, listed_in, words
from reportkit.scores.table.row_numbers import quoted, rows_text
from reportkit.scores.table.score_values import number_of
from reportkit.scores.understanding import Proposal, QuestionError, Request

if TYPE_CHECKING:
    from reportkit.scores.understanding import Roles

MACRO = "macro-f1"

_OF_CLASS = {"f1": f1, "precision": precision, "recall": recall}
_POSITIVE = frozenset({"1", "true", "yes", "positive", "pos"})
_MOST_LABELS = 200
_PER_LABEL = 2
"""Fewer instances per label than this: texts, and no labels."""

_SHORT = 5
"""Words of a short answer, for which exact match is the metric that is meant."""

_SEPARATORS = re.compile(r"\s*[;|,]\s*")


def scored_predictions(
    frame: pd.DataFrame, roles: Roles, request: Request
) -> tuple[pd.DataFrame, tuple[str, ...], list[Finding]]:
    """Score predictions, one row per system and instance.

    Parameters
    ----------
    frame : DataFrame
        Columns `gold`, `dataset`, `instance` if there is one, and `system` with `prediction`, or one column per system
        (`roles.columns`).
    roles : Roles
        Their names in the table.
    request : Request
        Metrics that are asked for; by default accuracy of labels, F1 of sets of labels, absolute error of numbers,
        exact match of short texts, WER of transcripts.

    Returns
    -------
    tuple
        The long form, the metrics that are computed from counts or gold scores, and what was noticed.

    Raises
    ------
    QuestionError
        If texts are neither short nor transcripts, so that the metric is not clear.
    InputError
        If a gold label is missing.
    SettingsError
        If F1 is asked for and it is not said of which label, or a metric is not known.
    """
    if "instance" not in frame:
        by = [name for name in ("system", "dataset") if name in frame]
        frame = frame.assign(instance=(frame.groupby(by, observed=True).cumcount() + 1).astype(str))
    if roles.columns:
        keys = [name for name in frame.columns if name not in roles.columns]
        frame = frame.melt(id_vars=keys, value_vars=list(roles.columns), var_name="system", value_name="prediction")
        frame["system"] = pd.Categorical(frame["system"], categories=list(roles.columns))
    asked = list(request.metrics)
    if any(named_coefficient(name) for name in asked):
        return frame.rename(columns={"prediction": "score"}), tuple(asked), []
    gold, predicted = _as_texts(frame["gold"]), _as_texts(frame["prediction"])
    what = f"predictions {roles.roles.get('prediction', 'of ' + listed(list(map(repr, roles.columns)), 3))!s}"
    if _of_sets(gold, predicted):
        return _sets(frame, gold, predicted, asked, what)
    once = frame.drop_duplicates([name for name in ("dataset", "instance") if name in frame])
    labels = _labels(frame["gold"], _as_texts(once["gold"]))
    text_metric = asked and asked[0].casefold().replace("-", "_") in ("wer", "cer", "exact_match", "token_f1")
    if labels is not None and not text_metric:
        return _of_labels(frame, labels, asked, request, roles)
    kept = frame.drop(columns=["gold", "prediction"])
    if pd.api.types.is_numeric_dtype(frame["gold"].dtype) and pd.api.types.is_numeric_dtype(frame["prediction"].dtype):
        error = (frame["prediction"] - frame["gold"]).abs()
        note = f"The {what} were held against {roles.roles['gold']!r}; computed: absolute error."
        notes = [Finding("predictions-scored", "info", note, remedy="for a correlation: --metric spearman")]
        return kept.assign(metric="absolute error", score=error), (), notes
    metric = asked[0].casefold().replace("-", "_") if asked else _text_metric(gold, roles, request)
    note = f"The {what} were held against {roles.roles['gold']!r}; computed: {metric}."
    notes = [Finding("predictions-scored", "info", note)]
    if metric in ("wer", "cer"):
        edits, length = _edits(gold, predicted, by_words=metric == "wer")
        return kept.assign(stat_errors=edits, stat_total=length), (metric,), notes
    measures = {"exact_match": _exact, "token_f1": _token_f1}
    if metric not in measures:
        raise SettingsError(
            f"there is no metric {asked[0]!r} of texts", remedy="take --metric exact_match, token_f1, wer or cer"
        )
    return kept.assign(metric=metric, score=measures[metric](gold, predicted)), (), notes


def _text_metric(gold: NDArray[np.object_], roles: Roles, request: Request) -> str:
    """WER of transcripts, exact match of short answers."""
    names = [*roles.roles.values(), *roles.reasons]
    if any(listed_in(word, "words", "spoken") for name in names for word in words(name)):
        return "wer"
    if np.median([len(text.split()) for text in gold]) <= _SHORT:
        return "exact_match"
    raise QuestionError(
        f"the predictions are texts, and {roles.roles['gold']!r} holds the right ones: by which metric?",
        request,
        proposals=[
            Proposal(when=when, metrics=(metric,))
            for when, metric in (
                ("they have to be equal", "exact_match"),
                ("words in common count", "token_f1"),
                ("they are transcripts", "wer"),
            )
        ],
    )


def _normalized(text: str) -> str:
    """A text without case, punctuation and articles, as SQuAD compares answers."""
    plain = re.sub(r"[^\w\s]", "", text.casefold())
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", plain).split())


def _exact(gold: NDArray[np.object_], predicted: NDArray[np.object_]) -> Floats:
    return np.array([float(_normalized(g) == _normalized(p)) for g, p in zip(gold, predicted, strict=True)])


def _token_f1(gold: NDArray[np.object_], predicted: NDArray[np.object_]) -> Floats:
    """F1 of the words that a prediction and its gold text have in common (Rajpurkar et al., 2016)."""
    scores = []
    for right, said in zip(gold, predicted, strict=True):
        a, b = _normalized(right).split(), _normalized(said).split()
        common = sum((Counter(a) & Counter(b)).values())
        scores.append(float(a == b) if not a or not b else 2 * common / (len(a) + len(b)))
    return np.array(scores)


def _edits(gold: NDArray[np.object_], predicted: NDArray[np.object_], *, by_words: bool) -> tuple[Floats, Floats]:
    """Edits and length of each reference, by RapidFuzz."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise SettingsError(
            "WER and CER are computed by RapidFuzz, which is not installed",
            remedy='pip install "reportkit-replic[asr]"',
        ) from error
    pairs = [(g.split(), p.split()) if by_words else (g, p) for g, p in zip(gold, predicted, strict=True)]
    edits = [float(Levenshtein.distance(g, p)) for g, p in pairs]
    return np.array(edits), np.array([float(len(g)) for g, _ in pairs])


def _of_sets(gold: NDArray[np.object_], predicted: NDArray[np.object_]) -> bool:
    """Whether cells hold sets of labels: parts between commas, semicolons or bars that recur."""
    cells = [text for text in (*gold, *predicted) if text]
    several = sum(bool(_SEPARATORS.search(text)) for text in cells)
    parts = [part for text in cells for part in _parts(text)]
    if several < 0.05 * len(cells) or not parts:
        return False
    return len(set(parts)) <= min(_MOST_LABELS, len(parts) / 3) and max(len(part.split()) for part in set(parts)) <= 4


def _parts(text: str) -> list[str]:
    return [part.strip(" []'\"") for part in _SEPARATORS.split(text) if part.strip(" []'\"")]


def _sets(
    frame: pd.DataFrame, gold: NDArray[np.object_], predicted: NDArray[np.object_], asked: Sequence[str], what: str
) -> tuple[pd.DataFrame, tuple[str, ...], list[Finding]]:
    """Counts of labels that are right, too many and missing; an empty cell is a set without labels."""
    sets = [(set(_parts(g)), set(_parts(p))) for g, p in zip(gold, predicted, strict=True)]
    kept = frame.drop(columns=["gold", "prediction"])
    metric = asked[0] if asked else "f1"
    message = f"The {what} are sets of labels, an empty cell a set without labels; computed: {metric}."
    notes = [Finding("predictions-scored", "info", message, remedy="for equal sets: --metric exact_match")]
    if metric.casefold().replace("-", "_") == "exact_match":
        return kept.assign(metric=metric, score=[float(g == p) for g, p in sets]), (), notes
    counts = {"stat_tp": [len(g & p) for g, p in sets], "stat_fp": [len(p - g) for g, p in sets]}
    return kept.assign(**counts, stat_fn=[len(g - p) for g, p in sets]), (metric,), notes


def _of_labels(
    frame: pd.DataFrame, labels: Sequence[str], asked: Sequence[str], request: Request, roles: Roles
) -> tuple[pd.DataFrame, tuple[str, ...], list[Finding]]:
    """Right or wrong, or the counts of F1 and others."""
    gold, predicted = _as_texts(frame["gold"]), _as_texts(frame["prediction"])
    name = roles.roles["gold"]
    blank = np.flatnonzero(gold == "")
    if blank.size:
        raise InputError(
            f"{counted(blank.size, 'row')} without a gold label",
            where=f"column {name!r}, {rows_text(blank, 'DataFrame')}",
            remedy="complete the labels or remove these rows; if another column holds them: --columns gold=NAME",
        )
    labels = sorted(labels, key=_label_order)
    strange = list(dict.fromkeys(text for text in predicted if text and text not in labels))
    what = listed([quoted(text) for text in labels], 5)
    done = ", ".join(asked) or "right (1) or wrong (0), whose mean is accuracy"
    numbers = all(number_of(text) is not None for text in labels) and len(labels) > 2
    message = f"The predictions were held against {name!r} ({counted(len(labels), 'label')}: {what}); computed: {done}."
    remedy = f"for another metric: --metric {MACRO}" + ("; if these are ratings: --metric spearman" if numbers else "")
    notes = [Finding("predictions-scored", "warning" if numbers else "info", message, remedy=remedy)]
    if strange:
        alike = {text.casefold(): text for text in labels}
        near = [f"{text!r} and {alike[text.casefold()]!r}" for text in strange if text.casefold() in alike]
        message = f"{counted(len(strange), 'prediction is', 'predictions are')} never a gold label, and wrong."
        remedy = f"{near[0]} differ in case only: write labels in one way" if near else ""
        where = listed([quoted(text) for text in strange], 5)
        notes.append(Finding("not-a-label", "warning" if near else "info", message, where, remedy))
    kept = frame.drop(columns=["gold", "prediction"])
    if not asked or asked == ["accuracy"]:
        score = np.where(predicted == "", np.nan, predicted == gold)
        return kept.assign(metric="accuracy", score=score.astype(float)), (), notes
    needed = {one: _class_of(one, name, labels) for one in asked}
    return kept.assign(**_counts_of(gold, predicted, needed, [*labels, *strange])), tuple(asked), notes


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
            kind = metric.partition(":")[0]
            title = {"f1": "F1"}.get(kind, kind.capitalize())
            _register(metric, _OF_CLASS[kind], [f"{cell}:{place}" for cell in ("tp", "fp", "fn")], f"{title}:{label}")
        else:
            of_label(label, "")
    return columns


def _class_of(metric: str, gold: str, labels: Sequence[str]) -> str:
    """The label that a metric is about; "" if it is about all."""
    name = metric.casefold().replace("_", "-")
    if name in ("accuracy", MACRO):
        if metric != name:
            raise SettingsError(f"there is no metric {metric!r} of labels", remedy=f"write --metric {name}")
        return ""
    kind, sign, label = metric.partition(":")
    where = f"labels in {gold!r}: {listed([quoted(text) for text in labels], 10)}"
    if sign and kind in _OF_CLASS:
        if label in labels:
            return label
        remedy = f"name one of them: --metric {shlex.quote(f'{kind}:{labels[0]}')}"
        raise SettingsError(f"{metric!r} names no label", where=where, remedy=remedy)
    known = corpus_metric_named(metric)
    fits = [text for text in labels if folded(text) in _POSITIVE]
    positive = fits[0] if len(labels) == 2 and len(fits) == 1 else ""
    if known is None or not {*known.columns} <= {"tp", "fp", "fn", "tn"}:
        others = ["accuracy", MACRO, *(["mcc"] if positive else []), *(f"f1:{text}" for text in labels)]
        remedy = f"take one of these: {listed(others, 10)} (--metric {MACRO})"
        raise SettingsError(f"there is no metric {metric!r} of labels", remedy=remedy)
    if not positive:
        first, last = (f"{known.name}:{text}" for text in (labels[0], labels[-1]))
        remedy = f"take one over all labels: metric={MACRO!r} (--metric {MACRO})"
        if known.name in _OF_CLASS:
            remedy = f"name the label, as in metric={last!r} (--metric {shlex.quote(last)}) or {first!r}; over all: "
            remedy += f"metric={MACRO!r} (--metric {MACRO})"
        problem = f"{known.title} is defined for one label, and it is not clear for which"
        raise SettingsError(problem, where=where, remedy=remedy)
    return positive


def register_macro_f1(n_labels: int) -> None:
    """Make macro-F1 of so many labels known: the mean of F1 by label, over labels that are gold or predicted."""

    def macro_f1(sums: Floats) -> Floats:
        cells = sums.reshape(*sums.shape[:-1], n_labels, 3)
        there = cells.sum(axis=-1) > 0
        values = np.where(there, f1(cells), 0.0).sum(axis=-1)
        return np.asarray(values / np.maximum(there.sum(axis=-1), 1))

    cells = [f"{cell}:{place}" for place in range(n_labels) for cell in ("tp", "fp", "fn")]
    _register(MACRO, macro_f1, cells, "Macro-F1")


def _register(name: str, compute: Callable[[Floats], Floats], columns: Sequence[str], title: str) -> None:
    register_metric(name, compute, columns, title=title, value_range=(0, 1), in_percent=True, offered=False)


def _labels(series: pd.Series[Any], once: NDArray[np.object_]) -> list[str] | None:
    """Labels of a column; None if it holds numbers with decimals, or texts that hardly recur among instances."""
    texts = _distinct(series)
    if not 2 <= len(texts) <= _MOST_LABELS or sum(text != "" for text in once) < _PER_LABEL * len(texts):
        return None
    numbers = [number_of(text) for text in texts]
    decimals = any(number is not None and number % 1 != 0 for number in numbers)
    return None if decimals and all(number is not None for number in numbers) else texts


def _distinct(series: pd.Series[Any]) -> list[str]:
    return [text for text in dict.fromkeys(_as_texts(series).tolist()) if text != ""]


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
