"""Simulate how often a count of datasets, or a name, is false: `python benchmarks/validation/counts.py` (2 minutes).

One-sided z-tests on N datasets, some of them with an effect; the statistics are independent, equally correlated, or
correlated with both signs. Both tables are in docs/methods.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import false_discovery_control

import reportkit
from reportkit.replicability.multiple_testing.partial_conjunction import closed_p_values

SEED = 20_261_124
FAMILIES = 20_000
ALPHA = 0.05
EFFECT = 3.0
"""In standard errors."""

Floats = NDArray[np.float64]
METHODS: Mapping[str, Callable[[Floats], NDArray[np.int64]]] = {
    "p < .05": lambda p: reportkit.k_hat(p, ALPHA, "count"),
    "Benjamini–Hochberg": lambda p: (false_discovery_control(p, axis=1) <= ALPHA).sum(axis=1),
    "k̂, Bonferroni (default)": lambda p: reportkit.k_hat(p, ALPHA),
    "k̂, Fisher–Bonferroni (independence declared)": lambda p: reportkit.k_hat(p, ALPHA, "fisher-bonferroni"),
    "k̂, Fisher": lambda p: reportkit.k_hat(p, ALPHA, "fisher"),
}
JOINT: Mapping[str, tuple[str, Callable[[Floats], Floats]]] = {
    "Holm (default)": ("bonferroni", reportkit.holm),
    "Fisher–Bonferroni, closed (independence declared)": ("fisher-bonferroni", closed_p_values),
}
"""Count and adjusted p-values of one procedure."""


def p_values(n: int, effects: int, r: float, *, both_signs: bool = False) -> Floats:
    """Draw families of p-values, of shape (families, n), those of effects first."""
    rng = np.random.default_rng([SEED, n, effects, round(100 * r), both_signs])
    signs = (-1.0) ** np.arange(n) if both_signs else np.ones(n)
    common, own = rng.standard_normal((FAMILIES, 1)), rng.standard_normal((FAMILIES, n))
    z = math.sqrt(r) * common * signs + math.sqrt(1 - r) * own
    z[:, :effects] += EFFECT
    return np.clip(ndtr(-z), 1e-300, 1)


def counts() -> Iterator[str]:
    """Yield how often counts exceed the truth, at their worst, and the mean count of 10 effects in 20 datasets."""
    forms = {"independent": [(0.0, False)], "equal": [(r, False) for r in (0.1, 0.3, 0.6, 0.95)]}
    forms["both signs"] = [(r, True) for r in (0.5, 0.9)]
    worst = {method: dict.fromkeys(forms, 0.0) for method in METHODS}
    for n in (2, 5, 10, 20, 80):
        for effects in sorted({0, n // 2, n - 1}):
            for form, several in forms.items():
                for r, both_signs in several:
                    p = p_values(n, effects, r, both_signs=both_signs)
                    for method, count in METHODS.items():
                        worst[method][form] = max(worst[method][form], float((count(p) > effects).mean()))
    p = p_values(20, 10, 0.0)
    for method, count in METHODS.items():
        shares = " | ".join(f"{share:.3f}".removeprefix("0") for share in worst[method].values())
        yield f"| {method} | {shares} | {count(p).mean():.1f} |"


def joint_statements() -> Iterator[str]:
    """Yield how often a count or a name is false where all systems are equal, by the number of datasets."""
    for procedure, (method, adjusted) in JOINT.items():
        for r in (0.0, 0.1, 0.3, 0.9):
            shares = []
            for n in (2, 5, 10, 20, 50):
                p = p_values(n, 0, r)
                false = (reportkit.k_hat(p, ALPHA, method) > 0) | (adjusted(p) <= ALPHA).any(axis=1)
                shares.append(f"{false.mean():.3f}".removeprefix("0"))
            yield f"| {procedure} | {r:g} | {' | '.join(shares)} |"


if __name__ == "__main__":
    print("\n".join([*counts(), "", *joint_statements()]))
