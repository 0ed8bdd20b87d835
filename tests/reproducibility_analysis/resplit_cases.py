"""Predictions of two systems on re-partitions of a small corpus, and what follows from them counted by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd

from reportkit.reproducibility_analysis import BlockedCV

LABELS = ("n", "p", "x")


def predictions_frame(repartitions=20, n=24, m=3, seed=0, right=(0.7, 0.65), dataset=None):
    """Random predictions in long form, folds from `BlockedCV`."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, len(LABELS), n)
    rows = []
    for repeat in range(repartitions):
        cv = BlockedCV(m=m, rng=seed, repartition=repeat)
        folds = cv.folds(cv.assign(n))
        for system, share in zip(("new", "old"), right, strict=True):
            for replicate in range(m):
                hit = rng.random(n) < share
                said = np.where(hit, gold, rng.integers(0, len(LABELS), n))
                rows += [
                    {
                        **({} if dataset is None else {"dataset": dataset}),
                        "system": system,
                        "repeat": repeat + 1,
                        "replicate": replicate + 1,
                        "fold": int(folds[replicate, place]) + 1,
                        "instance": f"i{place}",
                        "prediction": LABELS[said[place]],
                        "gold": LABELS[gold[place]],
                    }
                    for place in range(n)
                ]
    return pd.DataFrame(rows)


def by_hand(frame, system, repeat):
    """First hold-out, average and vote of one system in one re-partition, in exact fractions."""
    rows = frame[(frame["system"] == system) & (frame["repeat"] == repeat)].to_dict("records")
    folds, votes, gold = {}, {}, {}
    for row in rows:
        folds.setdefault((row["replicate"], row["fold"]), []).append(row["prediction"] == row["gold"])
        votes.setdefault(row["instance"], []).append(row["prediction"])
        gold[row["instance"]] = row["gold"]
    shares = {key: Fraction(sum(hits), len(hits)) for key, hits in folds.items()}
    credit = Fraction(0)
    for instance, said in votes.items():
        counts = Counter(said)
        best = [label for label, count in counts.items() if count == max(counts.values())]
        credit += Fraction(gold[instance] in best, len(best))
    return shares[1, 1], sum(shares.values()) / len(shares), credit / len(votes)


def estimates_frame(values, *, systems=("new", "old"), dataset=None):
    """Estimates in long form from differences by estimator, B always at .5."""
    rows = []
    for estimator, differences in values.items():
        for repeat, difference in enumerate(differences, start=1):
            for system, value in zip(systems, (0.5 + difference, 0.5), strict=True):
                rows.append(
                    {
                        **({} if dataset is None else {"dataset": dataset}),
                        "system": system,
                        "repeat": repeat,
                        "estimator": estimator,
                        "value": value,
                    }
                )
    return pd.DataFrame(rows)
