"""Joint coverage of rank intervals, and of the interval of the best system: `python benchmarks/ranks.py [draws]`.

Right-or-wrong scores of all systems on the same instances; half of the variance of a score is that of its instance.
Each pair is compared by the exact McNemar test in both directions, with Holm's correction, as the report does where one
dataset has many systems; the first draws are also compared with the report itself. Printed: in how many draws all true
ranks lie in their intervals, and in how many the score of the best system lies in its 95% interval and in the interval
that the table of scores shows.
"""

import sys

import numpy as np
import pandas as pd
from scipy.stats import binom, norm

import reportkit
from reportkit.replicability.ranks import rank_intervals
from reportkit.significance.proportions import wilson_interval

ALPHA, CHECKED = 0.05, 2
DESIGNS = {  # true shares of right answers, instances
    "8 equal systems, 300 instances": ([0.7] * 8, 300),
    "8 systems, 2 points apart, 300 instances": ([0.62 + 0.02 * step for step in range(8)], 300),
    "1 best system and 7 equal ones, 300 instances": ([0.7] * 7 + [0.76], 300),
    "4 groups of 3 systems, 100 instances": ([0.5] * 3 + [0.6] * 3 + [0.7] * 3 + [0.8] * 3, 100),
}


def drawn(shares, n, rng):
    """Draw who is right on which instance, shape (n_systems, n)."""
    latent = np.sqrt(0.5) * (rng.normal(size=n) + rng.normal(size=(len(shares), n)))
    return latent < norm.ppf(shares)[:, None]


def shown_better(right):
    """Return the pairs (better, worse) that Holm's procedure rejects over all pairs in both directions."""
    numbers = right.astype(np.int64)
    wins = numbers @ (1 - numbers).T
    discordant = wins + wins.T
    p_values = binom.sf(wins - 1, discordant, 0.5)[~np.eye(len(right), dtype=bool)]
    order = np.argsort(p_values, kind="stable")
    passed = p_values[order] <= ALPHA / np.arange(len(order), 0, -1)
    n_rejected = len(order) if passed.all() else int(np.argmin(passed))
    pairs = np.argwhere(~np.eye(len(right), dtype=bool))
    return {tuple(map(int, pairs[place])) for place in order[:n_rejected]}


def checked(right):
    """Tell whether the report finds the same pairs."""
    index = pd.MultiIndex.from_product([range(len(right)), range(right.shape[1])], names=["system", "instance"])
    frame = pd.Series(right.ravel().astype(int), index=index, name="score").reset_index()
    frame["system"] = "s" + frame["system"].astype(str)
    found = reportkit.compare(frame.assign(dataset="d")).outcomes
    better = found[found["adjusted_p_value"] <= ALPHA]
    return {(int(row.system_a[1:]), int(row.system_b[1:])) for row in better.itertuples()} == shown_better(right)


def main(draws: int) -> None:
    """Print a Markdown table."""
    print("| design | all ranks in their intervals | best: 95% interval | best: interval of the table |")
    print("|---|---|---|---|")
    for name, (shares, n) in DESIGNS.items():
        rng, systems = np.random.default_rng(20261128), [*range(len(shares))]
        ahead = [sum(other > share for other in shares) for share in shares]
        behind = [sum(other < share for other in shares) for share in shares]
        inside = np.zeros((draws, 3), bool)
        for draw in range(draws):
            right = drawn(shares, n, rng)
            if draw < CHECKED:
                assert checked(right)
            ranks = rank_intervals(systems, shown_better(right))
            wide = [ranks[i][0] <= 1 + ahead[i] and len(shares) - behind[i] <= ranks[i][1] for i in systems]
            best = int(np.argmax(right.sum(axis=1)))
            found = [wilson_interval(int(right[best].sum()), n, 1 - ALPHA / m) for m in (1, len(shares))]
            inside[draw] = all(wide), *(one.low <= shares[best] <= one.high for one in found)
        print(f"| {name} | " + " | ".join(f"{share:.1%}" for share in inside.mean(axis=0)) + " |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
