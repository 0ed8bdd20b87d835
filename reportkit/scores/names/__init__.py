"""Names that people give to columns and metrics: which role a name may play, and whether higher is better.

The names are data: `columns.toml` by role, `metrics.csv` with direction and range.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files

from reportkit.metrics.formulas import folded

CERTAIN, POSSIBLE = 2, 1

_LISTS = tomllib.loads((files("reportkit.scores.names") / "columns.toml").read_text(encoding="utf-8"))

AVERAGE = re.compile(rf"(?:[^\w+]|_)*(?:(?:{'|'.join(_LISTS['average']['words'])})(?:[^\w+]|_)*)+", re.IGNORECASE)
"""A whole name that says nothing but "mean": `avg`, `Overall`, `Macro Avg.`."""

SENTINELS = (-1, -9, -99, -999, -9999, 999, 9999, 99999)
"""Numbers that often stand for a missing score."""


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """Split a name into words in lower case.

    Examples
    --------
    >>> words("modelName"), words("ndcg@10"), words("LS Clean WER"), words("ROUGE-L")
    (('model', 'name'), ('ndcg', 'at', '10'), ('ls', 'clean', 'wer'), ('rouge', 'l'))
    """
    spelled = re.sub(r"^\s*P(?=@\d)", "precision", name)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])", " ", spelled).replace("@", " at ")
    return tuple(word for word in re.split(r"[^\w+]+|_+", spaced.casefold()) if word)


@cache
def _folded(section: str, kind: str) -> Mapping[str, int]:
    """Return the folded names of a list of `columns.toml` with their places."""
    return {folded(name): place for place, name in reversed(list(enumerate(_LISTS[section].get(kind, ()))))}


def listed_in(name: str, section: str, kind: str) -> bool:
    """Tell whether a name is in a list of `columns.toml`."""
    return folded(name) in _folded(section, kind)


@lru_cache(maxsize=8192)
def strength(name: str, role: str) -> int:
    """Say how much a name speaks for a role: 0, POSSIBLE or CERTAIN.

    Examples
    --------
    >>> strength("Model", "system"), strength("claim_id", "instance"), strength("length", "instance")
    (2, 1, 0)
    """
    if listed_in(name, role, "certain"):
        return CERTAIN
    split = words(name)
    named = len(split) > 1 and listed_in(split[-1], "words", "of_names")
    if named and listed_in(split[0], "system", "certain") and role in ("system", "gold", "instance"):
        return CERTAIN if role == "system" else 0  # `detector_label`
    last = len(split) > 1 and listed_in(split[-1], role, "last_words")
    return POSSIBLE if last or listed_in(name, role, "possible") else 0


@lru_cache(maxsize=4096)
def may_play_a_role(name: str) -> bool:
    """Tell whether a name speaks for a role, a metric or a spread, so that its column may be more than a description.

    Predictions play no part beside scores, unless there are gold values, too.
    """
    if strength(name, "prediction") == CERTAIN or listed_in(name, "covariate", "names"):
        return False
    listed = any(
        strength(name, section) or listed_in(name, section, kind) for section in _LISTS for kind in _LISTS[section]
    )
    return listed or is_spread(name)


def order_of(name: str, role: str) -> int:
    """Return the place of a name among those of a role; earlier ones are likelier."""
    certain, possible = _folded(role, "certain"), _folded(role, "possible")
    return certain.get(folded(name), len(certain) + possible.get(folded(name), 1_000))


def right_and_wrong() -> Mapping[str, str]:
    """Return the words for right, each with its word for wrong."""
    return {right: str(wrong) for right, wrong in _LISTS["right_or_wrong"].items()}


def is_metric(name: str) -> bool:
    """Tell whether a name is that of a metric and nothing else."""
    found = metric_of(name)
    return found is not None and not found.rest


@lru_cache(maxsize=4096)
def is_covariate(name: str) -> bool:
    """Tell whether a name says how long, old, costly or large something is.

    Examples
    --------
    >>> [is_covariate(name) for name in ("n_tokens", "RTFx", "gen_latency_ms", "accuracy", "#params")]
    [True, True, True, False, True]
    """
    split = words(name)
    if listed_in(name, "covariate", "names"):
        return True
    if any(listed_in(word, "covariate", "words") for word in split):
        return split[-1] not in ("accuracy", "f1", "score", "wer")
    return len(split) > 1 and split[0] in ("n", "num", "number") and metric_of(name) is None


@lru_cache(maxsize=4096)
def is_spread(name: str) -> bool:
    """Tell whether a name says that a column holds the spread of another: `acc_std`, `ci_low`, `±`."""
    return "±" in name or any(listed_in(word, "spread", "words") for word in (*words(name), name))


@lru_cache(maxsize=4096)
def is_average(name: str) -> bool:
    """Tell whether a name says that a column, an instance or a dataset is the mean of others: `Avg. WER`, `ALL`."""
    return any(listed_in(word, "average", "words") for word in (*words(name)[:1], *words(name)[-1:]))


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric that is known by its name.

    Parameters
    ----------
    name : str
    higher : bool
        Whether higher is better.
    signed : bool
        Whether its values go down to -1, as correlations do.
    rest : tuple of str
        Words of the name that do not belong to the metric: ("ls", "clean") of "LS Clean WER".
    """

    name: str
    higher: bool
    signed: bool
    rest: tuple[str, ...] = ()


@cache
def metrics() -> Mapping[str, Metric]:
    """Return the list of metrics, by folded name."""
    text = (files("reportkit.scores.names") / "metrics.csv").read_text(encoding="utf-8")
    return {
        folded(row["metric"]): Metric(row["metric"], row["better"] == "higher", row["low"] == "-1")
        for row in csv.DictReader(text.splitlines())
    }


def _named(split: Sequence[str], begin: int, end: int) -> Metric | None:
    """Return the metric that some words name together, with or without a number after it: "f1", "hits10"."""
    gram = "".join(split[begin:end])
    return metrics().get(gram) or metrics().get(gram.rstrip("0123456789"))


@lru_cache(maxsize=4096)
def metric_of(name: str) -> Metric | None:
    """Find the metric that a name says, and what else the name says.

    Examples
    --------
    >>> metric_of("acc_norm,none").rest, metric_of("LS Clean WER").name, metric_of("LS Clean WER").rest
    ((), 'wer', ('ls', 'clean'))
    >>> metric_of("ndcg@10").name, metric_of("neg_mean_squared_error").name, metric_of("bert") is None
    ('ndcg', 'mean_squared_error', True)
    """
    if folded(name) in metrics():
        return metrics()[folded(name)]
    split = tuple(word for word in words(name) if not word.isdigit())
    places = ((begin, begin + n) for n in range(len(split), 0, -1) for begin in reversed(range(len(split) - n + 1)))
    named = ((one, *at) for at in places if (one := _named(split, *at)) is not None and not is_common_word(one.name))
    found, begin, end = next(named, (None, None, None))
    if found is None or (listed_in(found.name, "words", "generic") and len(split) > 1):
        return None
    rest = [word for word in (*split[:begin], *split[end:]) if not listed_in(word, "words", "modifiers")]
    return replace(found, rest=tuple(word for word in rest if word not in ("neg", "negative")))


def is_common_word(name: str) -> bool:
    """Tell whether the name of a metric is a common word or name, too: AMI, rank."""
    return listed_in(name, "words", "whole_only")


@lru_cache(maxsize=4096)
def direction_of(name: str) -> bool | None:
    """Tell whether higher values of a metric are better, by its name; None if the name does not say.

    Examples
    --------
    >>> direction_of("exact_match"), direction_of("toxicity_score"), direction_of("zorp")
    (True, False, None)
    >>> direction_of("error_detection_f1"), direction_of("false_alarms"), direction_of("1 - WER")
    (True, False, None)
    >>> direction_of("test_score"), direction_of("benchmaxx_score")
    (True, None)
    """
    if folded(name) in metrics():
        return metrics()[folded(name)].higher
    split = [word for word in words(name) if not word.isdigit()]
    if any(listed_in(word, "words", "doubtful") for word in split) or re.match(r"\s*1\s*[-\u2212]", name):
        return None
    if {"rank", "correlation"} <= {*split}:
        return True
    for end in range(len(split), 0, -1):
        last = split[end - 1]
        if listed_in(last, "words", "generic") and end > 1:
            continue
        if listed_in(last, "words", "lower"):
            return bool({"neg", "negative"} & set(split[:end]))
        for start in range(end):
            found = _named(split, start, end)
            if found is not None and (start == 0 or not is_common_word(found.name)):
                return found.higher is not bool({"neg", "negative"} & set(split[:start]))
        if listed_in(last, "words", "higher"):
            return True
    other = [word for word in split if not any(listed_in(word, "words", kind) for kind in ("generic", "modifiers"))]
    return True if {"score", "scores"} & set(split) and not other else None
