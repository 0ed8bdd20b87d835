"""Size and power of `reportkit build --require`, by simulation: `python benchmarks/gate.py [draws]`.

Paired right-or-wrong scores, 300 instances on each dataset, errors correlated as between two similar models (they
disagree on a tenth of the instances where both are equal). A dataset is decided by how many instances only one system
has right, so each pair of these counts is tested once, and the draws look it up; the first draws of each case are also
decided by the gate itself. Printed: how often each requirement is met.
"""

import sys

import numpy as np
import pandas as pd

import reportkit
from reportkit.cli.gate import Requirement, decide

N, DISAGREE, ALPHA, CHECKED, TOGETHER = 300, 0.1, 0.05, 2, 100
CASES = {  # requirement: (gain on each dataset, what should happen)
    "better": [((0, 0, 0), "false: at most 5%"), ((0.05, 0, 0), "true"), ((0.05, 0.05, 0.05), "true")],
    "not worse by 2": [((-0.02, 0.08, 0.08), "false: at most 5%"), ((0, 0, 0), "true"), ((0.02, 0.02, 0.02), "true")],
    "not worse by 5": [((-0.05, 0.08, 0.08), "false: at most 5%"), ((0, 0, 0), "true")],
    "no dataset worse": [((0, 0, 0), "true: at least 95%"), ((-0.05, 0, 0), "false"), ((-0.1, 0, 0), "false")],
}


def frame_of(counts):
    """Return scores of both systems on datasets with these counts of (only new right, only old right)."""
    new, old = np.zeros((2, len(counts), N), int)
    for row, (wins, losses) in enumerate(counts):
        new[row, :wins] = old[row, wins : wins + losses] = 1
    names = [f"d{row:05}" for row in range(len(counts))]
    index = pd.MultiIndex.from_product([["new", "old"], names, range(N)], names=["system", "dataset", "instance"])
    return pd.Series(np.concatenate([new.ravel(), old.ravel()]), index=index, name="score").reset_index()


def known(counts):
    """Return for each pair of counts p-values of better and of worse, and the lower end of the 90% interval."""
    frame = frame_of(counts)
    claim = reportkit.compare(frame, "new", "old")
    worse = reportkit.compare(frame, "old", "new")
    lows = claim.interval(confidence_level=1 - 2 * ALPHA)["low"].to_numpy(float)
    return dict(zip(counts, zip(claim.outcomes["p_value"], worse.outcomes["p_value"], lows, strict=True), strict=True))


def met(requirement, found):
    """Tell whether the requirement holds, from what is known of each dataset."""
    better, worse, lows = np.transpose(found)
    if requirement.kind == "not worse":
        return bool((lows > -requirement.margin / 100).all())
    if requirement.kind == "better":
        return bool(better.min() <= ALPHA / len(found))  # Holm's first step
    return bool(worse.min() > ALPHA / len(found))


def main(draws: int) -> None:
    """Print a Markdown table."""
    rng = np.random.default_rng(20261128)
    print("| requirement | true gains (points) | it holds | met |\n|---|---|---|---|")
    for text, cases in CASES.items():
        requirement = Requirement.parse(text)
        for gains, truth in cases:
            shares = [[(DISAGREE + gain) / 2, (DISAGREE - gain) / 2, 1 - DISAGREE] for gain in gains]
            drawn = np.stack([rng.multinomial(N, share, draws)[:, :2] for share in shares], axis=1)
            counts = [[tuple(map(int, pair)) for pair in draw] for draw in drawn]
            pairs = sorted({pair for draw in counts for pair in draw})
            table = {}
            for first in range(0, len(pairs), TOGETHER):
                table |= known(pairs[first : first + TOGETHER])
            found = [met(requirement, [table[pair] for pair in draw]) for draw in counts]
            for draw, said in list(zip(counts, found, strict=True))[:CHECKED]:
                assert decide(reportkit.compare(frame_of(draw), "new", "old"), requirement)[0] == said
            shown = ", ".join(f"{100 * gain:+g}" for gain in gains)
            print(f"| {text} | {shown} | {truth} | {np.mean(found):.1%} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
