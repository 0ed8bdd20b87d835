"""Findings about skewed differences: what their shape does to a test that serves a claim about their mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from reportkit.finding import Finding, Severity
from reportkit.language.numerals import fixed, percent_text
from reportkit.scores.sample import Sample
from reportkit.significance.outcome import Outcome
from reportkit.significance.skewness import (
    ENOUGH_NONZERO,
    FAINT,
    FEWEST_NONZERO,
    LEVEL,
    SHARE_UNSEEN,
    IfSkewed,
    has_outliers,
    is_strained,
    levels_used,
    shape_of,
    shows_skewness,
    size_error,
    sizes_text,
    skewness,
    skewness_matters,
)
from reportkit.significance.units import sorted_units

SMALL_SAMPLE = 20
"""With fewer instances, a finding speaks of n alone: neither power nor the shape of the differences can be trusted."""

_DOUBT = "do not rely on p-values close to the level"


def size_where_skewed(n_nonzero: int, alpha: float) -> float:
    """Size that the default test of a mean can reach at a level where differences are strongly skewed.

    Parameters
    ----------
    n_nonzero : int
        Units on which A and B differ.
    alpha : float
        One-sided level.

    Notes
    -----
    Curves through the simulated sizes for differences that are a constant minus a lognormal variable: .8 alpha^.46 for
    10 to 20 units (the sign flip), .5 alpha^.5 for 30 (mostly the bootstrap-t), .64 alpha^.65 for 50 (the bootstrap-t);
    see docs/methods.md.

    Examples
    --------
    >>> [round(size_where_skewed(n, 0.05), 2) for n in (10, 30, 50)], round(size_where_skewed(30, 0.01), 3)
    ([0.2, 0.11, 0.09], 0.05)
    """
    if n_nonzero < FEWEST_NONZERO:
        return 0.8 * math.pow(alpha, 0.46)
    return 0.5 * math.sqrt(alpha) if n_nonzero < ENOUGH_NONZERO else 0.64 * math.pow(alpha, 0.65)


def shape_findings(
    paired: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float] = ()
) -> Iterator[Finding]:
    """Say what the shape of the differences does to a test that serves a claim about their mean.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    outcome : Outcome
        What the test found.
    if_skewed : str
        What skewness does to the test; see `SignificanceTest`.
    thresholds : sequence of float
        Levels that p-values are compared with. Sizes are said at .05 and at the smallest of them.

    Yields
    ------
    Finding
        `skewed-differences` where they are skewed, a warning where the size of the test can be off by more than a
        percentage point at .05. `large-differences` where a few weigh so heavily that they may be. `skewness-unseen`
        where too few units differ to see it: a warning where there are fewer than 20 units, less than half of them
        differ, or none favours one of the systems, else a note. `one-sided-differences` where (nearly) all that differ
        favour one system, and losses too rare to be seen could cancel the mean. `rank-test-of-mean` of a test of
        symmetry. Nothing for ordinal scores, nor for right-or-wrong ones without clusters and weights, whose tests are
        exact.

    Notes
    -----
    The one-sided test of A better than B rejects a true null hypothesis too often if the skewness is negative, and too
    seldom if it is positive. By the first term of the Edgeworth expansion, the size of a one-sided t, sign-flip or
    bootstrap test at .05 is off by about .110 |g| / sqrt(n): Hall (1992), "The Bootstrap and Edgeworth Expansion",
    section 2.4. That something was not seen among n units speaks against a share above 3 / n, at 95% confidence:
    Hanley and Lippman-Hand (1983), "If nothing goes wrong, is everything all right?".

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.significance.plan import ResamplingPlan
    >>> from reportkit.significance.tests.student_t import paired_t
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.append(np.zeros(6), np.linspace(1.2, 1.3, 54)), b=np.repeat([1.0, 1.1], [6, 54]))
    >>> for finding in shape_findings(paired, paired_t(paired, ResamplingPlan()), "off level", (0.05, 0.005)):
    ...     print(finding.message)
    The differences are skewed (skewness −2.63, n = 60), and the paired t-test does not allow for it: if the means were
    equal, it would still find 'a' better about 8.7% of the time at level .05, and 1.7% at .005, the smallest level used
    here.
    """
    if if_skewed == "nothing" or not paired.of_a_mean:
        return
    if if_skewed == "other claim":
        yield _of_signed_ranks(paired, outcome)
        return
    shape = shape_of(paired)
    looked_at = shape.n_nonzero >= FEWEST_NONZERO or is_small(paired)
    if looked_at and skewness_matters(paired) and (_is_shown(paired) or has_outliers(paired)):
        yield _skewed(paired, outcome, if_skewed, thresholds)
    elif shape.n_nonzero < ENOUGH_NONZERO and not is_small(paired):
        sums, units = sorted_units(paired).sums, _units(paired)
        doubtful = shape.n < SMALL_SAMPLE or 2 * shape.n_nonzero < shape.n or not sums.min() < 0 < sums.max()
        yield Finding(
            "skewness-unseen",
            "warning" if doubtful else "info",
            f"Too few {units} differ ({shape.n_nonzero:,}) to show skewness, which can make p-values too small: "
            f"{_for_instance(shape.n_nonzero, levels_used(outcome, thresholds) if doubtful else (LEVEL,))}.",
            where=paired.label,
            remedy=_more(paired) if doubtful else "",
        )
    if paired.unit == "instance" and (one_sided := _one_sided(paired)) is not None:
        yield one_sided


def is_small(paired: Sample) -> bool:
    """Return whether the finding on small samples speaks of this one."""
    return paired.unit == "instance" and paired.n < SMALL_SAMPLE


def is_spoilt(sample: Sample, if_skewed: IfSkewed) -> TypeGuard[Sample]:
    """Return whether skewness that so few units do not show would change the size of the test."""
    return sample.shape == "paired" and sample.of_a_mean and if_skewed in ("off level", "allowed for")


def small_sample_message(
    sample: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float] = ()
) -> str:
    """What so few instances mean: for power, and for the size of a test of a mean that skewness would spoil."""
    power = f"There are fewer than {SMALL_SAMPLE} instances, so differences that matter can easily be missed."
    if is_spoilt(sample, if_skewed):
        return (
            f"{power} So few cannot show whether differences are skewed, either. "
            "If they are, p-values can be too small: "
            f"{_for_instance(shape_of(sample).n_nonzero, levels_used(outcome, thresholds))}."
        )
    return power


def _for_instance(n_nonzero: int, levels: Sequence[float]) -> str:
    """One simulated size, with its design."""
    sizes = [(alpha, size_where_skewed(n_nonzero, alpha)) for alpha in levels]
    return (
        "for instance, where differences are a constant minus a lognormal variable, a system that is not better is "
        f"called so about {sizes_text(sizes)}"
    )


def _is_shown(paired: Sample) -> bool:
    return shape_of(paired).n_nonzero >= FEWEST_NONZERO and shows_skewness(paired)


def _skewed(paired: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float]) -> Finding:
    shown, levels, remedy = _is_shown(paired), levels_used(outcome, thresholds), _more(paired)
    severity: Severity = "warning"
    units = "n" if paired.clusters is None else f"number of {_units(paired)}"
    differences = "differences" if paired.clusters is None else f"sums of differences of the {_units(paired)}"
    figures = f"skewness {fixed(skewness(paired), 2)}, {units} = {shape_of(paired).n:,}"
    seen = f"The {differences} are skewed ({figures})"
    if not shown:
        seen = (
            f"A few large {differences} weigh heavily in the mean ({figures}), and the sample does not show whether "
            "they are more often on one side in general"
        )
    if if_skewed == "allowed for":
        example = f"be too small: {_for_instance(shape_of(paired).n_nonzero, levels)}"
        message = f"{seen}; p-values can {example}."  # named by the user, or skewness that only resamples see
        if shown:
            message = f"{seen}; the {outcome.title} allows for that."
            if is_strained(paired):
                message += f" With so few or so skewed differences, p-values can still {example}."
            else:
                severity, remedy = "info", ""
    else:
        favoured = paired.system_a if skewness(paired) < 0 else paired.system_b
        sizes = sizes_text([(alpha, min(1.0, alpha + size_error(paired, alpha))) for alpha in levels])
        message = f"{seen}. If differences are as skewed in general, and the means equal, the {outcome.title} would"
        if shown:
            message = f"{seen}, and the {outcome.title} does not allow for it: if the means were equal, it would"
        message += f" still find {favoured!r} better about {sizes}."
        if shown and paired.unit == "instance":
            remedy = f"choose the test 'bootstrap-t'; {remedy}"
    code = "skewed-differences" if shown else "large-differences"
    return Finding(code, severity, message, paired.label, remedy)


def _of_signed_ranks(paired: Sample, outcome: Outcome) -> Finding:
    return Finding(
        "rank-test-of-mean",
        "warning",
        f"The {outcome.title} is a test of symmetry about 0, and one of the mean only if differences are symmetric; if "
        "not, it finds a system better whose mean is the same, the more often, the more instances there are.",
        where=paired.label,
        remedy="choose the test 'sign-flip' or 'bootstrap-t' for a claim about means, or claim no mean",
    )


def _one_sided(paired: Sample) -> Finding | None:
    """Say how large unseen losses would have to be to cancel the mean, where hardly any was seen."""
    units = sorted_units(paired)
    nonzero = units.sums[units.sums != 0]
    fainter, stronger = sorted((float(nonzero[nonzero > 0].sum()), -float(nonzero[nonzero < 0].sum())))
    if units.n <= SHARE_UNSEEN or not fainter < FAINT * stronger:
        return None
    needed = abs(units.mean) * units.n / SHARE_UNSEEN
    scores = (float(paired.a.min()), float(paired.b.min())), (float(paired.a.max()), float(paired.b.max()))
    alike = float(nonzero.max() - nonzero.min()) <= 1e-12 * float(abs(nonzero).max())
    without_variance = alike and nonzero.size == units.n
    if not without_variance and needed > max(max(scores[1]) - min(scores[0]), float(abs(paired.differences).max())):
        return None
    favoured, other = paired.system_a, paired.system_b
    if paired.value_difference < 0:
        favoured, other = other, favoured
    if fainter > 0:
        part = percent_text(float(f"{fainter / stronger:.2g}"))
        seen = f"The losses of {favoured!r} on some {_units(paired)} are only {part} of its gains on others."
    else:
        every = "All" if nonzero.size == units.n else f"All {nonzero.size:,} differing"
        seen = f"{every} {_units(paired)} favour {favoured!r}{', all by the same amount' if alike else ''}."
    return Finding(
        "one-sided-differences",
        "warning",
        f"{seen} A sample of "
        f"{units.n:,} can miss losses on up to about {_share_unseen(units.n)} of {_units(paired)}. Losses of "
        f"{needed:.2g} on that many would cancel the lead of {favoured!r} over {other!r}, and no test of this sample "
        "could show it.",
        where=paired.label,
        remedy=f"collect more {_units(paired)}, or claim no mean",
    )


def _share_unseen(n: int) -> str:
    """3 / n in percent: what nobody has seen among n units is rarer than that, at 95% confidence."""
    return percent_text(float(f"{SHARE_UNSEEN / n:.2g}"))


def _units(paired: Sample) -> str:
    return f"{paired.unit if paired.clusters is None else paired.cluster_noun}s"


def _more(paired: Sample) -> str:
    return f"collect more {_units(paired)}; {_DOUBT}"
