"""Cautions about a test on one dataset: their words, from `cautions.toml`, sizes, and neighbours that are alike."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from reportkit.finding import Finding, Severity
from reportkit.language import fixed, level_text, listed, percent_text
from reportkit.scores.codes import LISTED, natural_key
from reportkit.scores.designs import Units
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores
from reportkit.significance.entry import IfSkewed
from reportkit.significance.outcome import Outcome

if TYPE_CHECKING:
    from reportkit.significance.choose import Differences


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def caution(
    key: str, where: str, *, severity: Severity | None = None, advise: bool = True, **values: object
) -> Finding:
    """Return a finding in the words of `cautions.toml`.

    Parameters
    ----------
    key : str
        Code of the finding, with "/" and the variant if there are several.
    where : str
        Place that the finding is about.
    severity : {"error", "warning", "info"}, optional
        If it is not that of the file.
    advise : bool
        Whether to add the remedy.
    values : object
        Values for the names in braces.

    Examples
    --------
    >>> caution("no-interval", "a vs. b on cb", test="sign test", why="there are 3 instances").message
    'There is no interval with the sign test: there are 3 instances.'
    """
    words = _words()[key]
    remedy = words.get("remedy", "").format(**values) if advise else ""
    return Finding(
        key.partition("/")[0], severity or words["severity"], words["message"].format(**values), where, remedy
    )


LEVEL = 0.05
"""The level at which a size is always said."""


def levels_used(outcome: Outcome, thresholds: Sequence[float]) -> tuple[float, ...]:
    """Return .05, and the smallest level that the p-values are compared with and can reach.

    Parameters
    ----------
    outcome : Outcome
        Outcome of the test.
    thresholds : sequence of float
        Thresholds of Holm's procedure and of k-hat, in falling order; see `ResamplingPlan`.
    """
    smallest = thresholds[-1] if thresholds else LEVEL
    return (LEVEL, smallest) if outcome.p_min <= smallest < LEVEL else (LEVEL,)


def sizes_text(sizes: Sequence[tuple[float, float]]) -> str:
    """Return the sizes at levels, as a clause.

    Parameters
    ----------
    sizes : sequence of (level, size)
        At `LEVEL` first.

    Examples
    --------
    >>> print(sizes_text([(0.05, 0.09)]))
    9% of the time at level .05
    >>> print(sizes_text([(0.05, 0.09), (0.0125, 0.0225)]))
    9% of the time at level .05, and 2.2% at .0125, the smallest level used here
    """
    (first, size), *others = sizes
    text = f"{rounded_percent(size)} of the time at level {level_text(first)}"
    for level, size in others:
        text += f", and {rounded_percent(size)} at {level_text(float(f'{level:.3g}'))}, the smallest level used here"
    return text


def rounded_percent(size: float) -> str:
    """Write a share in percent, with two significant digits."""
    return percent_text(float(f"{size:.2g}"))


FEWEST_NONZERO = 20
"""With fewer differing units the bootstrap-t is worse than a sign flip: resamples of so few say little.

Simulated one-sided size at .05 for n = 100 instances; about m differ, by +1 or -1 with the same probability:
bootstrap-t .099 (m = 5), .058 (m = 10), .060 (m = 20); sign-flip .013, .017, .033. For differences that are 1 minus an
exponential variable: bootstrap-t .238, .188, .108 and, for m = 50, .069; sign-flip .074, .143, .108 and .081.
"""


ENOUGH_NONZERO = 50
"""With fewer differing units a sample hardly shows their shape, and the bootstrap-t can exceed its level."""

FAINT = 0.1
"""Losses that add up to less than this part of the gains do not show how large a loss can be."""


SHARE_UNSEEN = 3
"""Divided by n, the largest share of units of a kind that may be missing from n units (the rule of three)."""


SMALL_SAMPLE = 20
"""With fewer instances, a finding speaks of n alone: neither power nor the shape of the differences can be trusted."""


def size_where_skewed(n_nonzero: int, alpha: float) -> float:
    """Return the size that the default test of a mean can reach at a level where differences are strongly skewed.

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
    paired: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float], shape: Differences | None
) -> Iterator[Finding]:
    """Warn where the shape of the differences spoils a test of a claim about their mean.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    outcome : Outcome
        What the test found.
    if_skewed : str
        What skewness does to the test; see `SignificanceTest`.
    thresholds : sequence of float
        Levels that p-values are compared with. Findings give sizes at .05 and at the smallest of them.
    shape : Differences or None
        Shape of the differences; None where the default test is not one of their mean.

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
    section 2.4. If something was not seen among n units, its share is at most about 3 / n, at 95% confidence:
    Hanley and Lippman-Hand (1983), "If nothing goes wrong, is everything all right?".

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.significance.entry import ResamplingPlan
    >>> from reportkit.significance.choose import shape_of
    >>> from reportkit.significance.tests.paired_means import paired_t
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.append(np.zeros(6), np.linspace(1.2, 1.3, 54)), b=np.repeat([1.0, 1.1], [6, 54]))
    >>> outcome = paired_t(paired, ResamplingPlan())
    >>> for finding in shape_findings(paired, outcome, "off level", (0.05, 0.005), shape_of(paired)):
    ...     print(finding.message)
    The differences are skewed (skewness −2.63, n = 60), and the paired t-test does not allow for it: if the means were
    equal, it would still find 'a' better about 8.7% of the time at level .05, and 1.7% at .005, the smallest level used
    here.
    """
    if if_skewed == "nothing" or shape is None:
        return
    where = paired.label
    if if_skewed == "other claim":
        yield caution("rank-test-of-mean", where, test=outcome.title)
        return
    noun = f"{paired.unit if paired.clusters is None else paired.cluster_noun}s"
    small = paired.unit == "instance" and paired.n < SMALL_SAMPLE
    levels = levels_used(outcome, thresholds)
    if (shape.n_nonzero >= FEWEST_NONZERO or small) and shape.matters and (shape.is_shown or shape.has_outliers):
        yield _skewed(paired, shape, outcome, if_skewed, levels, noun)
    elif shape.n_nonzero < ENOUGH_NONZERO and not small:
        one_sided = not shape.units.sums.min() < 0 < shape.units.sums.max()
        doubtful = shape.n < SMALL_SAMPLE or 2 * shape.n_nonzero < shape.n or one_sided
        yield caution(
            "skewness-unseen",
            where,
            severity="warning" if doubtful else "info",
            advise=doubtful,
            units=noun,
            n=shape.n_nonzero,
            for_instance=_for_instance(shape.n_nonzero, levels if doubtful else (LEVEL,)),
        )
    if paired.unit == "instance":
        yield from _one_sided(paired, shape.units, noun)


def small_sample(
    sample: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float], shape: Differences | None
) -> Finding:
    """Warn of few instances: of low power, and of a test of a mean whose size skewness could spoil."""
    where = f"{sample.label} (n = {sample.n})"
    if shape is not None and if_skewed in ("off level", "allowed for"):
        said = _for_instance(shape.n_nonzero, levels_used(outcome, thresholds))
        return caution("small-sample/skewness", where, limit=SMALL_SAMPLE, for_instance=said)
    return caution("small-sample", where, limit=SMALL_SAMPLE)


def _for_instance(n_nonzero: int, levels: Sequence[float]) -> str:
    """Return one simulated size, with its design, as a clause."""
    sizes = [(alpha, size_where_skewed(n_nonzero, alpha)) for alpha in levels]
    return (
        "for instance, where differences are a constant minus a lognormal variable, a system that is not better is "
        f"called so about {sizes_text(sizes)}"
    )


def _skewed(
    paired: Sample, shape: Differences, outcome: Outcome, if_skewed: IfSkewed, levels: Sequence[float], noun: str
) -> Finding:
    alone = paired.clusters is None
    size = "n" if alone else f"number of {noun}"
    values: dict[str, Any] = {
        "differences": "differences" if alone else f"sums of differences of the {noun}",
        "figures": f"skewness {fixed(shape.skewness, 2)}, {size} = {shape.n:,}",
        "test": outcome.title,
        "favoured": paired.system_a if shape.skewness < 0 else paired.system_b,
        "sizes": sizes_text([(alpha, min(1.0, alpha + shape.size_error(alpha))) for alpha in levels]),
        "for_instance": _for_instance(shape.n_nonzero, levels),
        "units": noun,
        "bootstrap": "choose the test 'bootstrap-t'; " if paired.unit == "instance" else "",
    }
    key = "skewed-differences" if shape.is_shown else "large-differences"
    if if_skewed == "allowed for":
        key += "/strained" if shape.is_shown and shape.is_strained else "/allowed for"
    return caution(key, paired.label, **values)


def _one_sided(paired: Sample, units: Units, noun: str) -> Iterator[Finding]:
    """Say how large unseen losses would have to be to cancel the mean, if hardly any were seen."""
    nonzero = units.sums[units.sums != 0]
    fainter, stronger = sorted((float(nonzero[nonzero > 0].sum()), -float(nonzero[nonzero < 0].sum())))
    if units.n <= SHARE_UNSEEN or not fainter < FAINT * stronger:
        return
    needed = abs(units.mean) * units.n / SHARE_UNSEEN
    scores = (float(paired.a.min()), float(paired.b.min())), (float(paired.a.max()), float(paired.b.max()))
    alike = float(nonzero.max() - nonzero.min()) <= 1e-12 * float(abs(nonzero).max())
    without_variance = alike and nonzero.size == units.n
    if not without_variance and needed > max(max(scores[1]) - min(scores[0]), float(abs(paired.differences).max())):
        return
    favoured, other = paired.system_a, paired.system_b
    if paired.value_difference < 0:
        favoured, other = other, favoured
    every = "All" if nonzero.size == units.n else f"All {nonzero.size:,} differing"
    seen = f"{every} {noun} favour {favoured!r}{', all by the same amount' if alike else ''}."
    if fainter > 0:
        part = rounded_percent(fainter / stronger)
        seen = f"The losses of {favoured!r} on some {noun} are only {part} of its gains on others."
    yield caution(
        "one-sided-differences",
        paired.label,
        seen=seen,
        n=units.n,
        share=rounded_percent(SHARE_UNSEEN / units.n),
        units=noun,
        needed=needed,
        favoured=favoured,
        other=other,
    )


LIMIT = 3.0
"""Standard errors beyond which there is a warning; for several pairs on a dataset, corrected by Bonferroni."""

BLOCK = 10
"""Neighbours that are summed for the design effect; a fifth of the instances, where that is less."""

_DIFFERENCES = 1 << 15  # held at once, so that they stay in the cache
_NO_DIFFERENCE = 1e-12
"""Deviations below this part of the largest score are the noise of floating-point arithmetic."""

Floats = NDArray[np.float64]


def serial_dependence(block: Scores, claims: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Floats]:
    """Measure how much the differences of neighbouring instances resemble each other, in the order of their ids.

    With e_i the difference of two systems on instance i minus the mean difference, z = sum e_i e_{i+1} over the root of
    sum e_i^2 e_{i+1}^2, its variance if all signs are independent and fair; r = sum e_i e_{i+1} / sum e_i^2; and the
    design effect is the mean square of sums of `BLOCK` neighbours, over that of `BLOCK` independent instances.

    Parameters
    ----------
    block : Scores
        One dataset.
    claims : sequence of (str, str)
        Pairs of its systems.

    Returns
    -------
    dict
        z, r and design effect of each pair, once for both directions. Empty where nothing can be seen: clusters were
        declared, there are no scores of single instances, fewer than `SMALL_SAMPLE` instances, or ids without order.

    Notes
    -----
    Null hypothesis: instances are independent. A missing score is passed over.
    """
    scores = block.averaged()
    if scores.shape != "paired" or scores.unit != "instance" or scores.n_instances < SMALL_SAMPLE:
        return {}
    if scores.units(np.ones(scores.instances.size, np.bool_))[0] is not None:
        return {}
    if (order := in_order(scores.instance_names.tolist())) is None:
        return {}
    pairs = sorted({(min(claim), max(claim)) for claim in claims})
    position = {system: row for row, system in enumerate(scores.systems)}
    largest = float(np.fmax.reduce(np.abs(scores.scores), axis=None, initial=0.0)) or 1.0
    values = (scores.scores if (np.diff(order) > 0).all() else scores.scores[:, order]) / largest
    found: dict[tuple[str, str], Floats] = {}
    at_once = max(1, _DIFFERENCES // scores.n_instances)
    for start in range(0, len(pairs), at_once):
        some = pairs[start : start + at_once]
        a, b = ([position[pair[side]] for pair in some] for side in (0, 1))
        found |= zip(some, _of_differences(values[a] - values[b]), strict=True)
    return found


def _of_differences(d: Floats) -> Floats:
    """Return z, r and design effect of each row; the latter two only where z is above `LIMIT`, else 0 and 1."""
    e = d - d.mean(axis=1, keepdims=True)
    if np.isnan(e[:, 0]).any():
        known = ~np.isnan(d)
        e = d - d.sum(axis=1, keepdims=True, where=known) / np.maximum(known.sum(axis=1, keepdims=True), 1)
        e[~known] = 0.0
    products = e[:, :-1] * e[:, 1:]
    total, spread = products.sum(axis=1), np.sqrt(np.einsum("ij,ij->i", products, products))
    found = np.tile((0.0, 0.0, 1.0), (len(d), 1))
    np.divide(total, spread, out=found[:, 0], where=spread > _NO_DIFFERENCE**2 * math.sqrt(d.shape[1]))
    length = min(BLOCK, d.shape[1] // 5)
    for row in np.flatnonzero(found[:, 0] > LIMIT):
        sums = np.convolve(e[row], np.ones(length), "valid")
        square = float(np.square(e[row]).mean())
        found[row, 1:] = total[row] / (square * d.shape[1]), float(np.square(sums).mean()) / (square * length)
    return found


def in_order(names: Sequence[str]) -> NDArray[np.intp] | None:
    """Return the positions that sort ids by the numbers in them; None where they are names or hashes without order.

    Examples
    --------
    >>> in_order(["doc1-10", "doc1-9", "doc2-1", "doc1-2"]).tolist(), in_order(["love", "sex", "tiger"])
    ([3, 1, 0, 2], None)
    """
    if "".join(names).isdecimal() and max(map(len, names), default=0) < 1_000:
        return np.argsort([*map(int, names)], kind="stable")
    if len({re.sub(r"\d+", "0", name) for name in names}) > len(names) / 2:
        return None
    return np.array(sorted(range(len(names)), key=lambda place: natural_key(names[place])), dtype=np.intp)


def serial_findings(looked: Sequence[tuple[str, Mapping[tuple[str, str], Floats]]]) -> Iterator[Finding]:
    """Warn of datasets on which neighbouring instances depend on each other more than chance explains.

    Parameters
    ----------
    looked : sequence of (str, mapping of (str, str) to ndarray of shape (3,))
        Of each dataset, its name, and z, r and design effect of each pair of systems; see `serial_dependence`.
    """
    clearest: dict[tuple[str, str, str], Floats] = {}
    above = total = 0
    for dataset, pairs in looked:
        pair = max(sorted(pairs), key=lambda both: pairs[both][0], default=None)
        if pair is not None and pairs[pair][0] > max(LIMIT, -float(ndtri(ndtr(-LIMIT) / len(pairs)))):
            clearest[dataset, *pair] = pairs[pair]
            above, total = above + sum(z > LIMIT for z, *_ in pairs.values()), total + len(pairs)
    if not clearest:
        return
    dataset, a, b = max(clearest, key=lambda place: clearest[place][0])
    z, r, effect = clearest[dataset, a, b].tolist()
    where = [*dict.fromkeys(repr(name) for name, *_ in clearest)]
    on = f" on {dataset!r}" if len(looked) > 1 else ""
    others = f" z is above 3 for {above:,} of {total:,} comparisons there." if total > 1 else ""
    yield caution(
        "serial-dependence",
        listed(where[:LISTED], total=len(where)),
        a=a,
        b=b,
        on=on,
        r=fixed(r, 2),
        z=fixed(z, 1),
        others=others,
        effect=fixed(max(effect, 1.0), 1),
    )
