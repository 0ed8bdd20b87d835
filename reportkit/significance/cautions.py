"""Cautions about a test on one dataset: their words, from `cautions.toml`, sizes, and neighbours that are alike."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from reportkit.finding import Finding, Severity
from reportkit.language import fixed, level_text, listed, percent_text
from reportkit.scores.codes import LISTED, natural_key, sorted_positions
from reportkit.scores.scores import Scores
from reportkit.significance.outcome import Outcome


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


SIZE_ERROR = 0.110
"""Size error of a one-sided test at .05 by |skewness| / sqrt(n): (2 z^2 + 1) phi(z) / 6 at z = 1.645."""

TOLERATED_SIZE_ERROR = 0.01


def edgeworth_error(alpha: float) -> float:
    """Return the size error of a one-sided test of a mean, per unit of its skewness: (2 z^2 + 1) phi(z) / 6.

    Examples
    --------
    >>> [round(edgeworth_error(alpha), 3) for alpha in (0.05, 0.01, 0.001)]
    [0.11, 0.053, 0.011]
    """
    if alpha == 0.05:
        return SIZE_ERROR
    z = float(ndtri(1 - alpha))
    return (2 * z * z + 1) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / 6


LEVEL = 0.05
"""The level at which a size is always said."""


def levels_used(outcome: Outcome, thresholds: Sequence[float]) -> tuple[float, ...]:
    """Return .05, and the smallest level that the p-values are compared with and can reach.

    Parameters
    ----------
    outcome : Outcome
        Of the test.
    thresholds : sequence of float
        Of Holm's procedure and of k-hat, in falling order; see `ResamplingPlan`.
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


def size_at(level: float, simulated: Mapping[float, float]) -> float:
    """Interpolate the size at a level between simulated ones.

    Parameters
    ----------
    level : float
        In (0, 1).
    simulated : mapping of float to float
        Sizes by level. Between levels the logarithm of the size is linear in that of the level; outside, the size is in
        the same proportion to the level as at the nearest one.

    Examples
    --------
    >>> round(size_at(0.01, {0.05: 0.08, 0.002: 0.02}), 3), round(size_at(0.001, {0.05: 0.08, 0.002: 0.02}), 3)
    (0.04, 0.01)
    """
    levels = sorted(simulated)
    nearest = min(max(level, levels[0]), levels[-1])
    logs = [math.log(simulated[known]) for known in levels]
    size = math.exp(float(np.interp(math.log(nearest), [math.log(known) for known in levels], logs)))
    return min(1.0, size * level / nearest)


def rounded_percent(size: float) -> str:
    """Write a share in percent, with two significant digits."""
    return percent_text(float(f"{size:.2g}"))


FEWEST = 20
"""With fewer instances, a finding speaks of n alone."""

LIMIT = 3.0
"""A pair is warned of from so many standard errors; for several pairs on a dataset, after Bonferroni's correction."""

BLOCK = 10
"""Neighbours that are summed for the design effect; a fifth of the instances, where that is less."""

_DIFFERENCES = 1 << 17  # held at once, so that they stay in the cache
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
        declared, there are no scores of single instances, fewer than `FEWEST` instances, or ids without order.

    Notes
    -----
    Null hypothesis: instances are independent. A missing score is passed over.
    """
    scores = block.averaged()
    if scores.shape != "paired" or scores.unit != "instance" or scores.n_instances < FEWEST:
        return {}
    if scores.units(np.ones(scores.instances.size, np.bool_))[0] is not None:
        return {}
    if (order := in_order(scores.instance_names.tolist())) is None:
        return {}
    pairs = sorted({(min(claim), max(claim)) for claim in claims})
    position = {system: row for row, system in enumerate(scores.systems)}
    largest = float(np.nan_to_num(np.abs(scores.scores)).max()) or 1.0
    values = scores.scores[:, order] / largest
    found: dict[tuple[str, str], Floats] = {}
    at_once = max(1, _DIFFERENCES // scores.n_instances)
    for start in range(0, len(pairs), at_once):
        some = pairs[start : start + at_once]
        a, b = ([position[pair[side]] for pair in some] for side in (0, 1))
        found |= zip(some, _of_differences(values[a] - values[b]), strict=True)
    return found


def _of_differences(d: Floats) -> Floats:
    """Return z, r and design effect of each row; the latter two only where z is above `LIMIT`, else 0 and 1."""
    missing = np.isnan(d)
    n = d.shape[1] - missing.sum(axis=1, keepdims=True)
    e = d - d.sum(axis=1, keepdims=True, where=~missing) / np.maximum(n, 1)
    e[missing] = 0.0
    e[np.abs(e).max(axis=1) <= _NO_DIFFERENCE] = 0.0
    products = e[:, :-1] * e[:, 1:]
    total, spread = products.sum(axis=1), np.sqrt(np.einsum("ij,ij->i", products, products))
    found = np.tile((0.0, 0.0, 1.0), (len(d), 1))
    np.divide(total, spread, out=found[:, 0], where=spread > 0)
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
    texts = [*map(str, names)]
    if all(map(str.isdecimal, texts)):
        return sorted_positions(texts)
    if len({re.sub(r"\d+", "0", name) for name in texts}) > len(texts) / 2:
        return None
    return np.array(sorted(range(len(texts)), key=lambda place: natural_key(texts[place])), dtype=np.intp)


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
