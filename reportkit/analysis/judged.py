"""Estimate what people think of two systems from a judge on all instances and people on some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from reportkit.analysis.pair import two_systems
from reportkit.errors import ColumnError, DuplicateScoresError, InputError
from reportkit.finding import Finding
from reportkit.language import decimals_for, fixed, interval_text, signed
from reportkit.scores.read import frame_or_path, read_frame
from reportkit.significance.prediction_powered import PredictionPowered, prediction_powered

FEW_LABELS = 50
"""Labelled instances below which the interval is wide for what the labels cost, and coverage is not guaranteed."""


@dataclass(frozen=True, kw_only=True, repr=False)
class JudgedDifference:
    """The difference A minus B in the eyes of people, estimated with the help of a judge.

    Parameters
    ----------
    system_a, system_b : str
        Names; above 0 A is better.
    found : PredictionPowered
        The estimate and its interval: what may be reported.
    people : PredictionPowered
        The labelled instances alone: mean difference and t interval.
    judge : float
        Mean difference by the judge on all instances: its own opinion, with its own bias.
    correlation : float
        Correlation of the differences by people and by the judge; NaN if either has no spread.
    same_direction : float
        Of the labelled instances on which people see a difference, the share on which the judge prefers the same
        system; NaN if people see none.
    """

    system_a: str
    system_b: str
    found: PredictionPowered
    people: PredictionPowered
    judge: float
    correlation: float
    same_direction: float

    @property
    def mean(self) -> float:
        """Return the estimate of the difference."""
        return self.found.mean

    @property
    def interval(self) -> tuple[float, float]:
        """Return the ends of the interval."""
        return self.found.low, self.found.high

    def to_frame(self) -> pd.DataFrame:
        """Return a row each for people and judge together, people alone, and the judge alone, which has no interval."""
        rows = [
            ("people and judge", self.found.n, self.mean, *self.interval),
            ("people", self.found.n_labelled, self.people.mean, self.people.low, self.people.high),
            ("judge", self.found.n, self.judge, None, None),
        ]
        return pd.DataFrame(rows, columns=["by", "n", "difference", "low", "high"])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the cautions."""
        found, where, items = self.found, f"{self.system_a} vs. {self.system_b}", []
        if self.judge * self.people.mean < 0:
            better = self.system_a if self.judge > 0 else self.system_b
            message = (
                f"The judge prefers {better}, people on the labelled instances the other: the judge's own difference "
                "is no evidence."
            )
            remedy = "report the prediction-powered difference, and look at instances on which the two disagree"
            items.append(Finding("judge-against-people", "warning", message, where=where, remedy=remedy))
        if found.n_labelled < FEW_LABELS:
            message = f"{found.n_labelled} instances are labelled: the interval takes their mean as nearly normal."
            items.append(Finding("few-labels", "warning", message, where=where, remedy=f"label {FEW_LABELS} or more"))
        if found.weight == 0.0 and found.n > found.n_labelled:
            message = "The judge does not go along with people, and counts nothing."
            items.append(Finding("judge-of-no-use", "info", message, where=where))
        return tuple(items)

    def __repr__(self) -> str:
        found, people = self.found, self.people
        digits = decimals_for(found.standard_error)
        agree = "" if np.isnan(self.same_direction) else f"; both prefer the same system on {self.same_direction:.0%}"
        text = (
            f"By the labels of people on {found.n_labelled:,} of {found.n:,} instances and the judge's scores on all, "
            f"{self.system_a} minus {self.system_b} is {signed(found.mean, digits)} ({found.level:.0%} "
            f"prediction-powered interval {interval_text(found.low, found.high, digits)}; people alone "
            f"{signed(people.mean, digits)}, {interval_text(people.low, people.high, digits)}). The judge alone says "
            f"{signed(self.judge, digits)}. Differences by judge and people correlate by "
            f"{fixed(self.correlation, 2)}{agree}."
        )
        return " ".join([text, *(item.message for item in self.findings)])


def judged_difference(
    results: pd.DataFrame | str | Path,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    confidence_level: float = 0.95,
) -> JudgedDifference:
    """Estimate how much better people find A than B, where a judge scored all outputs and people some.

    Parameters
    ----------
    results : DataFrame, str or Path
        In long form, one row for each system and instance: `system, instance`, the score of the `judge`, and that of
        people, `human`, which is missing where nobody looked. Higher is better in both; they need not have the same
        scale.
    system_a, system_b : str, optional
        In alphabetical order, if there are two and none is named.
    columns : mapping of str to str, optional
        `system`, `instance`, `judge` and `human` to column names, if they are other ones: `{"judge": "gpt"}`.
    confidence_level : float
        Confidence level of the interval.

    Returns
    -------
    JudgedDifference
        In the unit of people's scores.

    Raises
    ------
    ReportkitError
        If columns, systems or labels do not fit; the message says what, where, and what to do.

    Notes
    -----
    The labelled instances have to be a random sample of all. Angelopoulos et al. (2023), "Prediction-powered
    inference", for the paired difference.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> quality = {"new": rng.normal(0.6, 1.0, 500), "old": rng.normal(0.4, 1.0, 500)}
    >>> rows = [
    ...     (name, i, value + rng.normal(0.0, 0.4), value if i < 100 else None)
    ...     for name, values in quality.items()
    ...     for i, value in enumerate(values)
    ... ]
    >>> found = judged_difference(pd.DataFrame(rows, columns=["system", "instance", "judge", "human"]))
    >>> found.found.n_labelled, found.found.low < 0.2 < found.found.high
    (100, True)
    """
    given = frame_or_path(results)
    frame = read_frame(given) if isinstance(given, Path) else given
    names = {role: (columns or {}).get(role, role) for role in ("system", "instance", "judge", "human")}
    for role, name in names.items():
        if name not in frame.columns:
            known = ", ".join(map(str, frame.columns))
            raise ColumnError(
                f"there is no column {name!r} ({role})",
                remedy=f"name it: columns={{{role!r}: ...}}; columns are: {known}",
            )
    frame = frame[list(names.values())].set_axis(list(names), axis=1).astype({"system": str, "instance": str})
    first, second = two_systems(sorted(frame["system"].unique()), system_a, system_b)
    scores = _by_instance(frame[frame["system"].isin((first, second))])
    by_judge, by_people = (
        (scores[role, first] - scores[role, second]).to_numpy(float, na_value=np.nan) for role in ("judge", "human")
    )
    if missing := int(np.isnan(by_judge).sum()):
        raise InputError(
            f"{missing} of {by_judge.size} instances have no score of the judge for both systems",
            remedy="let the judge score both systems on every instance, or leave these instances out",
        )
    found = prediction_powered(by_people, by_judge, confidence_level)
    y, f = by_people[~np.isnan(by_people)], by_judge[~np.isnan(by_people)]
    seen = y != 0
    return JudgedDifference(
        system_a=first,
        system_b=second,
        found=found,
        people=prediction_powered(by_people, np.zeros_like(by_judge), confidence_level),
        judge=float(by_judge.mean()),
        correlation=float(np.corrcoef(y, f)[0, 1]) if np.ptp(f) and np.ptp(y) else float("nan"),
        same_direction=float((np.sign(y) == np.sign(f))[seen].mean()) if seen.any() else float("nan"),
    )


def _by_instance(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the scores, one row per instance, and columns (judge or human, system)."""
    twice = frame[frame.duplicated(["system", "instance"])]
    if len(twice):
        raise DuplicateScoresError(
            f"system {twice['system'].iloc[0]!r} has instance {twice['instance'].iloc[0]!r} twice",
            remedy="give one row for each",
        )
    for role in ("judge", "human"):
        texts = frame[role].where(frame[role].astype(str).str.strip() != "")
        numbers = pd.to_numeric(texts, errors="coerce")
        if bool((numbers.isna() & texts.notna()).any()) or bool(np.isinf(numbers).any()):
            raise InputError(f"the column of the {role} holds text", remedy="give numbers, or leave cells empty")
        frame = frame.assign(**{role: numbers})
    return frame.pivot(index="instance", columns="system", values=["judge", "human"])  # noqa: PD010 - cells are unique
