"""Serial dependence: what the order of instance ids says about undeclared clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import fixed
from reportkit.scores.codes import LISTED, natural_key, sorted_positions
from reportkit.scores.scores import Scores
from reportkit.significance.cautions import caution

FEWEST = 20
"""Of fewer instances, a finding speaks of n alone."""

LIMIT = 3.0
"""Standard errors from which one pair is warned of; of several on a dataset, Bonferroni's correction of that."""

BLOCK = 10
"""Neighbours whose sums give the design effect; a fifth of the instances, where these are fewer than fifty."""

_DIFFERENCES = 1 << 17  # held at once, so that they stay in the cache
_NO_DIFFERENCE = 1e-12
"""Deviations below this part of the largest score are the noise of floating-point arithmetic."""

Floats = NDArray[np.float64]


def serial_dependence(block: Scores, claims: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Floats]:
    """Measure how much the differences of neighbouring instances resemble each other, in the order of their ids.

    With e_i the difference of two systems on instance i minus the mean difference, z = sum e_i e_{i+1} over the root of
    sum e_i^2 e_{i+1}^2, its variance if all signs are independent and fair; r = sum e_i e_{i+1} / sum e_i^2; and the
    design effect is the mean square of sums of `BLOCK` neighbours, over that of as many independent instances.

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
