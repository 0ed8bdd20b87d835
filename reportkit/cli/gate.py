"""Decide whether a candidate may replace a baseline: better, not worse by a margin, or worse on no dataset."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pandas as pd

from reportkit.errors import ReportkitError, SettingsError

if TYPE_CHECKING:
    from reportkit.analysis.analysis import Analysis

LOSSES_LISTED = 10
_FORM = re.compile(r"(better)|(no dataset worse)|not worse by (\d+(?:\.\d+)?|\.\d+)(?: points?)?")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement on a candidate.

    Parameters
    ----------
    kind : {"better", "not worse", "no dataset worse"}
        `better`: shown to be better on at least one dataset (Holm). `not worse`: on every dataset, the lower end of the
        interval at 1 - 2 alpha lies above minus `margin`. `no dataset worse`: shown to be worse on none (Holm).
    margin : float
        Largest acceptable loss: in points where scores are shares, else in the unit of the score.
    """

    kind: Literal["better", "not worse", "no dataset worse"]
    margin: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Requirement:
        """Read a requirement as it is typed.

        Raises
        ------
        SettingsError
            If it is none of the three forms.

        Examples
        --------
        >>> Requirement.parse("not worse by 1")
        Requirement(kind='not worse', margin=1.0)
        """
        found = _FORM.fullmatch(" ".join(text.lower().split()))
        if found is None or (found[3] and not float(found[3])):
            forms = "'better', 'no dataset worse', or 'not worse by 1' with the largest loss that is acceptable"
            raise SettingsError(f"the requirement {text!r} is not known", remedy=f"write {forms}")
        if found[3]:
            return cls("not worse", float(found[3]))
        return cls("better" if found[1] else "no dataset worse")


def decide(claim: Analysis, requirement: Requirement) -> tuple[bool, str]:
    """Decide whether the candidate meets the requirement.

    Parameters
    ----------
    claim : Analysis
        One comparison: A is the candidate, B the baseline. The level is the largest alpha.
    requirement : Requirement
        What has to hold. What the data leave open is not met.

    Returns
    -------
    bool
        Whether it is met: by mistake with a probability of at most alpha for `better` and `not worse`; `no dataset
        worse` refuses a candidate that is nowhere worse with a probability of at most alpha.
    str
        Why, in one sentence.

    Raises
    ------
    SettingsError
        If there are several comparisons, no scores by instance, or the comparison is two-sided.
    """
    from reportkit.api import compare

    a, b = claim.pairs[0]
    if claim.results is None:
        raise SettingsError("--require needs scores by instance", remedy="give the results, not a printed table")
    if claim.settings.alternative != "greater":
        raise SettingsError("a requirement has a direction, and the comparison has none", remedy="drop --alternative")
    if len(claim.pairs) > 1:
        remedy = f"add {shlex.join(['--system', a, '--baseline', b])}, or the other way round"
        raise SettingsError("a requirement is for one system against one baseline", remedy=remedy)
    rows = _rows(claim)
    if requirement.kind == "not worse":
        margin, size = requirement.margin, _size(rows, requirement.margin)
        worse, undecided = rows[rows["high"] < -margin], rows[~(rows["low"] > -margin)]
        if len(worse):
            return False, f"{a} is worse than {b} by more than {size}: {_each(worse)}"
        if len(undecided):
            return False, f"{a} may be worse than {b} by {size}: {_open(claim, undecided, margin)}"
        return True, f"{a} is not worse than {b} by {size} on any dataset: {_each(rows)}"
    better = requirement.kind == "better"
    tested = claim if better else compare(claim.results, b, a, settings=claim.settings)
    shown = rows[rows["dataset"].isin(tested.outcomes["dataset"][tested.outcomes["identified"]])]
    if len(shown):
        return better, f"{a} is {'better' if better else 'worse'} than {b} on {_each(shown, most=len(shown))}"
    if better:
        return False, f"{a} is not shown to be better than {b}: {_open(claim, rows)}"
    return True, f"{a} is not shown to be worse than {b}: {_each(rows)}"


def _rows(claim: Analysis) -> pd.DataFrame:
    """Return the difference on each dataset with its interval at 1 - 2 alpha, in points where scores are shares."""
    level = 1 - 2 * claim.alpha[0]
    rows = claim.interval(confidence_level=level)
    shares = [outcome.in_percent for comparison in claim.comparisons for outcome in comparison.assessments]
    numbers = rows[["difference", "low", "high"]].astype(float).mul([100 if one else 1 for one in shares], axis="index")
    return numbers.assign(dataset=rows["dataset"], share=shares, level=level)


def _size(rows: pd.DataFrame, size: float) -> str:
    return f"{size:g}" + (f" point{'s' * (size != 1)}" if rows["share"].iloc[0] else "")


def _each(rows: pd.DataFrame, most: int = 3) -> str:
    """Write the datasets with the lowest ends first, each with its difference and interval."""
    texts = []
    for row in rows.sort_values("low", kind="stable").head(most).to_dict("records"):
        form, unit = ("+.1f", " points") if row["share"] else ("+.3g", "")
        ends = "not known" if pd.isna(row["low"]) else f"{row['low']:{form}} to {row['high']:{form}}"
        texts.append(f"{row['dataset']} ({row['difference']:{form}}{unit}, {row['level']:.0%} interval {ends})")
    return ", ".join([*texts, *([f"{len(rows) - most} more"] if len(rows) > most else [])])


def _open(claim: Analysis, rows: pd.DataFrame, margin: float | None = None) -> str:
    """Write which datasets are undecided, and how many instances would decide them."""
    share = bool(rows["share"].iloc[0])
    size = margin or (1.0 if share else None)
    if size is None or (margin is None and (rows["high"] < 0).all()):
        return _each(rows)
    try:
        plan = claim.power(effect=size / 100 if share else size, power=0.8).to_frame().set_index("dataset")
    except ReportkitError:  # no plan is known for this design, or the margin is beyond all differences
        return _each(rows)
    needed = int(plan["n"].reindex(rows["dataset"]).max())
    step = 10 ** max(len(str(needed)) - 2, 0)
    would = "decide in 80% of cases if the two are equal"
    if margin is None:
        would = f"show a gain of {_size(rows, size)} with 80% power"
    return f"{_each(rows)}; about {-(-needed // step) * step:,} instances would {would}"


def pull_request(claim: Analysis, verdict: str, frame: pd.DataFrame | None) -> str:
    """Write the verdict, the table and the largest losses as Markdown for a pull request.

    Parameters
    ----------
    claim : Analysis
        One comparison.
    verdict : str
        Whether the requirement is met, and why, in Markdown.
    frame : DataFrame, optional
        Long form: system, dataset, instance, score, as it was read; without it, no losses are listed.
    """
    lines = [verdict, "", claim.to_markdown()]
    lower = claim.results is not None and not next(iter(claim.results)).higher_is_better
    if frame is not None and len(losses := largest_losses(frame, *claim.pairs[0], lower=lower)):
        lines += ["", f"The {len(losses)} largest losses:", "", "~~~~text", losses.to_string(index=False), "~~~~"]
    return "\n".join(lines) + "\n"


def largest_losses(frame: pd.DataFrame, candidate: str, baseline: str, *, lower: bool = False) -> pd.DataFrame:
    """Return the instances on which the candidate loses most against the baseline, at most ten.

    Examples
    --------
    >>> frame = pd.DataFrame({"system": ["new", "new", "old", "old"], "dataset": "qa", "instance": [1, 2, 1, 2],
    ...                       "score": [1.0, 0.0, 1.0, 1.0]})
    >>> largest_losses(frame, "new", "old")
      dataset  instance  old  new
    0      qa         2  1.0  0.0
    """
    if "instance" not in frame or "score" not in frame:
        return pd.DataFrame()
    keys = [key for key in ("metric", "dataset") if key in frame and (key == "dataset" or len(set(frame[key])) > 1)]
    wide = frame[frame["system"].isin([candidate, baseline])].pivot_table(
        index=[*keys, "instance"], columns="system", values="score", aggfunc="mean", observed=True
    )
    change = (wide[candidate] - wide[baseline]) * (-1 if lower else 1)
    worst = change[change < 0].sort_values(kind="stable").index[:LOSSES_LISTED]
    return wide.loc[worst, [baseline, candidate]].reset_index().rename_axis(columns=None)
