"""Size and power of `reportkit build --require`, by simulation: `python benchmarks/gate.py [draws]`.

Paired right-or-wrong scores, 300 instances on each dataset, errors correlated as between two similar models (they
disagree on a tenth of the instances where both are equal). Printed: how often each requirement is met.
"""

import sys

import numpy as np
import pandas as pd

import reportkit
from reportkit.cli.gate import Requirement, decide
from reportkit.settings import Settings

N, DISAGREE = 300, 0.1
CASES = {  # requirement: (gain on each dataset, what should happen)
    "better": [((0, 0, 0), "false: at most 5%"), ((0.05, 0, 0), "true"), ((0.05, 0.05, 0.05), "true")],
    "not worse by 2": [((-0.02, 0.08, 0.08), "false: at most 5%"), ((0, 0, 0), "true"), ((0.02, 0.02, 0.02), "true")],
    "not worse by 5": [((-0.05, 0.08, 0.08), "false: at most 5%"), ((0, 0, 0), "true")],
    "no dataset worse": [((0, 0, 0), "true: at least 95%"), ((-0.05, 0, 0), "false"), ((-0.1, 0, 0), "false")],
}


def drawn(gains, rng):
    """Draw both systems on all datasets, as a long frame."""
    parts = []
    for index, gain in enumerate(gains):
        share = [(DISAGREE + gain) / 2, (DISAGREE - gain) / 2]
        kinds = rng.choice(4, size=N, p=[*share, 0.7 * (1 - DISAGREE), 0.3 * (1 - DISAGREE)])
        scores = {"new": np.isin(kinds, (0, 2)), "old": np.isin(kinds, (1, 2))}
        for system, right in scores.items():
            parts.append(
                pd.DataFrame({"system": system, "dataset": f"d{index}", "instance": range(N), "score": right * 1})
            )
    return pd.concat(parts)


def main(draws: int) -> None:
    """Print a Markdown table."""
    print("| requirement | true gains (points) | it holds | met |\n|---|---|---|---|")
    for text, cases in CASES.items():
        requirement = Requirement.parse(text)
        for gains, truth in cases:
            rng = np.random.default_rng(20261128)
            met = 0
            for _ in range(draws):
                results = reportkit.read(drawn(gains, rng))
                met += decide(results, "new", "old", requirement, Settings()).met
            shown = ", ".join(f"{100 * gain:+g}" for gain in gains)
            print(f"| {text} | {shown} | {truth} | {met / draws:.1%} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
