"""What is said about the shape of the differences beside a test that serves a claim about their mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeGuard

import numpy as np
from scipy.special import ndtr, ndtri

from reportkit.finding import Finding
from reportkit.intervals.means.skewness import (
    ENOUGH_NONZERO,
    FAINT,
    FEWEST_NONZERO,
    SHARE_UNSEEN,
    SIZE_ERROR,
    TOLERATED_SIZE_ERROR,
    has_outliers,
    is_strained,
    shape_of,
    shows_skewness,
    size_error,
    skewness,
    skewness_matters,
)
from reportkit.intervals.means.units import sorted_units
from reportkit.language.numerals import fixed, percent_text
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Sample
from reportkit.significance.cautions.size_wording import LEVEL, levels_used, sizes_text
from reportkit.significance.entry import IfSkewed
from reportkit.significance.outcome import Outcome
from reportkit.significance.tests.wilcoxon import signed_ranks

__all__ = ["SIZE_ERROR", "SMALL_SAMPLE", "shape_findings", "size_where_skewed", "skewness", "small_sample_message"]

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
    see `benchmarks/results/skewness_rules.csv`.

    Examples
    --------
    >>> [round(size_where_skewed(n, 0.05), 2) for n in (10, 30, 50)], round(size_where_skewed(30, 0.01), 3)
    ([0.2, 0.11, 0.09], 0.05)
    """
    if n_nonzero < FEWEST_NONZERO:
        return 0.8 * math.pow(alpha, 0.46)
    return 0.5 * math.sqrt(alpha) if n_nonzero < ENOUGH_NONZERO else 0.64 * math.pow(alpha, 0.65)


def shape_findings(
    paired: PairedScores, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float] = ()
) -> Iterator[Finding]:
    """Say what the shape of the differences does to a test that serves a claim about their mean.

    Parameters
    ----------
    paired : PairedScores
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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.append(np.zeros(6), np.linspace(1.2, 1.3, 54)), b=np.repeat([1.0, 1.1], [6, 54]))
    >>> for finding in shape_findings(paired, paired_t(paired, ResamplingPlan()), "off level", (0.05, 0.005)):
    ...     print(finding.message)
    The differences are skewed (skewness −2.63, n = 60), and the paired t-test does not allow for it: if the means were
    equal, it would still find 'a' better about 8.7% of the time at level .05, and 1.7% at .005, the smallest level used
    here.
    """
    if if_skewed == "nothing" or not paired.of_a_mean:
        return
    if if_skewed == "other claim":
        yield _of_signed_ranks(paired, outcome, thresholds)
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


def is_small(paired: PairedScores) -> bool:
    """Whether the finding on small samples speaks of this one."""
    return paired.unit == "instance" and paired.n < SMALL_SAMPLE


def is_spoilt(sample: Sample, if_skewed: IfSkewed) -> TypeGuard[PairedScores]:
    """Whether skewness that so few units do not show would change the size of the test."""
    return isinstance(sample, PairedScores) and sample.of_a_mean and if_skewed in ("off level", "allowed for")


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


def _is_shown(paired: PairedScores) -> bool:
    return shape_of(paired).n_nonzero >= FEWEST_NONZERO and shows_skewness(paired)


def _skewed(paired: PairedScores, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float]) -> Finding:
    shown, allowed = _is_shown(paired), if_skewed == "allowed for"
    levels = levels_used(outcome, thresholds)
    where = paired.label
    if allowed and shown:
        strained = is_strained(paired)
        message = f"{_seen(paired)}; the {outcome.title} allows for that."
        if strained:
            example = _for_instance(shape_of(paired).n_nonzero, levels)
            message += f" With so few or so skewed differences, p-values can still be too small: {example}."
        return Finding(
            "skewed-differences", "warning" if strained else "info", message, where, (_more(paired) if strained else "")
        )
    favoured = paired.system_a if skewness(paired) < 0 else paired.system_b
    sizes = [(alpha, min(1.0, alpha + size_error(paired, alpha))) for alpha in levels]
    if shown:
        return Finding(
            "skewed-differences",
            "warning",
            f"{_seen(paired)}, and the {outcome.title} does not allow for it: if the means were equal, it would still "
            f"find {favoured!r} better about {sizes_text(sizes)}.",
            where,
            f"choose the test 'bootstrap-t'; {_more(paired)}" if paired.unit == "instance" else _more(paired),
        )
    if allowed:  # named by the user, or skewness that only the resamples of a threshold see
        consequence = f"p-values can be too small: {_for_instance(shape_of(paired).n_nonzero, levels)}"
        return Finding("large-differences", "warning", f"{_heavy(paired)}; {consequence}.", where, _more(paired))
    return Finding(
        "large-differences",
        "warning",
        f"{_heavy(paired)}. If differences are as skewed in general, and the means equal, the {outcome.title} would "
        f"still find {favoured!r} better about {sizes_text(sizes)}.",
        where,
        _more(paired),
    )


def _of_signed_ranks(paired: PairedScores, outcome: Outcome, thresholds: Sequence[float]) -> Finding:
    """A signed-rank test is one of the mean only of symmetric differences; with others it errs the more, the larger n.

    If the mean is 0, the sum of signed ranks is centred on what it is of the differences minus their mean.
    """
    residuals = paired.differences - paired.differences.mean()
    scale = float(abs(residuals).max())
    ranks = signed_ranks(np.round(residuals / scale, 12)) if scale > 0 else residuals
    spread = math.sqrt(float((ranks**2).sum()))
    shift = float(ranks.sum()) / spread if spread > 0 else 0.0
    sizes = [(alpha, float(ndtr(abs(shift) + ndtri(alpha)))) for alpha in levels_used(outcome, thresholds)]
    favoured = paired.system_a if shift > 0 else paired.system_b
    always = f"The {outcome.title} is a test of symmetry about 0, and one of the mean only if differences are symmetric"
    off = sizes[0][1] > LEVEL + TOLERATED_SIZE_ERROR
    skewed = off and _is_shown(paired)
    remedy = "choose the test 'sign-flip' or 'bootstrap-t' for a claim about means, or claim no mean"
    consequence = f"if the means were equal, it would still find {favoured!r} better about {sizes_text(sizes)}"
    if skewed:
        shown = f"{_seen(paired)}. {always}: {consequence}; the more instances, the more often."
        return Finding("skewed-differences", "warning", shown, paired.label, remedy)
    message = f"{always}. This sample does not show that they are not"
    if off:
        message += f"; if they are as skewed in general as here (skewness {fixed(skewness(paired), 2)}), then "
        message += consequence
    return Finding("rank-test-of-mean", "warning", message + ".", paired.label, remedy)


def _one_sided(paired: PairedScores) -> Finding | None:
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


def _seen(paired: PairedScores) -> str:
    return f"The {_differences(paired)} are skewed ({_figures(paired)})"


def _heavy(paired: PairedScores) -> str:
    return (
        f"A few large {_differences(paired)} weigh heavily in the mean ({_figures(paired)}), and the sample does not "
        "show whether they are more often on one side in general"
    )


def _figures(paired: PairedScores) -> str:
    n = paired.n if paired.clusters is None else paired.n_clusters
    units = "n" if paired.clusters is None else f"number of {_units(paired)}"
    return f"skewness {fixed(skewness(paired), 2)}, {units} = {n:,}"


def _differences(paired: PairedScores) -> str:
    return "differences" if paired.clusters is None else f"sums of differences of the {_units(paired)}"


def _units(paired: PairedScores) -> str:
    return f"{paired.unit if paired.clusters is None else paired.cluster_noun}s"


def _more(paired: PairedScores) -> str:
    return f"collect more {_units(paired)}; {_DOUBT}"
