"""All pairs of 60 systems on 2,000 instances, exact bootstrap: against loops over pairs with SciPy and sacreBLEU.

The peers are measured on a few pairs with fewer resamples, and multiplied: by pairs, and up to b = 1,000,000.

    python benchmarks/calibration.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from exact import sacrebleu_test
from machine import save
from scipy import stats

from reportkit.calibration import compared_pairs, gain_thresholds
from reportkit.scores.shapes.paired_scores import DatasetScores

SYSTEMS, INSTANCES, B = 60, 2_000, 1_000_000
PEER_B = {"scipy.stats.bootstrap": 2_000, "scipy.stats.permutation_test": 2_000, "sacreBLEU": 10_000}
SEEN = 2


def scores_of(kind: str) -> np.ndarray:
    """Scores of 60 systems, a little better from one to the next."""
    rng = np.random.default_rng(0)
    ease = rng.normal(size=INSTANCES)
    latent = np.linspace(0, 0.3, SYSTEMS)[:, None] + ease + 0.8 * rng.normal(size=(SYSTEMS, INSTANCES))
    return (latent > 0).astype(float) if kind == "binary" else np.round(latent, 4)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def ours(scores: np.ndarray, kind: str) -> dict[str, float]:
    """All pairs, and the threshold of the gain."""
    block = DatasetScores(
        dataset="simulated",
        metric="score",
        systems=tuple(f"s{index:02}" for index in range(SYSTEMS)),
        instances=np.arange(INSTANCES).astype(object),
        kind=kind,
        scores=scores,
    )
    found = []
    clock, processor = timed(lambda: found.append(gain_thresholds(compared_pairs(block, test="paired-bootstrap"))))
    threshold = found[0][0]
    return {"clock": clock, "processor": processor, "pairs": threshold.n_pairs, "in window": threshold.n_in_window}


def scipy_bootstrap(a: np.ndarray, b: np.ndarray) -> None:
    """Percentile bootstrap of the mean difference."""
    stats.bootstrap(
        (a - b,), np.mean, n_resamples=PEER_B["scipy.stats.bootstrap"], vectorized=True, method="percentile", rng=0
    )


def scipy_permutation(a: np.ndarray, b: np.ndarray) -> None:
    """Sign flips of the mean difference."""
    stats.permutation_test(
        (a - b,),
        np.mean,
        permutation_type="samples",
        n_resamples=PEER_B["scipy.stats.permutation_test"],
        vectorized=True,
        rng=0,
    )


def sacrebleu_bootstrap(a: np.ndarray, b: np.ndarray) -> None:
    """Paired bootstrap of sacreBLEU, handed a metric that is a mean."""
    sacrebleu_test("bootstrap", a - b, PEER_B["sacreBLEU"])


def main() -> None:
    """Measure, print, write."""
    measured: dict[str, object] = {}
    n_pairs = SYSTEMS * (SYSTEMS - 1) // 2
    for kind in ("continuous", "binary"):
        scores = scores_of(kind)
        mine = min((ours(scores, kind) for _ in range(3)), key=lambda found: found["processor"])
        measured[kind] = {"reportkit": mine}
        print(f"{kind}: reportkit {mine['clock']:.2f} s by the clock, {mine['processor']:.2f} s of the processor")
        peers = {
            "scipy.stats.bootstrap": scipy_bootstrap,
            "scipy.stats.permutation_test": scipy_permutation,
            "sacreBLEU": sacrebleu_bootstrap,
        }
        for name, work in peers.items():
            try:
                spent = [timed(lambda w=work, a=scores[k], b=scores[k + 30]: w(a, b))[1] for k in range(SEEN)]
            except ImportError:
                print(f"  {name}: not installed")
                continue
            one = float(np.median(spent))
            whole = one * n_pairs * B / PEER_B[name]
            ratio = whole / mine["processor"]
            measured[kind][name] = {"one pair": one, "b": PEER_B[name], "all pairs, b = 1e6": whole, "ratio": ratio}
            each = f"{one:.3f} s a pair at b = {PEER_B[name]:,}"
            print(f"  {name}: {each}; {whole / 3600:,.1f} h in all, {ratio:,.0f} times")
    save("calibration", measured)


if __name__ == "__main__":
    main()
