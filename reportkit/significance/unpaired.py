"""Samples of different instances, or with unknown pairing: what is known of them, and what limits their tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reportkit.finding import Finding
from reportkit.language import p_value_range_text
from reportkit.scores.sample import Details, Sample, joined_details
from reportkit.significance.cautions import caution, levels_used, sizes_text
from reportkit.significance.entry import SIZE_ERROR, TOLERATED_SIZE_ERROR, edgeworth_error
from reportkit.significance.few_runs import size_at
from reportkit.significance.outcome import Outcome
from reportkit.significance.tango import feasible_interval

SAME_POPULATION = "the instances of both systems are drawn from the same population"
"""Assumption of every unpaired test, besides independent instances."""


def pairing_findings(sample: Sample, outcome: Outcome) -> Iterator[Finding]:
    """Say why the pairing is not used: the user asked for that, or there is none.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]), n_common=2)
    >>> [finding.code for finding in pairing_findings(sample, None)]
    ['pairing-lost']
    """
    if sample.n_common:
        yield caution("pairing-lost", sample.label, n=sample.n_common)
    else:
        yield caution("different-instances", sample.label)


def unpaired_details(sample: Sample, outcome: Outcome) -> Details:
    """Return the sizes of both samples, and the number of instances in both.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]))
    >>> unpaired_details(sample, None)
    {'n_common': 0, 'a': {'n_instances': 2}, 'b': {'n_instances': 3}}
    """
    sizes = {"a": {"n_instances": sample.a.size}, "b": {"n_instances": sample.b.size}}
    return {"n_common": sample.n_common, **sizes}


NOT_NEGATIVELY_CORRELATED = "the right answers of the two systems are not negatively correlated"
"""Assumption of every test that takes two systems with unknown pairing as independent samples."""


def margin_details(sample: Sample, outcome: Outcome) -> Details:
    """Return the sizes, and the McNemar p-values that the margins allow if both systems have the same test set."""
    a, n_a, b, n_b = sample.right
    higher = sample.higher_is_better
    details = {
        "a": {"n_instances": n_a, "n_right": a if higher else n_a - a},
        "b": {"n_instances": n_b, "n_right": b if higher else n_b - b},
    }
    return details if n_a != n_b else joined_details(details, {"a": _margins(a, b, n_a), "b": _margins(b, a, n_a)})


def _margins(one: int, other: int, n: int) -> dict[str, float]:
    found = feasible_interval(one, other, n)
    return {"mcnemar_p_value_low": found.low, "mcnemar_p_value_high": found.high, "n_only_right_most": found.most_wins}


def pairing_unknown(sample: Sample, outcome: Outcome) -> Iterator[Finding]:
    """Say that the pairing is not known, and what holds for any pairing."""
    a, n_a, b, n_b = sample.right
    if n_a != n_b:
        yield caution("pairing-unknown/sizes", sample.label, n_a=n_a, n_b=n_b)
        return
    interval = feasible_interval(max(a, b), min(a, b), n_a)
    better = sample.system_a if a >= b else sample.system_b
    p_values = p_value_range_text(interval.low, interval.high)
    yield caution("pairing-unknown", sample.label, better=better, p_values=p_values)


FEW = 50
"""Fewer instances of a system do not show whether its scores are too skewed for a test of the mean."""

FEW_FOR_ANY = 20
"""With fewer it is a warning, else a note."""

SIZES_WHERE_SKEWED: Mapping[int, Mapping[float, float]] = {
    3: {0.05: 0.25, 0.01: 0.14, 0.005: 0.11, 0.001: 0.07},
    5: {0.05: 0.24, 0.01: 0.13, 0.005: 0.10, 0.001: 0.053},
    10: {0.05: 0.21, 0.01: 0.12, 0.005: 0.096, 0.001: 0.056},
    20: {0.05: 0.19, 0.01: 0.10, 0.005: 0.082, 0.001: 0.05},
    30: {0.05: 0.16, 0.01: 0.079, 0.005: 0.061, 0.001: 0.031},
}
"""Largest simulated one-sided sizes where one system's scores are lognormal, by the instances of the smaller sample."""


def unpaired_size_findings(sample: Sample, outcome: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    """Say how far skewed scores can spoil the level of a test of two independent means.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    outcome : Outcome
        Outcome of the test.
    thresholds : sequence of float
        Levels that p-values are compared with.

    Yields
    ------
    Finding
        `skewed-scores`, if scores as skewed as those of the samples would shift the size at .05 by more than .01;
        otherwise `skewness-unseen`, if a system has fewer than 50 instances, which cannot show it.

    Notes
    -----
    The first term of the Edgeworth expansion changes a one-sided level alpha by (2 z^2 + 1) phi(z) / 6 times the
    skewness of the difference of the means, z being the normal quantile: Hall (1992), "The Bootstrap and Edgeworth
    Expansion", section 2.4.
    """
    if sample.identical or sample.constant:
        return
    skewness, levels = skewness_of_difference(sample), levels_used(outcome, thresholds)
    if SIZE_ERROR * abs(skewness) > TOLERATED_SIZE_ERROR:
        yield caution(
            "skewed-scores",
            sample.label,
            n_a=sample.a.size,
            n_b=sample.b.size,
            test=outcome.title,
            favoured=sample.system_a if skewness < 0 else sample.system_b,
            sizes=sizes_text([(level, min(1.0, level + edgeworth_error(level) * abs(skewness))) for level in levels]),
        )
    elif sample.n < FEW:
        fewest = max((n for n in SIZES_WHERE_SKEWED if n <= sample.n), default=min(SIZES_WHERE_SKEWED))
        sizes = sizes_text([(level, size_at(level, SIZES_WHERE_SKEWED[fewest])) for level in levels])
        doubtful = sample.n < FEW_FOR_ANY
        yield caution(
            "skewness-unseen/unpaired",
            sample.label,
            severity="warning" if doubtful else "info",
            advise=doubtful,
            n=sample.n,
            sizes=sizes,
        )


def skewness_of_difference(sample: Sample) -> float:
    """Return the skewness of the difference of the two means, as far as the samples tell it; 0 if neither varies.

    The third central moments of both means, A minus B, over the cube of the standard error. Positive if the mean of A
    has the longer tail upwards; equal samples of equal size cancel.

    Examples
    --------
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.0, 0.0, 0.0, 1.0]), b=np.array([0.0, 1.0, 0.5, 0.5]))
    >>> round(skewness_of_difference(sample), 4)
    0.2683
    """
    third = variance = 0.0
    scale = max(float(np.abs(sample.a).max()), float(np.abs(sample.b).max()))
    for scores, sign in ((np.sort(sample.a), 1.0), (np.sort(sample.b), -1.0)):
        deviations = (scores - scores.mean()) / scale if scale else np.zeros_like(scores)
        third += sign * float(np.mean(deviations**3)) / scores.size**2
        variance += float(np.mean(deviations**2)) / scores.size
    return third / variance**1.5 if variance > 1e-24 else 0.0
