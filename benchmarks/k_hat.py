"""k-hat over a simulation: all methods on 10,000 x 1,000 p-values, against a loop over the vectors.

Run `python benchmarks/k_hat.py`. Both sides compute the same numbers, which is checked on the subset that the loop
does. The loop is the obvious way to write it: for each vector, one p-value for each u, from its N - u + 1 p-values
afresh, then the running maximum and the count. Its time is extrapolated from a few vectors.
"""

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
from scipy import special

from reportkit.replicability import COMBINATIONS, NAIVE_COUNT, k_hat, rejection_level

ALPHA = 0.05


def simes(p_values: list[float]) -> float:
    """Simes' test of ascending p-values."""
    return min(len(p_values) * p / i for i, p in enumerate(p_values, start=1))


GLOBAL_NULL: dict[str, Callable[[list[float]], float]] = {
    "bonferroni": lambda p: len(p) * p[0],
    "fisher": lambda p: float(special.chdtrc(2 * len(p), -2 * sum(map(math.log, p)))),
    "simes": simes,
    "stouffer": lambda p: float(special.ndtr(sum(special.ndtri(p)) / math.sqrt(len(p)))),
}


def loop(p_values: list[float], method: str) -> int:
    """k-hat of one vector, one p-value after the other."""
    level = rejection_level(ALPHA)
    if method == NAIVE_COUNT:
        return sum(p <= level for p in p_values)
    ordered = sorted(p_values)
    largest = 0.0
    count = 0
    for u in range(len(ordered)):
        largest = max(largest, GLOBAL_NULL[method](ordered[u:]))
        count += largest <= level
    return count


def seconds(work: Callable[[], object]) -> float:
    """Duration of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Print one line per method and the total."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=10_000)
    parser.add_argument("--datasets", type=int, default=1_000)
    parser.add_argument("--subset", type=int, default=2, help="vectors that the loop does; its time is extrapolated")
    arguments = parser.parse_args()
    shape = (arguments.repetitions, arguments.datasets)
    uniform = 1 - np.random.default_rng(0).random(shape)
    for title, p_values in (("all null hypotheses true", uniform), ("effects everywhere (p = U^6)", uniform**6)):
        print(f"{shape[0]:,} x {shape[1]:,} p-values, {title}, alpha = {ALPHA}")
        print(f"{'method':>12} {'k_hat (s)':>10} {'loop (s, extrapolated)':>23} {'ratio':>9}")
        total = 0.0
        for method in (NAIVE_COUNT, *COMBINATIONS):
            ours = seconds(lambda p_values=p_values, method=method: k_hat(p_values, ALPHA, method))
            total += ours
            print(f"{method:>12} {ours:>10.3f} {compared(p_values[: arguments.subset], method, shape[0], ours)}")
        print(f"{'all':>12} {total:>10.3f}\n")


def compared(subset: np.ndarray, method: str, repetitions: int, ours: float) -> str:
    """Extrapolated time of the loop and its ratio to ours; the truncated product has no simple loop to compare with."""
    if method != NAIVE_COUNT and method not in GLOBAL_NULL:
        return f"{'-':>23} {'-':>9}"
    vectors = subset.tolist()
    numbers: list[int] = []
    one = seconds(lambda: numbers.extend(loop(vector, method) for vector in vectors)) / len(vectors)
    assert numbers == k_hat(subset, ALPHA, method).tolist(), method
    theirs = one * repetitions
    return f"{theirs:>23,.1f} {theirs / ours:>9,.0f}"


if __name__ == "__main__":
    main()
