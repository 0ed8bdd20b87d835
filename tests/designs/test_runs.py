"""Several runs of each system, from a plain frame to the paragraph, the tables and the command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DesignError
from tests.designs.golden import as_in_file

DATASETS = ("tweets", "reviews", "news")


def instance_frame(numbers, *, datasets=DATASETS, n=80, binary=True, clusters=False, gains=(0.8, 0.0, 0.0), seed=0):
    """Scores of every instance and run; the first system is better by its gain (in logits)."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        ease = rng.normal(0, 1, n)
        for (system, m), gain in zip(numbers.items(), gains, strict=False):
            for run in range(m):
                chance = 1 / (1 + np.exp(-ease - gain - rng.normal(0, 0.15)))
                scores = (rng.random(n) < chance).astype(float) if binary else np.round(chance, 3)
                rows += [(system, dataset, f"{dataset}-{j}", run, scores[j], f"{dataset}/{j // 5}") for j in range(n)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "seed", "score", "doc"])
    return frame if clusters else frame.drop(columns="doc")


def run_frame(numbers, *, datasets=DATASETS, gains=(0.05, 0.0, 0.0), seed=0):
    """One score per run."""
    rng = np.random.default_rng(seed)
    rows = [
        (system, dataset, run, round(0.7 + gain + rng.normal(0, 0.02), 4))
        for dataset in datasets
        for (system, m), gain in zip(numbers.items(), gains, strict=False)
        for run in range(m)
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "run", "accuracy"])


def without(frame, run, instances):
    """Leave out some instances of one run of "new" on the first dataset."""
    names = [f"{DATASETS[0]}-{j}" for j in instances]
    return frame[~((frame["system"] == "new") & (frame["seed"] == run) & frame["instance"].isin(names))]


def identical_runs():
    """On one dataset, "old" has the runs of "new"."""
    frame = instance_frame({"new": 3, "old": 3})
    copied = frame[(frame["system"] == "new") & (frame["dataset"] == "news")].assign(system="old")
    return pd.concat([frame[(frame["system"] != "old") | (frame["dataset"] != "news")], copied])


PAIR = ("new", "old")
CASES = {
    "runs of instances": (lambda: instance_frame({"new": 5, "old": 5}), PAIR, {}),
    "unequal numbers of runs": (lambda: instance_frame({"new": 5, "old": 3}), PAIR, {}),
    "a single run of one system": (lambda: instance_frame({"new": 5, "old": 1}), PAIR, {}),
    "one dataset": (lambda: instance_frame({"new": 4, "old": 4}, datasets=("tweets",)), PAIR, {"alpha": 0.05}),
    "documents as clusters": (lambda: instance_frame({"new": 3, "old": 3}, clusters=True), PAIR, {}),
    "declared independent": (lambda: instance_frame({"new": 3, "old": 3}), PAIR, {"dependence": "independent"}),
    "instances that a run lacks": (
        lambda: without(instance_frame({"new": 3, "old": 3}), 1, [3, 4]),
        PAIR,
        {"missing": "drop"},
    ),
    "identical runs on one dataset": (identical_runs, PAIR, {}),
    "fixed seeds": (lambda: instance_frame({"new": 5, "old": 3}), PAIR, {"runs": "fixed"}),
    "fixed seeds, one dataset": (
        lambda: instance_frame({"new": 5, "old": 3}, datasets=("tweets",), binary=False),
        PAIR,
        {"runs": "fixed"},
    ),
    "all pairs": (
        lambda: instance_frame({"new": 3, "old": 3, "older": 2}, n=200, gains=(2.0, 0.0, -0.2)),
        (),
        {},
    ),
    "one score per run": (lambda: run_frame({"new": 5, "old": 5}), PAIR, {}),
    "one score per run, ranks": (lambda: run_frame({"new": 3, "old": 3}), PAIR, {"test": "mann-whitney-seeds"}),
    "one score per run, one dataset, a single run": (
        lambda: run_frame({"new": 6, "old": 1}, datasets=("tweets",)),
        PAIR,
        {},
    ),
}


def compared(name):
    """One case, compared through the accessor."""
    frame, pair, options = CASES[name]
    return frame().replic.compare(*pair, **options)


@pytest.fixture(scope="module")
def analyses():
    """All cases, compared."""
    return {name: compared(name) for name in CASES}


def test_paragraphs_read_as_expected(analyses):
    """Each text is as in the file that people read."""
    as_in_file("runs", {name: analysis.paragraph() for name, analysis in analyses.items()})


def test_fixed_seeds_are_the_average_by_hand():
    """The same p-values as scores averaged before."""
    frame = instance_frame({"new": 5, "old": 3})
    averaged = frame.groupby(["system", "dataset", "instance"], as_index=False)["score"].mean()
    fixed, by_hand = (
        data.replic.compare(*PAIR, **options).comparisons[0]
        for data, options in ((frame, {"runs": "fixed"}), (averaged, {}))
    )
    np.testing.assert_array_equal(fixed.p_values, by_hand.p_values)


def test_random_seeds_claim_more_and_find_less():
    """That other runs could have been drawn widens the interval, on each dataset."""
    frame = instance_frame({"new": 4, "old": 4}, binary=False)
    random, fixed = (frame.replic.compare(*PAIR, runs=runs).comparisons[0].assessments for runs in ("random", "fixed"))
    for one, other in zip(random, fixed, strict=True):
        assert one.difference == pytest.approx(other.difference)
        assert one.interval.high - one.interval.low > other.interval.high - other.interval.low


def test_a_paired_test_by_name():
    """The message says what would do."""
    with pytest.raises(DesignError, match="'sign-flip' is a test of paired scores") as raised:
        instance_frame({"new": 3, "old": 2}).replic.compare(*PAIR, test="sign-flip")
    assert "two-way-t" in str(raised.value)
    assert "runs='fixed'" in str(raised.value)
    fixed = instance_frame({"new": 3, "old": 2}).replic.compare(*PAIR, test="sign-flip", runs="fixed")
    assert fixed.comparisons[0].assessments[0].test == "sign-flip"


def test_published_seeds(shared):
    """Up to 15 seeds on 11 datasets (Gorishniy et al. 2021), by SciPy's test with unequal variances."""
    from scipy.stats import ttest_ind

    data = pd.read_parquet(shared / "data" / "rtdl" / "data.parquet")
    pair = ("ft_transformer/tuned", "resnet/tuned")
    comparison = data.replic.compare(*pair).comparisons[0]
    assert comparison.n_datasets == 10
    for item in comparison.assessments:
        a, b = (
            data.loc[(data["system"] == name) & (data["dataset"] == item.dataset), "score"].to_numpy() for name in pair
        )
        assert item.test == "welch-seeds"
        assert item.n == min(a.size, b.size)
        expected = ttest_ind(a, b, equal_var=False, alternative="greater")
        assert item.statistic == pytest.approx(expected.statistic, rel=1e-9)
        assert item.p_value == pytest.approx(expected.pvalue, rel=1e-9)
