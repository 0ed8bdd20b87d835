"""A declared family of comparisons: who is claimed to be better than whom, and how the level is shared out.

| design    | claims                                     | together at level alpha                         |
|-----------|--------------------------------------------|-------------------------------------------------|
| declared  | A better than B                            | N hypotheses, one for each dataset              |
| both      | A better than B, B better than A           | N hypotheses in each direction, at alpha / 2    |
| baselines | each of J systems better than its baseline | J N hypotheses                                  |
| all-pairs | every ordered pair                         | J (J - 1) N hypotheses                          |
| separate  | several claims, each printed by itself     | N hypotheses for each claim, nothing for all    |

`separate` exists for what papers print: each comparison is its own family, and nothing holds for all of them together.
Several metrics multiply the claims; `reportkit.replicability.multiple_testing.correction` says
how they share the level. With `gatekeeping="none"` the table holds with the hypotheses of
all metrics; in each direction of `both` the metrics are corrected together at half the level.

One closed test counts and names, so that all counts and names of all claims hold together with probability 1 - alpha,
and no count is below the number of names (Goeman and Solari 2011). Its local tests are

- Bonferroni's where nothing is known of the dependence between datasets: names are those of Holm's procedure, and the
  count of a claim is their number; with one claim that is k-hat by Bonferroni of Dror et al. (2017),
- "fisher-bonferroni" in each claim where datasets are independent: see
  `reportkit.replicability.multiple_testing.correction`.

All pairs over so few datasets that Holm's procedure can hardly show anything are corrected by the maximum statistic
instead: see `reportkit.replicability.max_statistic`.

Under the profile of Dror et al. (2017), and for what a paper prints, independent datasets are counted by Fisher's
combination, at alpha divided by the number of claims that share the level, and named by Holm's procedure. Each of the
two keeps the level; they do not keep it together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.language import counted, level_text
from reportkit.replicability.comparison import curves_of
from reportkit.replicability.independence.independence import IndependenceAudit, independence_findings
from reportkit.replicability.max_statistic import max_statistic_p_values, too_few_for_holm
from reportkit.replicability.multiple_testing.correction import (
    METHOD,
    Correction,
    FamilyDesign,
    JointClaim,
    divisors,
    gate,
    joint_closed_test,
)
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.scores import Scores
from reportkit.settings import Gatekeeping, Settings
from reportkit.significance.outcome import Outcome, rejection_level, step_down

A = TypeVar("A", bound=ReplicabilityAnalysis)

Pair = tuple[str, str]
"""A and B of a claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The pairs of systems that are compared.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs"}
        See the table of this module.
    pairs : tuple of (str, str)
        Unordered for "both" and "all-pairs", (better, worse) otherwise.
    named : bool
        Whether the user named the systems. If not, of two systems the better one comes first, whatever their names.
    """

    design: FamilyDesign
    pairs: tuple[Pair, ...]
    named: bool = True

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems of all pairs, each once."""
        return tuple(dict.fromkeys(chain.from_iterable(self.pairs)))

    @property
    def both_directions(self) -> bool:
        """Return whether each pair is tested in both directions."""
        return self.design in ("both", "all-pairs")


def build_family(
    design: FamilyDesign,
    outcomes: Sequence[Outcome],
    *,
    settings: Settings,
    audit: IndependenceAudit,
    findings: Sequence[Finding] = (),
    metrics: Sequence[str] = (),
    jointly: bool = True,
    board: Scores | None = None,
    into: type[A] = ReplicabilityAnalysis,  # type: ignore[assignment] # the numbers alone, unless more is asked for
) -> A:
    """Correct all comparisons of one analysis together, and count.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        How the level is shared out; see the table of this module.
    outcomes : sequence of Outcome
        One for each pair of systems, metric and dataset, pair by pair; for "both" and "all-pairs" each is read in both
        directions.
    settings : Settings
        Levels, and how several metrics share them; see `reportkit.replicability.multiple_testing.correction`.
    audit : IndependenceAudit
        Decides whether Fisher's method is given.
    findings : sequence of Finding
        What was found before, such as at ingestion.
    metrics : sequence of str
        The metrics, the primary one first, where there are several.
    jointly : bool
        Whether independent datasets are counted and named by one closed test; if not, by the separate statements of
        Dror et al. (2017).
    board : Scores, optional
        The scores of all systems over the datasets, where these are the sample and the maximum statistic may be used.
    into : type
        Class of the result: `reportkit.analysis.Analysis`, or the numbers alone.

    Returns
    -------
    ReplicabilityAnalysis
        An instance of `into`.
    """
    if not outcomes:
        raise SettingsError("there is nothing to compare", remedy="give at least two systems")
    metrics = tuple(metrics) or (outcomes[0].metric,)
    alpha, gatekeeping = settings.alpha, settings.gatekeeping if len(metrics) > 1 else "none"
    sides = 2 if design in ("both", "all-pairs") else 1
    frame = outcomes_frame(outcomes, metrics, both=sides == 2)
    corrected = correct_together(design, frame, metrics, gatekeeping, close=jointly and audit.independent)
    if board is not None and design == "all-pairs":
        corrected = _by_max_statistic(frame, corrected, board, settings)
    frame = frame.assign(
        stepwise_p_value=corrected.stepwise,
        adjusted_p_value=corrected.adjusted,
        identified=corrected.adjusted <= rejection_level(alpha[0]),
        exploratory=(gatekeeping == "exploratory") & (frame["metric"] != metrics[0]),
    )
    every = [*findings, *independence_findings(audit, int(np.bincount(frame["claim"]).max()))]
    every += chain(_unattainable(design, frame, corrected, alpha[0]), *(item.findings for item in outcomes))
    return into(
        design=design,
        frame=frame,
        counts=_counts(frame, alpha, sides, corrected, independent=audit.independent),
        pairs=tuple(dict.fromkeys(zip(frame["system_a"], frame["system_b"], strict=True))),
        across_datasets=outcomes[0].unit == "dataset",  # of all comparisons alike
        outcomes_as_tested=tuple(outcomes),
        closed=corrected.closed,
        share=corrected.share,
        correction=corrected.correction,
        n_hypotheses=corrected.n_hypotheses,
        audit=audit,
        metrics=metrics,
        sizes=corrected.sizes,
        settings=settings,
        findings=by_severity(every),
    )


def outcomes_frame(outcomes: Sequence[Outcome], metrics: Sequence[str], *, both: bool) -> pd.DataFrame:
    """Return one row for each metric, claim and dataset, in this order; numbers are those in favour of the claim.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One for each pair of systems, metric and dataset, pair by pair.
    metrics : sequence of str
        The primary one first.
    both : bool
        Whether each pair is a claim in both directions, that of the outcomes first.
    """
    names = {
        name: np.array([getattr(item, name) for item in outcomes], dtype=object)
        for name in ("metric", "system_a", "system_b", "dataset", "test", "unit")
    }
    a, b, estimate, greater, less, p_min = (
        np.array([getattr(item, name) for item in outcomes], dtype=np.float64)
        for name in ("score_a", "score_b", "estimate", "p_greater", "p_less", "p_min")
    )
    ends = np.array([(np.nan,) * 2 if i.interval is None else (i.interval.low, i.interval.high) for i in outcomes])
    numbered: dict[tuple[str, str], int] = {}
    pair = np.array(
        [numbered.setdefault(one, len(numbered)) for one in zip(names["system_a"], names["system_b"], strict=True)]
    )
    metric = np.array([metrics.index(name) for name in names["metric"]])
    row, turned = np.arange(len(outcomes)), np.zeros(len(outcomes), dtype=np.bool_)
    if both:
        row, turned = np.concatenate([row, row]), np.repeat([False, True], row.size)
    claim = (metric[row] * len(numbered) + pair[row]) * 2 + turned
    order = np.argsort(claim, kind="stable")
    row, turned, claim = row[order], turned[order], claim[order]

    def of(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
        """Return the first of two columns, or the second for claims of B against A."""
        return np.where(turned, second[row], first[row])

    ahead = np.where([item.higher_is_better for item in outcomes], a - b, b - a)
    systems = names["system_a"], names["system_b"]
    frame = pd.DataFrame(
        {
            **{name: names[name][row] for name in ("metric", "dataset", "test", "unit")},
            "system_a": of(*systems),
            "system_b": of(*reversed(systems)),
        },
        dtype=object,  # Arrow refuses some names
    )
    return frame.assign(
        n=pd.array([outcomes[place].n for place in row.tolist()], dtype="Int64"),
        score_a=of(a, b),
        score_b=of(b, a),
        difference=of(estimate, -estimate) + 0.0,
        score_difference=of(ahead, -ahead) + 0.0,
        ci_low=of(ends[:, 0], -ends[:, 1]),
        ci_high=of(ends[:, 1], -ends[:, 0]),
        p_value=of(greater, less),
        p_min=np.where(names["test"][row] == "printed", 0.0, p_min[row]),
        claim=np.cumsum(np.diff(claim, prepend=claim[0]) != 0),
        outcome=row,
        turned=turned,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Corrected:
    """Adjusted p-values, and the numbers of hypotheses.

    Parameters
    ----------
    stepwise : ndarray of shape (n_rows,)
        Adjusted by Holm's procedure, or by the graphical one; compare with alpha.
    adjusted : ndarray of shape (n_rows,)
        Those that decide: of the closed test where there is one, else the same.
    closed : mapping of int to JointClaim
        By number of the claim, where independent datasets are counted and named by one closed test.
    sizes : mapping of str to int
        By metric, how many p-values were corrected together at its stage; of the largest family, if there are several.
    first : mapping of str to int
        By metric, the number that divides the level where one of its hypotheses is tested first.
    n_hypotheses : int
        How many p-values were corrected together in all.
    share : int or None
        Number of counts by Fisher that split the level; None where it is passed on by names.
    correction : {"Holm", "graph", "closed testing", "max-T"}
        What adjusted the p-values that decide.
    """

    stepwise: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    closed: Mapping[int, JointClaim]
    sizes: Mapping[str, int]
    first: Mapping[str, int]
    n_hypotheses: int
    share: int | None
    correction: Correction


def correct_together(
    design: FamilyDesign, frame: pd.DataFrame, metrics: Sequence[str], gatekeeping: Gatekeeping, *, close: bool = False
) -> Corrected:
    """Correct the claims together that are in one family: each by itself in "both" and "separate".

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        How the claims share the level; see the table of this module.
    frame : DataFrame
        See `outcomes_frame`.
    metrics : sequence of str
        The primary one first.
    gatekeeping : {"none", "serial", "by-dataset", "exploratory"}
        How the metrics share it; see `reportkit.replicability.multiple_testing.correction`.
    close : bool
        Whether to close the same families over independent datasets, for counts and names that hold together. There is
        no such closed test with gatekeeping by dataset, whose level is passed on by names; and where no claim has more
        than one dataset, it is Holm's procedure.

    Raises
    ------
    InputError
        If, by dataset, a secondary metric has a dataset that the primary one does not have.
    """
    p_values, metric, claim = (frame[name].to_numpy() for name in ("p_value", "metric", "claim"))
    by_pair = frame.groupby(["system_a", "system_b"], sort=False)
    n_claims, by_place, times = int(claim[-1]) + 1, gatekeeping == "by-dataset", 2 if design == "both" else 1
    close = close and not by_place and n_claims < len(frame)
    stepwise, closed = np.empty(len(frame)), dict[int, JointClaim]()
    sizes, first, largest = dict.fromkeys(metrics, 0), dict.fromkeys(metrics, 0), 0
    apart = list(map(np.asarray, by_pair.indices.values())) if design in ("both", "separate") else []
    for rows in apart or [np.arange(len(frame))]:
        own = {name: some for name in metrics if (some := rows[metric[rows] == name]).size}
        numbers, total = [some.size for some in own.values()], rows.size
        if gatekeeping == "none":
            stepwise[rows], stages = step_down(p_values[rows]), (total,) * len(own)
        else:
            unit = (frame["system_a"] + " > " + frame["system_b"] + " on " + frame["dataset"]).to_numpy()
            gated = gate([p_values[some] for some in own.values()], [unit[some] for some in own.values()], gatekeeping)
            stepwise[rows], stages = np.concatenate(gated), divisors(numbers, gatekeeping)
        total = numbers[0] if gatekeeping == "exploratory" else total
        largest = max(largest, total)
        for name, stage in zip(own, stages, strict=True):
            first[name] = max(first[name], stage)
            sizes[name] = max(sizes[name], total if by_place else stage)
        if close:
            closed |= _closed(list(own.values()), gatekeeping, p_values, claim, times)
    stepwise = np.minimum(1.0, times * stepwise)
    share = 1 if design == "separate" else n_claims if gatekeeping == "none" else None
    return Corrected(
        stepwise=stepwise,
        adjusted=np.concatenate([closed[number].adjusted for number in range(n_claims)]) if closed else stepwise,
        closed=closed,
        sizes=sizes,
        first=first,
        n_hypotheses=largest,
        share=by_pair.ngroups if gatekeeping == "exploratory" else share,
        correction="closed testing" if closed else "graph" if by_place else "Holm",
    )


def _by_max_statistic(frame: pd.DataFrame, corrected: Corrected, board: Scores, settings: Settings) -> Corrected:
    """Adjust all pairs by the maximum statistic where Holm's procedure has too few datasets and all have all scores."""
    flipped = {*frame["test"]} <= {"sign-flip", "identical"} and not np.isnan(board.scores).any()
    if not flipped or not too_few_for_holm(len(board.systems), len(board.instances), settings.alpha[0]):
        return corrected
    by_name = board.scores[:, np.argsort(board.instances)]  # so that no order of rows changes a random pattern
    found = max_statistic_p_values(by_name, n_resamples=settings.n_resamples, seed=settings.rng)
    place = {name: row for row, name in enumerate(board.systems)}
    adjusted = found[frame["system_a"].map(place), frame["system_b"].map(place)]
    adjusted = np.maximum(adjusted, frame["p_value"].to_numpy())  # random patterns could give less
    first = dict.fromkeys(corrected.first, 2)  # a pattern and its negative have the same maximum
    return replace(corrected, stepwise=adjusted, adjusted=adjusted, first=first, correction="max-T")


def _closed(
    by_metric: list[NDArray[np.intp]],
    gatekeeping: Gatekeeping,
    p_values: NDArray[np.float64],
    claim: NDArray[np.intp],
    times: int,
) -> dict[int, JointClaim]:
    """Close one family; with serial gatekeeping, that of the primary metric before that of the others."""
    stages = by_metric
    if gatekeeping != "exploratory":
        n = 1 if gatekeeping == "serial" else len(by_metric)
        stages = [np.concatenate(some) for some in (by_metric[:n], by_metric[n:]) if some]
    found: dict[int, JointClaim] = {}
    primary: tuple[JointClaim, ...] = ()
    for rows in stages:
        after = primary if gatekeeping == "serial" else ()
        numbers, starts = np.unique(claim[rows], return_index=True)
        closed = joint_closed_test(np.split(p_values[rows], starts[1:]), times=times, after=after)
        primary = primary or closed
        found.update(zip(numbers.tolist(), closed, strict=True))
    return found


def _counts(
    frame: pd.DataFrame, alpha: Sequence[float], sides: int, corrected: Corrected, *, independent: bool
) -> pd.DataFrame:
    """Return k-hat of each claim at each level by each method, missing where a method is not used."""
    starts = np.flatnonzero(np.diff(frame["claim"], prepend=-1))
    p_values, stepwise = frame["p_value"].to_numpy(), frame["stepwise_p_value"].to_numpy()

    def counted(values: NDArray[np.float64], sides: int = 1) -> NDArray[np.intp]:
        flags = [values <= rejection_level(level / sides) for level in alpha]
        return np.column_stack([np.add.reduceat(row, starts, dtype=np.intp) for row in flags]).ravel()

    found = frame[["metric", "system_a", "system_b", "exploratory", "claim"]].iloc[np.repeat(starts, len(alpha))]
    found = found.reset_index(drop=True).assign(
        alpha=np.tile(alpha, starts.size), count=counted(p_values, sides), bonferroni=counted(stepwise)
    )
    ends = [*starts[1:], len(frame)]
    curves = [
        curves_of(p_values[start:end], stepwise[start:end], corrected.share, corrected.closed.get(number))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
        if independent
    ]
    for name, method in (("fisher", "fisher"), ("joint", METHOD)):
        own = [one.get(method) for one in curves]
        bounds = [None if one is None else int((one <= rejection_level(level)).sum()) for one in own for level in alpha]
        found[name] = pd.array(bounds or [None] * len(found), dtype="Int64")
    recommended = found["joint"].fillna(found["fisher"]).fillna(found["bonferroni"])
    return found.assign(recommended=recommended.astype(np.int64))


def by_severity(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return each finding once, errors before warnings before notes, otherwise in order of appearance."""
    rank = {"error": 0, "warning": 1, "info": 2}
    return tuple(sorted(dict.fromkeys(findings), key=lambda item: rank[item.severity]))


def _unattainable(design: FamilyDesign, frame: pd.DataFrame, corrected: Corrected, alpha: float) -> list[Finding]:
    """Find datasets whose smallest possible p-value is above the first threshold, by metric."""
    found = []
    for metric, divisor in corrected.first.items():
        own = frame[frame["metric"] == metric]
        joint = [corrected.closed[number].needed(alpha) for number in own["claim"].unique() if corrected.closed]
        hardest = min(joint, default=alpha / (divisor * (2 if design == "both" else 1)))
        out_of_reach = own[own["p_min"] > hardest]
        names, units = (list(dict.fromkeys(out_of_reach[column])) for column in ("dataset", "unit"))
        if not names:
            continue
        few = "runs" if units == ["run"] else f"differing {units[0]}s"
        listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        which = f"the first threshold of Holm's method over {counted(divisor, 'test')}"
        if len(corrected.first) > 1:
            which = f"the first threshold of the tests of {metric}"
        if corrected.correction == "max-T":
            which = "the first threshold of the maximum statistic"
        if joint:
            which = "the level at which closed testing can name a dataset on its own,"
        flipped = units == ["dataset"] and set(out_of_reach["test"]) == {"sign-flip"}
        found.append(
            Finding(
                "unattainable-level",
                "info",
                f"With so few {few}, the smallest possible p-value is above {level_text(float(f'{hardest:.2g}'))}, "
                f"{which} at level {level_text(alpha)}.",
                where=listed,
                remedy="choose test='paired-t' (--test paired-t), which can go lower; it assumes that differences over "
                "datasets are close to normal"
                if flipped
                else "",
            )
        )
    return found
