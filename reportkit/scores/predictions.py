"""Score predictions against gold: labels, sets of labels, numbers and texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.metrics.corpus import Floats
from reportkit.metrics.correlation import named_coefficient
from reportkit.metrics.formulas import folded
from reportkit.scores.codes import number_of, quoted, rows_text, text_of
from reportkit.scores.names import listed_in, words
from reportkit.scores.questions import Proposal, QuestionError, Request
from reportkit.scores.refusals import notice, refusal

if TYPE_CHECKING:
    from reportkit.scores.questions import Roles

Texts = NDArray[np.object_]
Laid = tuple[pd.DataFrame, tuple[str, ...], list[Finding]]
"""The long form, the metrics that are computed from counts or gold scores, and what was noticed."""

_OF_TEXTS = ("exact_match", "token_f1", "wer", "cer")
_MOST_LABELS = 200
_PER_LABEL = 2
"""With fewer instances per label than this, cells are texts, not labels."""

_SHORT = 5
"""Answers of at most this many words are short, and are scored by exact match."""

_SEPARATORS = re.compile(r"\s*[;|,]\s*")


def scored_predictions(frame: pd.DataFrame, roles: Roles, request: Request) -> Laid:
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

    Raises
    ------
    QuestionError
        If texts are neither short nor transcripts, so that the metric is not clear.
    InputError
        If a gold label is missing.
    SettingsError
        If F1 is asked for without its label, or a metric is not known.
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
    kept = frame.drop(columns=["gold", "prediction"])
    of_texts = {folded(name): name for name in _OF_TEXTS}
    metric = of_texts.get(folded(asked[0])) if asked else None
    once = ~frame.duplicated([name for name in ("dataset", "instance") if name in frame]).to_numpy()
    remedy = ""
    computed: tuple[str, ...] = ()
    if _of_sets(gold, predicted):
        what, name = "sets of labels, an empty cell a set without labels", asked[0] if asked else "f1"
        sets = [(set(_parts(g)), set(_parts(p))) for g, p in zip(gold, predicted, strict=True)]
        counts = {"stat_tp": [len(g & p) for g, p in sets], "stat_fp": [len(p - g) for g, p in sets]}
        kept, computed = kept.assign(**counts, stat_fn=[len(g - p) for g, p in sets]), (name,)
    elif metric is None and (labels := _labels(gold, gold[once])):
        return _of_labels(kept, gold, predicted, labels, asked, roles.roles["gold"])
    elif all(pd.api.types.is_numeric_dtype(frame[name].dtype) for name in ("gold", "prediction")):
        what, name, remedy = "numbers", "absolute error", "for a correlation: --metric spearman"
        kept = kept.assign(metric=name, score=(frame["prediction"] - frame["gold"]).abs())
    elif asked and metric is None:
        raise refusal("no-text-metric", metric=asked[0], metrics=", ".join(_OF_TEXTS))
    else:
        what, name = "texts", metric or _text_metric(gold, roles, request)
        if name in ("wer", "cer"):
            kept, computed = kept.assign(**_edits(gold, predicted, by_words=name == "wer")), (name,)
        else:
            pairs = [(_normalized(g), _normalized(p)) for g, p in zip(gold, predicted, strict=True)]
            cells = [float(g == p) if name == "exact_match" else _token_f1(g, p) for g, p in pairs]
            kept = kept.assign(metric=name, score=cells)
    said = roles.roles.get("prediction") or listed([repr(column) for column in roles.columns], 3)
    message = f"The predictions {said} were held against {roles.roles['gold']!r} as {what}; computed: {name}."
    return kept, computed, [Finding("predictions-scored", "info", message, remedy=remedy)]


# --- texts and sets --------------------------------------------------------------------------------------------------


def _text_metric(gold: Texts, roles: Roles, request: Request) -> str:
    """Return WER for transcripts, exact match for short answers."""
    names = [*roles.roles.values(), *roles.reasons]
    if any(listed_in(word, "words", "spoken") for name in names for word in words(name)):
        return "wer"
    if np.median([len(text.split()) for text in gold]) <= _SHORT:
        return "exact_match"
    whens = {
        "exact_match": "they have to be equal", "token_f1": "words in common count", "wer": "they are transcripts",
    }  # fmt: skip
    raise QuestionError(
        f"the predictions are texts, and {roles.roles['gold']!r} holds the right ones: by which metric?",
        request,
        proposals=[Proposal(when, metrics=(metric,)) for metric, when in whens.items()],
    )


def _normalized(text: str) -> list[str]:
    """Return the words of a text without case, punctuation and articles, as SQuAD compares answers."""
    plain = re.sub(r"[^\w\s]", "", text.casefold())
    return re.sub(r"\b(a|an|the)\b", " ", plain).split()


def _token_f1(gold: list[str], predicted: list[str]) -> float:
    """Return F1 of the words that a prediction and its gold text have in common (Rajpurkar et al., 2016)."""
    if not gold or not predicted:
        return float(gold == predicted)
    return 2 * sum((Counter(gold) & Counter(predicted)).values()) / (len(gold) + len(predicted))


def _edits(gold: Texts, predicted: Texts, *, by_words: bool) -> dict[str, Floats]:
    """Return edits and length of each reference, by RapidFuzz."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise refusal("no-rapidfuzz") from error
    pairs = [(g.split(), p.split()) if by_words else (g, p) for g, p in zip(gold, predicted, strict=True)]
    edits = np.array([float(Levenshtein.distance(g, p)) for g, p in pairs])
    return {"stat_errors": edits, "stat_total": np.array([float(len(g)) for g, _ in pairs])}


def _of_sets(gold: Texts, predicted: Texts) -> bool:
    """Tell whether cells hold sets of labels: parts between commas, semicolons or bars that recur."""
    cells = [text for text in (*gold, *predicted) if text]
    parts = [part for text in cells for part in _parts(text)]
    if sum(bool(_SEPARATORS.search(text)) for text in cells) < 0.05 * len(cells) or not parts:
        return False
    return len(set(parts)) <= min(_MOST_LABELS, len(parts) / 3) and max(len(part.split()) for part in set(parts)) <= 4


def _parts(text: str) -> list[str]:
    return [part.strip(" []'\"") for part in _SEPARATORS.split(text) if part.strip(" []'\"")]


# --- labels ----------------------------------------------------------------------------------------------------------


def _labels(gold: Texts, once: Texts) -> list[str]:
    """Return the labels of a column; none if it holds numbers with decimals, or texts that hardly recur."""
    texts = [text for text in dict.fromkeys(gold) if text]
    if not 2 <= len(texts) <= _MOST_LABELS or np.count_nonzero(once != "") < _PER_LABEL * len(texts):
        return []
    numbers = [number_of(text) for text in texts]
    if any(number is not None and number % 1 != 0 for number in numbers) and None not in numbers:
        return []
    return sorted(texts, key=lambda text: (np.inf if (number := number_of(text)) is None else number, text))


def _of_labels(
    kept: pd.DataFrame, gold: Texts, predicted: Texts, labels: Sequence[str], asked: Sequence[str], name: str
) -> Laid:
    """Return right or wrong for each prediction of a label."""
    if asked and list(asked) != ["accuracy"]:
        shown = listed([quoted(text) for text in labels], 10)
        raise refusal("no-label-metric", metric=asked[0], column=name, labels=shown)
    blank = np.flatnonzero(gold == "")
    if blank.size:
        where = f"column {name!r}, {rows_text(blank, 'DataFrame')}"
        raise refusal("no-gold-label", where, number=counted(blank.size, "row"))
    strange = list(dict.fromkeys(text for text in predicted if text and text not in labels))
    what = listed([quoted(text) for text in labels], 5)
    numbers = all(number_of(text) is not None for text in labels) and len(labels) > 2
    message = (
        f"The predictions were held against {name!r} ({counted(len(labels), 'label')}: {what}): right (1) or wrong (0)."
    )
    remedy = "if these are ratings: --metric spearman" if numbers else ""
    notes = [Finding("predictions-scored", "warning" if numbers else "info", message, remedy=remedy)]
    if strange:
        number = counted(len(strange), "prediction is", "predictions are")
        notes.append(notice("not-a-label", listed([quoted(text) for text in strange], 5), number=number))
    score = np.where(predicted == "", np.nan, predicted == gold).astype(float)
    return kept.assign(metric="accuracy", score=score), (), notes


def _as_texts(series: pd.Series[Any]) -> Texts:
    """Return labels as texts: 1, 1.0 and "1" are one label; "" where there is none."""
    codes, cells = pd.factorize(series)
    return np.array([*(text_of(cell).strip() for cell in cells), ""], dtype=object)[codes]
