"""A judge on all instances, people on some: which of two systems people would find better, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from reportkit.errors import ColumnError, DesignError, DuplicateScoresError, InputError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.numerals import decimals_for, fixed, interval_text, signed
from reportkit.scores.frames import frame_or_path
from reportkit.scores.read import read_frame
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
    people, people_low, people_high : float
        The labelled instances alone: mean difference and t interval.
    judge : float
        Mean difference by the judge on all instances: its own opinion, with its own bias.
    correlation : float
        Of the differences by people and by the judge; NaN if either has no spread.
    same_direction : float
        Share of the labelled instances, of those on which people see a difference, on which the judge prefers the same
        system; NaN if people see none.
    findings : tuple of Finding
        What to be careful about.
    """

    system_a: str
    system_b: str
    found: PredictionPowered
    people: float
    people_low: float
    people_high: float
    judge: float
    correlation: float
    same_direction: float
    findings: tuple[Finding, ...]

    @property
    def mean(self) -> float:
        """Estimate of the difference."""
        return self.found.mean

    @property
    def interval(self) -> tuple[float, float]:
        """Ends of the interval."""
        return self.found.low, self.found.high

    def to_frame(self) -> pd.DataFrame:
        """One row each for people and judge together, people alone, and the judge alone, which has no interval."""
        found = self.found
        return pd.DataFrame(
            {
                "by": ["people and judge", "people", "judge"],
                "n": [found.n, found.n_labelled, found.n],
                "difference": [found.mean, self.people, self.judge],
                "low": [found.low, self.people_low, None],
                "high": [found.high, self.people_high, None],
            }
        )

    @property
    def sentence(self) -> str:
        """Result in words."""
        found = self.found
        digits = decimals_for(found.standard_error)
        ends = interval_text(found.low, found.high, digits)
        alone = interval_text(self.people_low, self.people_high, digits)
        agree = "" if np.isnan(self.same_direction) else f"; both prefer the same system on {self.same_direction:.0%}"
        text = (
            f"By the labels of people on {found.n_labelled:,} of {found.n:,} instances and the judge's scores on all, "
            f"{self.system_a} minus {self.system_b} is {signed(found.mean, digits)} ({found.level:.0%} "
            f"prediction-powered interval {ends}; people alone {signed(self.people, digits)}, {alone}). The judge "
            f"alone says {signed(self.judge, digits)}. Differences by judge and people correlate by "
            f"{fixed(self.correlation, 2)}{agree}."
        )
        return " ".join([text, *(item.message for item in self.findings)])

    def __repr__(self) -> str:
        return self.sentence


def judged_difference(
    results: pd.DataFrame | str | Path,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    judge: str = "judge",
    human: str = "human",
    columns: Mapping[str, str] | None = None,
    confidence_level: float = 0.95,
) -> JudgedDifference:
    """Say how much better people find A than B, where a judge scored all outputs and people some.

    Parameters
    ----------
    results : DataFrame, str or Path
        In long form, one row for each system and instance: `system, instance`, the score of the judge, and that of
        people, which is missing where nobody looked. Higher is better in both; they need not have the same scale.
    system_a, system_b : str, optional
        In alphabetical order, if there are two and none is named.
    judge, human : str
        Columns of the two scores.
    columns : mapping of str to str, optional
        `system` and `instance` to column names, if they are other ones.
    confidence_level : float
        Of the interval.

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
    names = {"system": "system", "instance": "instance", **(columns or {}), "judge": judge, "human": human}
    for role in ("system", "instance", "judge", "human"):
        if names[role] not in frame.columns:
            raise ColumnError(
                f"there is no column {names[role]!r} ({role})",
                remedy=f"columns are: {', '.join(map(str, frame.columns))}",
            )
    frame = frame[list(names.values())].set_axis(list(names), axis=1).astype({"system": str, "instance": str})
    first, second = _systems(frame, system_a, system_b)
    scores = _by_instance(frame[frame["system"].isin((first, second))])
    by_judge, by_people = (
        (scores[role, first] - scores[role, second]).to_numpy(float, na_value=np.nan) for role in ("judge", "human")
    )
    if bool(np.isnan(by_judge).any()):
        raise InputError(
            f"{int(np.isnan(by_judge).sum())} of {by_judge.size} instances have no score of the judge for both systems",
            remedy="let the judge score both systems on every instance, or leave these instances out",
        )
    found = prediction_powered(by_people, by_judge, confidence_level)
    alone = prediction_powered(by_people, np.zeros_like(by_judge), confidence_level)
    labelled = ~np.isnan(by_people)
    y, f = by_people[labelled], by_judge[labelled]
    seen = y != 0
    result = JudgedDifference(
        system_a=first,
        system_b=second,
        found=found,
        people=alone.mean,
        people_low=alone.low,
        people_high=alone.high,
        judge=float(by_judge.mean()),
        correlation=float(np.corrcoef(y, f)[0, 1]) if np.ptp(f) and np.ptp(y) else float("nan"),
        same_direction=float((np.sign(y) == np.sign(f))[seen].mean()) if seen.any() else float("nan"),
        findings=(),
    )
    return JudgedDifference(**{**vars(result), "findings": _findings(result)})


def _systems(frame: pd.DataFrame, system_a: str | None, system_b: str | None) -> tuple[str, str]:
    names = sorted(map(str, frame["system"].unique()))
    for name in (system_a, system_b):
        if name is not None and name not in names:
            raise UnknownNameError("system", name, names)
    if system_a is None and system_b is None and len(names) == 2:
        return names[0], names[1]
    if system_a is None or system_b is None or system_a == system_b:
        raise DesignError(f"which two of {len(names)} systems are compared is not said", remedy="name two of them")
    return system_a, system_b


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
            raise InputError(f"the column of the {role} holds text", remedy="give numbers, and nothing where none is")
        frame = frame.assign(**{role: numbers})
    return frame.pivot(index="instance", columns="system", values=["judge", "human"])  # noqa: PD010 - cells are unique


def _findings(result: JudgedDifference) -> tuple[Finding, ...]:
    found, items = result.found, []
    where = f"{result.system_a} v {result.system_b}"
    if result.judge * result.people < 0:
        better = result.system_a if result.judge > 0 else result.system_b
        items.append(
            Finding(
                "judge-against-people",
                "warning",
                f"The judge prefers {better}, people on the labelled instances the other: the judge's own difference "
                "is no evidence.",
                where=where,
                remedy="report the prediction-powered difference, and look at instances on which the two disagree",
            )
        )
    if found.n_labelled < FEW_LABELS:
        items.append(
            Finding(
                "few-labels",
                "warning",
                f"{found.n_labelled} instances are labelled: the interval supposes that their mean is nearly normal.",
                where=where,
                remedy=f"label {FEW_LABELS} or more",
            )
        )
    if found.weight == 0.0 and found.n > found.n_labelled:
        items.append(
            Finding(
                "judge-of-no-use",
                "info",
                "The judge does not go along with people, and counts nothing.",
                where=where,
                remedy="",
            )
        )
    return tuple(items)
