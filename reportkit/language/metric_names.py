"""Printed names of the usual metrics: in a sentence, and short above a column."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_EVERY = tomllib.loads(Path(__file__).with_name("metrics.toml").read_text("utf-8"))
_OTHER_NAMES = {other: name for name, metric in _EVERY.items() for other in metric.get("also", ())}


def _known(metric: str) -> dict[str, Any]:
    key = metric.strip().casefold().replace(" ", "_").replace("-", "_")
    found: dict[str, Any] = _EVERY.get(_OTHER_NAMES.get(key, key), {})
    return found


def metric_title(metric: str) -> str:
    """Name of a metric at the head of a caption; one that is not known begins with a capital letter, if it is a word.

    Examples
    --------
    >>> [metric_title(name) for name in ("acc", "f1", "chrF", "helpfulness", "nDCG@10", "bleu_13a")]
    ['Accuracy', 'F1', 'chrF', 'Helpfulness', 'nDCG@10', 'bleu_13a']
    """
    if found := _known(metric):
        return str(found["title"])
    return metric[:1].upper() + metric[1:] if metric.isalpha() and metric.islower() else metric


def metric_in_sentence(metric: str) -> str:
    """Name of a metric within a sentence.

    Examples
    --------
    >>> [metric_in_sentence(name) for name in ("acc", "f1", "exact_match", "nDCG@10")]
    ['accuracy', 'F1', 'exact match', 'nDCG@10']
    """
    title = metric_title(metric)
    return title.lower() if title.replace(" ", "a")[1:].isalpha() and title[1:].islower() else title


def metric_short(metric: str) -> str:
    """Name of a metric above a column of a table.

    Examples
    --------
    >>> metric_short("accuracy"), metric_short("exact_match"), metric_short("nDCG@10")
    ('Acc.', 'EM', 'nDCG@10')
    """
    return str(_known(metric).get("short", metric_title(metric)))


def is_proportion(metric: str) -> bool:
    """Return whether a metric of this name lies between 0 and 1, and is printed in percent.

    Examples
    --------
    >>> is_proportion("F1"), is_proportion("ndcg"), is_proportion("score")
    (True, False, False)
    """
    return bool(_known(metric).get("proportion"))
