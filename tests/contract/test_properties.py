"""What holds whatever the numbers are, for every design; and the published counts of Dror et al. (2017)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.contract import doors, frames
from tests.contract.calls import ROOMS
from tests.contract.record import read

ORDINAL: dict[str, Any] = {"kind": "ordinal"}
UNPAIRED: dict[str, Any] = {"pairing": "unpaired"}

DESIGNS: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
    "right or wrong": (frames.right_or_wrong(), {}),
    "ratings": (frames.ratings(), ORDINAL),
    "several raters": (frames.raters(), ORDINAL),
    "one decimal": (frames.one_decimal(), {}),
    "continuous": (frames.continuous(), {}),
    "skewed": (frames.skewed(), {"higher_is_better": False}),
    "counts of errors": (frames.error_counts(), {"kind": "count", "higher_is_better": False}),
    "clusters": (frames.clusters(), {}),
    "several runs": (frames.runs(), {}),
    "runs taken as fixed": (frames.runs(), {"runs": "fixed"}),
    "one score per run": (frames.run_scores(), {}),
    "folds": (frames.folds(), {}),
    "unpaired, right or wrong": (frames.unpaired(lambda values: (values > 0).astype(int)), UNPAIRED),
    "unpaired, continuous": (frames.unpaired(lambda values: values), UNPAIRED),
    "k of n": (frames.k_of_n(), {}),
    "F1": (frames.entities(), {"metric": "f1"}),
    "BLEU": (frames.translations(), {"metric": "bleu"}),
    "Pearson": (frames.similarities(), {"metric": "pearson"}),
    "Spearman": (frames.similarities(), {"metric": "spearman"}),
    "predicted and gold labels": (frames.labels(), {}),
    "datasets as the sample": (frames.means(), {"across_datasets": True}),
}
each_design = pytest.mark.parametrize("design", DESIGNS)


def outcomes(frame: pd.DataFrame, **options: Any) -> list[doors.Row]:
    """Compare in both directions, and return the outcomes."""
    return doors.observe(doors.compare(frame, **options), counted=False)["outcomes"]


@each_design
def test_identical_systems_have_p_1(design: str) -> None:
    """In both directions p is 1, and no dataset is named.

    Equal scores of different instances do not make two systems identical: there p is about one half.
    """
    frame, options = DESIGNS[design]
    different_instances = design == "k of n" or options is UNPAIRED
    for row in outcomes(frames.identical(frame), **options):
        assert row["p"] > 0.45 if different_instances else row["p"] == 1.0, row
        assert (row["adjusted"], row["identified"]) == (1.0, False), row


@each_design
def test_the_order_of_rows_changes_no_bit(design: str) -> None:
    """Nor where the test draws random samples."""
    frame, options = DESIGNS[design]
    shuffled = frame.sample(frac=1, random_state=1, ignore_index=True)
    assert outcomes(shuffled, **options) == outcomes(frame, **options)


@pytest.mark.slow
def test_the_report_of_shuffled_rows_has_the_same_bytes(tmp_path: Path) -> None:
    """`report.json` is a function of the scores."""
    frame = frames.skewed(datasets=["tweets"])
    for name, given in (("as given", frame), ("shuffled", frame.sample(frac=1, random_state=1))):
        doors.compare(given, "new", "old", higher_is_better=False).save(tmp_path / name)
    assert (tmp_path / "as given/report.json").read_bytes() == (tmp_path / "shuffled/report.json").read_bytes()


@pytest.mark.slow
def test_two_workers_say_what_one_says() -> None:
    """To the last bit, with random samples."""
    frame = frames.skewed(frames.THREE)
    assert outcomes(frame, workers=2) == outcomes(frame, workers=1)


EXTREMES = {
    "always right against always wrong": np.ones(3000),
    "differences that are all the same": np.full(400, 0.1),
    "two instances": np.array([1.0, 2.0]),
    "one instance differs": np.eye(1, 50)[0],
    "one huge difference": np.concatenate(([1e9], np.full(60, 0.5))),
    "tiny differences": np.linspace(1e-12, 1e-10, 80),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_no_p_value_is_0_or_missing(name: str) -> None:
    """However clear the results are."""
    values = EXTREMES[name]
    frame = pd.concat([frames.rows("new", "d", score=values), frames.rows("old", "d", score=0 * values)])
    for row in outcomes(frame):
        assert 0 < row["p"] <= row["adjusted"] <= 1, row


@pytest.mark.parametrize("room", ROOMS)
def test_no_recorded_p_value_is_0_or_missing(room: str) -> None:
    """In all of the contract."""
    rows = [row for seen in read(room).values() for part in seen.values() for row in part]
    for row in rows:
        assert all(0 < row[name] <= 1 for name in ("p", "adjusted") if name in row), row
        assert "NaN" not in json.dumps(row)


@pytest.mark.parametrize("table", ["Mate-SpaCy", "Mate-Redshift", "POS", "Sent", "WordSim"])
def test_published_p_values_give_the_recomputed_counts(table: str, shared: Path) -> None:
    """K-hat by count, Bonferroni and Fisher, and the datasets of Holm's procedure, at both levels."""
    known = json.loads((shared / "truths/papers.json").read_text("utf-8"))["tables"][table]
    p_values = [max(p, 1e-9) for p in known["p"]]  # a printed 0 is a rounded one
    for level, wanted in known["alpha"].items():
        seen = doors.correct(p_values, float(level))
        counts = {row["method"]: row["k_hat"] for row in seen["k_hat"]}
        assert counts == {name: wanted[name] for name in ("bonferroni", "fisher", "simes")}
        named = {name for name, row in zip(known["names"], seen["holm"], strict=True) if row["identified"]}
        assert named == set(wanted["holm"])
