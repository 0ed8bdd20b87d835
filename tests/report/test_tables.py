"""Tables of scores by design and by appearance, as Markdown, against `tables.md`, which was read by eye.

REPORTKIT_UPDATE_GOLDEN=1 writes it anew. Read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import reportkit
from reportkit.errors import SettingsError
from tests.contract import frames
from tests.report.golden import mixed, same_as_in

GAINS = {"ada": (0.8, 0.0, 0.4), "bee": (0.5, 0.4, -0.5), "cod": (-0.4, 0.0, 1.5), "doe": (0.1, -0.9, 0.0)}
FOUR = mixed(GAINS)
TIED = FOUR[FOUR["system"].isin(["ada", "bee"])].assign(score=lambda rows: (rows.index % 3 > 0).astype(int))
ERRORS = FOUR.assign(score=1 - FOUR["score"], metric="error_rate")
SIX = mixed(GAINS | {"eel": (0.0, 0.9, 0.2)}, n=300)
SMALL = mixed({"ada": (0.3, 0.36, 0.3)})
MANY = mixed({f"m{i:02}": (0.1 * i,) for i in range(26)}, n=80)
LACKING = FOUR[(FOUR["system"] != "doe") | (FOUR["dataset"] != "d2")]
IN_PART = FOUR.drop(index=FOUR.index[(FOUR["system"] == "doe") & (FOUR["dataset"] == "d1")][:20])
BY_DATASET = FOUR.assign(metric=FOUR["dataset"].map({"d1": "accuracy", "d2": "f1", "d3": "accuracy"}))
METRICS = pd.concat([FOUR.assign(metric="accuracy"), ERRORS])
UNPAIRED = frames.unpaired(lambda values: values.round(3))
GROUPS = {"dataset_groups": {"Short": ("d1", "d3")}, "system_groups": {"Old": ("base", "doe"), "New": ("ada", "bee")}}
EVERY = "{score:.2f} ({diff}, {p}; {adjusted_p}) [{ci_low}, {ci_high}] ± {se} {sd:.3f} {n}"


def compare(frame: pd.DataFrame, *systems: str, look: dict[str, Any] | None = None, **options: Any) -> Any:
    """Compare, and choose the appearance."""
    return reportkit.compare(frame, *systems, **options).styled(**look or {})


TABLES: dict[str, Callable[[], Any]] = {
    "a pair": lambda: compare(FOUR, "ada", "bee"),
    "a pair, stars, systems in rows": lambda: compare(FOUR, "ada", "bee", look={"marks": "stars", "rows": "systems"}),
    "a pair, fewer stars": lambda: compare(SMALL, "ada", "base", look={"marks": "stars"}),
    "a pair in both directions": lambda: compare(FOUR, systems=["ada", "cod"]),
    "a pair in both directions, daggers": lambda: compare(FOUR, systems=["ada", "cod"], look={"marks": "daggers"}),
    "a tied pair": lambda: compare(TIED, "ada", "bee", look={"bold": "best"}),
    "errors": lambda: compare(ERRORS, "ada", "bee", look={"average": True}),
    "all pairs": lambda: compare(FOUR),
    "all pairs, order by name, datasets in rows": lambda: compare(FOUR, look={"order": "name", "rows": "datasets"}),
    "all pairs, order as given, no bold": lambda: compare(FOUR, look={"order": "given", "bold": "none"}),
    "all pairs of six": lambda: compare(SIX),
    "all pairs of six, letters": lambda: compare(SIX, look={"marks": "letters", "second": False}),
    "27 systems, letters": lambda: compare(MANY, look={"marks": "letters"}),
    "one baseline": lambda: compare(FOUR, baseline="base"),
    "two baselines": lambda: compare(FOUR, baseline=["base", "doe"]),
    "four baselines": lambda: compare(SIX, systems=["eel", "ada"], baseline=["base", "doe", "bee", "cod"]),
    "every field": lambda: compare(FOUR, baseline="base", look={"cell": EVERY}),
    "a mark inside": lambda: compare(FOUR, "ada", "bee", look={"cell": "{score}{mark} ± {se}", "decimals": 2}),
    "groups": lambda: compare(FOUR, look=GROUPS),
    "groups, datasets in rows": lambda: compare(FOUR, look=GROUPS | {"rows": "datasets"}),
    "averages": lambda: compare(LACKING, look={"average": True}),
    "groups of systems in rows": lambda: compare(FOUR, "ada", "bee", look=GROUPS | {"rows": "systems"}),
    "leaderboard": lambda: compare(FOUR, datasets="d1"),
    "unpaired": lambda: compare(UNPAIRED, "new", "old", pairing="unpaired"),
    "a metric for each dataset": lambda: compare(BY_DATASET, baseline="base"),
    "a metric for each dataset, a pair": lambda: compare(BY_DATASET, "ada", "bee"),
    "a metric for each dataset, groups": lambda: compare(BY_DATASET, baseline="base", look=GROUPS),
    "two metrics": lambda: compare(METRICS, "ada", "bee", metric=["accuracy", "error_rate"]),
    "the second exploratory": lambda: compare(
        METRICS, "ada", "bee", metric=["accuracy", "error_rate"], gatekeeping="exploratory"
    ),
    "the second exploratory, bold by tests": lambda: compare(
        METRICS, metric=["accuracy", "error_rate"], gatekeeping="exploratory", look={"bold": "statistical"}
    ),
    "a system with one of two metrics": lambda: compare(
        METRICS.query("system != 'doe' or metric == 'accuracy'"), metric=["accuracy", "error_rate"]
    ),
    "stars for all pairs": lambda: compare(FOUR, look={"marks": "stars"}),
    "levels for two baselines": lambda: compare(FOUR, baseline=["base", "doe"], look={"marks": "levels"}),
    "daggers for all pairs": lambda: compare(FOUR, look={"marks": "daggers"}),
    "daggers for four baselines": lambda: compare(
        SIX, systems=["eel", "ada"], baseline=["base", "doe", "bee", "cod"], look={"marks": "daggers"}
    ),
    "bold by tests, one baseline": lambda: compare(FOUR, baseline="base", look={"bold": "statistical"}),
    "an average of one dataset": lambda: compare(FOUR, datasets="d1", look={"average": True}),
    "an average of two metrics": lambda: compare(
        BY_DATASET, baseline="base", datasets=["d1", "d2"], look={"average": True}
    ),
    "p-values against two baselines": lambda: compare(FOUR, baseline=["base", "doe"], look={"cell": "{score} {p}"}),
    "p-values of all pairs": lambda: compare(FOUR, look={"cell": "{score} {p}"}),
    "no standard deviation": lambda: compare(frames.printed(), "new", "old", look={"cell": "{score} {sd}"}),
    "no standard error": lambda: compare(frames.printed(), "new", "old", look={"cell": "{score} {se}"}),
    "no number of instances": lambda: compare(frames.printed(), "new", "old", look={"cell": "{score} {n}"}),
    "datasets as the sample": lambda: compare(frames.means(frames.THREE), across_datasets=True),
    "counts alone": lambda: compare(frames.k_of_n(), "new", "old"),
    "printed": lambda: compare(frames.printed(), "new", "old"),
    "numbers of instances that differ": lambda: compare(
        IN_PART, baseline="base", missing="drop", look={"rows": "datasets"}
    ),
}


def lines_of(shown: Any) -> list[str]:
    """Return the lines of all tables of a report, or why there is none."""
    try:
        tables = [shown.to_markdown(name) for name in shown.tables]
    except SettingsError as error:
        tables = [str(error)]
    return [" ".join(line.split()) for text in tables for line in text.splitlines() if line.strip()]


@pytest.mark.slow
def test_tables() -> None:
    """Scores, marks, bold, order, groups, heads and legends."""
    same_as_in(Path(__file__).with_name("tables.md"), "Tables", TABLES, lines_of)


def test_headings_of_groups_reach_across_the_table() -> None:
    """In LaTeX, above the systems of each group."""
    text = compare(FOUR, baseline="base", look=GROUPS | {"rows": "systems"}).to_latex()
    assert text.count(r"}{l}{\hspace*{-\tabcolsep}") == len(GROUPS["system_groups"])
