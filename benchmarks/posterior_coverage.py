"""Coverage of posteriors, by simulation with a known true difference.

`python benchmarks/posterior_coverage.py` prints the table of docs/methods.md: 2,000 samples of each design and size;
how often the central 95% of the posterior of the default model holds the true difference.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable

import numpy as np

from reportkit.bayes.models import model_of
from reportkit.scores.sample import Sample

SEED = 20_261_128
REPLICATES = 2_000
SIZES = (10, 30, 100)
TAIL = 0.025
BOLD_BELOW = 0.93
Sampler = Callable[[np.random.Generator, int], Sample]


def _sample(a: np.ndarray, b: np.ndarray, kind: str, shape: str = "paired") -> Sample:
    names = {"system_a": "a", "system_b": "b", "dataset": "d", "metric": "score"}
    return Sample(shape=shape, **names, kind=kind, a=a.astype(float), b=b.astype(float))


def _same_answers(rng: np.random.Generator, n: int) -> Sample:
    u, both = rng.random(n), rng.random(n) < 0.7
    return _sample(np.where(u < 0.2, u < 0.15, both), np.where(u < 0.2, u >= 0.15, both), "binary")


def _ratings(rng: np.random.Generator, n: int) -> Sample:
    base = rng.integers(2, 5, n)
    return _sample(base + rng.choice([-1, 0, 1], n, p=[0.2, 0.4, 0.4]), base, "ordinal")


DESIGNS: dict[str, tuple[Sampler, float]] = {
    "right or wrong, same instances": (_same_answers, 0.1),
    "right or wrong, different instances": (
        lambda rng, n: _sample(rng.random(n) < 0.8, rng.random(n) < 0.7, "binary", "unpaired"),
        0.1,
    ),
    "ratings, same instances": (_ratings, 0.2),
    "means, normal": (lambda rng, n: _sample(rng.normal(0.2, 1.0, n), np.zeros(n), "continuous"), 0.2),
    "means, skewed (exponential)": (lambda rng, n: _sample(rng.exponential(size=n), np.zeros(n), "continuous"), 1.0),
    "means, different instances": (
        lambda rng, n: _sample(rng.normal(0.2, 2.0, n), rng.normal(0.0, 1.0, n), "continuous", "unpaired"),
        0.2,
    ),
}
"""Design to a sampler and the true difference."""


def coverage(design: str, n: int, replicates: int = REPLICATES) -> float:
    """Return the share of samples in which the central 95% of the posterior holds the truth."""
    sampler, truth = DESIGNS[design]
    rng = np.random.default_rng([SEED, n, zlib.crc32(design.encode())])
    known: dict[bytes, bool] = {}
    held = 0
    for _ in range(replicates):
        sample = sampler(rng, n)
        ordered = np.sort(sample.a).tobytes() + np.sort(sample.b).tobytes() + np.sort(sample.a - sample.b).tobytes()
        if ordered not in known:
            posterior = model_of(sample).posterior
            known[ordered] = min(posterior.below(truth), posterior.above(truth)) >= TAIL
        held += known[ordered]
    return held / replicates


def main() -> None:
    """Print the table in Markdown, of all designs or of those named: coverage in percent, bold below 93."""
    print("| scores | " + " | ".join(f"n = {n}" for n in SIZES) + " |\n|---|" + "---|" * len(SIZES))
    for design in sys.argv[1:] or DESIGNS:
        shares = [coverage(design, n) for n in SIZES]
        cells = [f"**{100 * share:.1f}**" if share < BOLD_BELOW else f"{100 * share:.1f}" for share in shares]
        print(f"| {design} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
