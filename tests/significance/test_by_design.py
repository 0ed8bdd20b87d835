"""What each test says of small results of each design and size, with its cautions, in `by_design.md`, read by eye.

REPORTKIT_UPDATE_GOLDEN=1 writes it anew. Read the difference before you commit it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import reportkit
from tests.contract.frames import rows

GOLDEN = Path(__file__).with_name("by_design.md")
Draw = Callable[[np.random.Generator, int], np.ndarray]
SIZES = (2, 5, 9, 15, 30, 60, 200)


def drawn(draw: Draw, sizes: tuple[int, ...] = SIZES, *, per: str = "", times: int = 1, unpaired: bool = False) -> Any:
    """Return scores of two systems on a dataset for each size; `per` is a column of which each value has them all."""
    parts = []
    for size in sizes:
        rng = np.random.default_rng(size)
        ease = rng.normal(size=size)
        for system, gain in (("new", 0.5), ("old", 0.0)):
            for number in range(times):
                score = draw(rng, size) + gain + (0 if unpaired else ease)
                part = rows(system, f"of {size}", score=score)
                part["instance"] += system * unpaired
                parts.append(part.assign(**({per: number} if per else {})))
    return pd.concat(parts, ignore_index=True)


def changed(frame: pd.DataFrame, change: Callable[[pd.Series], Any]) -> pd.DataFrame:
    """Return the results with other scores."""
    return frame.assign(score=change(frame["score"]))


def of_runs(numbers: tuple[int, ...]) -> pd.DataFrame:
    """Return one score for each training run; on "failed" one run of new is far below the others."""
    rng = np.random.default_rng(1)
    found = [
        (system, f"of {m}", run, round(gain + 0.02 * rng.normal(), 4))
        for m in numbers
        for system, gain in (("new", 0.75), ("old", 0.7))
        for run in range(m)
    ]
    found += [
        (system, "failed", run, 0.7 + 0.01 * run - 0.5 * (system == "new" and run == 4))
        for system in ("new", "old")
        for run in range(5)
    ]
    return pd.DataFrame(found, columns=["system", "dataset", "run", "accuracy"])


def clustered(numbers: tuple[int, ...]) -> pd.DataFrame:
    """Return instances in so many documents of five that are alike."""
    frame = drawn(
        lambda rng, n: np.repeat(rng.normal(size=n // 5), 5) + 0.3 * rng.normal(size=n), tuple(5 * n for n in numbers)
    )
    return frame.assign(cluster=frame["dataset"] + frame["instance"].str[-3:].astype(int).floordiv(5).astype(str))


NORMAL = drawn(lambda rng, n: 0.7 * rng.normal(size=n))
SKEWED = drawn(lambda rng, n: -(rng.lognormal(0, 1.2, n)), unpaired=True).assign(instance=NORMAL["instance"])
BINARY = changed(NORMAL, lambda score: (score > 0).astype(int))
RUNS = drawn(lambda rng, n: 0.7 * rng.normal(size=n), (12, 40), per="seed", times=3)
ALONE = drawn(lambda rng, n: rng.normal(size=n), unpaired=True)
COUNTED = pd.DataFrame(
    {"system": system, "dataset": f"of {n}", "k": round(n * share), "n": n}
    for n in (5, 20, 100, 1000)
    for system, share in (("new", 0.8), ("old", 0.6))
)
DESIGNS: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
    "normal": (NORMAL, {}),
    "normal, t-test": (NORMAL, {"test": "paired-t"}),
    "normal, Wilcoxon": (NORMAL, {"test": "wilcoxon"}),
    "normal, paired bootstrap": (NORMAL, {"test": "paired-bootstrap"}),
    "normal, sign test": (NORMAL, {"test": "sign-test"}),
    "skewed": (SKEWED, {}),
    "skewed, sign flips": (SKEWED, {"test": "sign-flip"}),
    "right or wrong": (BINARY, {}),
    "hardly ever worse": (
        changed(NORMAL, lambda score: ((NORMAL["system"] == "new") | (score.index % 4 == 0)).astype(int)),
        {"alpha": [0.05, 1e-6]},
    ),
    "rarely wrong": (changed(NORMAL, lambda score: (score > -2.2).astype(int)), {}),
    "ratings": (changed(NORMAL, lambda score: (3 + score).round().clip(1, 5)), {"kind": "ordinal"}),
    "counts of errors": (
        changed(NORMAL, lambda score: (3 - score).round().clip(0)),
        {"kind": "count", "higher_is_better": False},
    ),
    "a constant difference": (changed(NORMAL, lambda _: 0.0).assign(score=(NORMAL["system"] == "new") * 0.5), {}),
    "several runs": (RUNS, {}),
    "several runs, fixed": (RUNS, {"runs": "fixed"}),
    "one score per run": (of_runs((2, 3, 4, 6, 12)), {}),
    "one score per run, ranks": (of_runs((2, 3, 4, 6, 12)), {"test": "mann-whitney-seeds"}),
    "documents": (clustered((2, 4, 7, 10, 40)), {}),
    "documents, right or wrong": (changed(clustered((4, 7, 40)), lambda score: (score > 0).astype(int)), {}),
    "raters": (
        changed(
            drawn(lambda rng, n: rng.normal(size=n), (5, 30), per="rater", times=3),
            lambda score: (3 + score).round().clip(1, 5),
        ),
        {"kind": "ordinal"},
    ),
    "unpaired": (ALONE, {"pairing": "unpaired"}),
    "unpaired, skewed": (SKEWED.assign(instance=SKEWED["system"] + SKEWED["instance"]), {"pairing": "unpaired"}),
    "unpaired, right or wrong": (changed(ALONE, lambda score: (score > 0).astype(int)), {"pairing": "unpaired"}),
    "k of n": (COUNTED, {}),
    "k of n, any pairing": (COUNTED, {"test": "mcnemar-margins"}),
    "two-sided at .01": (BINARY, {"alternative": "two-sided", "alpha": 0.01}),
    "independent": (BINARY, {"dependence": "independent"}),
}


def details(item: Any) -> str:
    """Return the statistic and what else is known of an outcome, rounded."""
    known = {item.statistic_name: item.statistic, **dict(item.details.get("a", {}))}
    numbers = {name: value for name, value in known.items() if isinstance(value, (int, float, np.number))}
    return "".join(f", {name} {value:.3g}" for name, value in numbers.items())


def said(frame: pd.DataFrame, options: dict[str, Any]) -> list[str]:
    """Return a line for each dataset, and one for each kind of finding."""
    analysis = reportkit.compare(frame, "new", "old", **options)
    lines = []
    assessed = [item for comparison in analysis.comparisons for item in comparison.assessments]
    for row, item in zip(analysis.outcomes.to_dict("records"), assessed, strict=True):
        numbers = (f"{row[name]:.3g}" for name in ("difference", "ci_low", "ci_high", "p_value", "adjusted_p_value"))
        found = "{} [{}, {}], p {} ({})".format(*numbers)
        lines.append(f"- {row['dataset']}: {found}, {row['test']}, n {row['n']}{details(item)}")
    k_hat = ", ".join(
        f"{name} {value}" for name, value in analysis.k_hat.iloc[0].items() if isinstance(value, (int, np.integer))
    )
    findings = [
        line
        for one in analysis.findings
        for line in (
            f"- {one.severity} {one.code}: {one.message}",
            f"- to do ({one.code}): {one.remedy}" if one.remedy else "",
        )
    ]
    return [*lines, f"- {k_hat}", *filter(None, findings)]


@pytest.mark.slow
def test_by_design() -> None:
    """Test, difference, interval, p-values and cautions of each design."""
    written, known = ["# By design"], set()
    for name, (frame, options) in DESIGNS.items():
        lines = [" ".join(line.split()) for line in said(frame, options)]
        written += ["", f"## {name}", "", *(line for line in lines if line not in known)]
        known |= set(lines)
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text("\n".join(written) + "\n", encoding="utf-8")
    assert written == GOLDEN.read_text("utf-8").splitlines()
