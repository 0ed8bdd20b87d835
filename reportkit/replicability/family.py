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

Under the profile of Dror et al. (2017), and for what a paper prints, independent datasets are counted by Fisher's
combination, at alpha divided by the number of claims that share the level, and named by Holm's procedure. Each of the
two keeps the level; they do not keep it together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted, level_text, percent_text
from reportkit.replicability.comparison import Comparison, KHat
from reportkit.replicability.independence.correlated_scores import false_claims
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.multiple_testing.combination import rejection_level
from reportkit.replicability.multiple_testing.correction import (
    METHOD,
    Corrected,
    Correction,
    FamilyDesign,
    Part,
    correct_together,
)
from reportkit.replicability.multiple_testing.partial_conjunction import discoveries, partial_conjunction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.settings import Settings
from reportkit.significance.outcome import Outcome, Swapped, unswapped

A = TypeVar("A", bound=ReplicabilityAnalysis)

_LISTED = 6  # pairs of datasets, or of systems, that a message names


def build_family(
    design: FamilyDesign,
    assessments: Mapping[tuple[str, str], Sequence[Outcome]],
    *,
    settings: Settings,
    audit: IndependenceAudit,
    findings: Sequence[Finding] = (),
    metrics: Sequence[str] = (),
    jointly: bool = True,
    into: type[A] = ReplicabilityAnalysis,  # type: ignore[assignment] # the numbers alone, unless more is asked for
) -> A:
    """Correct all comparisons of one analysis together, and count.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        How the level is shared out; see the table of this module.
    assessments : mapping of (str, str) to sequence of Outcome
        By (A, B), read one-sided in favour of A, of all metrics; for "both" and "all-pairs" with both orders.
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
    into : type
        Class of the result: `reportkit.analysis.Analysis`, or the numbers alone.

    Returns
    -------
    ReplicabilityAnalysis
        An instance of `into`.
    """
    if not assessments:
        raise SettingsError("there is nothing to compare", remedy="give at least two systems")
    metrics = tuple(metrics) or (next(iter(assessments.values()))[0].metric,)
    alpha, gatekeeping = settings.alpha, settings.gatekeeping if len(metrics) > 1 else "none"
    parts = {
        (metric, claim): items
        for metric in metrics
        for claim, every in assessments.items()
        if len(items := every if len(metrics) == 1 else of_metric(every, metric))
    }
    frame = outcomes_frame(parts)
    ends = np.cumsum([0, *map(len, parts.values())])
    slices = {part: slice(start, end) for part, start, end in zip(parts, ends[:-1], ends[1:], strict=True)}
    columns = {name: frame[name].to_numpy() for name in ("p_value", "difference", "score_difference")}
    p_values = {part: columns["p_value"][here] for part, here in slices.items()}
    names = frame["dataset"].tolist()
    datasets = {part: tuple(names[here]) for part, here in slices.items()}
    close = jointly and audit.independent
    corrected = correct_together(design, metrics, p_values, gatekeeping, datasets, close=close)
    closed, share = corrected.closed, corrected.share
    correction: Correction = "closed testing" if closed else "graph" if gatekeeping == "by-dataset" else "Holm"
    stepwise = np.concatenate([corrected.adjusted[part] for part in parts])
    adjusted = np.concatenate([closed[part].adjusted for part in parts]) if closed else stepwise
    exploratory = {part: gatekeeping == "exploratory" and part[0] != metrics[0] for part in parts}
    frame = frame.assign(
        adjusted_p_value=adjusted,
        identified=adjusted <= rejection_level(alpha[0]),
        exploratory=np.repeat([*exploratory.values()], np.diff(ends)),
    )
    sides = 2 if design in ("both", "all-pairs") else 1
    counts = {
        level: (
            _numbers(columns["p_value"] <= rejection_level(level / sides), ends),
            _numbers(stepwise <= rejection_level(level), ends),
        )
        for level in alpha
    }
    claim_of = np.repeat(np.arange(len(parts)), np.diff(ends))
    ascending = stepwise[np.lexsort((stepwise, claim_of))]
    comparisons = []
    for place, (part, here) in enumerate(slices.items()):
        curves = {"bonferroni": ascending[here]}
        if audit.independent and share is not None and len(parts[part]) > 1:
            curves["fisher"] = np.minimum(1.0, share * partial_conjunction(p_values[part], "fisher"))
        if part in closed:
            curves[METHOD] = closed[part].curve
        k_hat = {level: KHat(raw[place], named[place]) for level, (raw, named) in counts.items()}
        if len(curves) > 1:
            fisher, joint = curves.get("fisher"), curves.get(METHOD)
            k_hat = {
                level: replace(known, fisher=_k_hat(fisher, level), joint=_k_hat(joint, level))
                for level, known in k_hat.items()
            }
        comparisons.append(
            Comparison(
                system_a=part[1][0],
                system_b=part[1][1],
                metric=part[0],
                datasets=datasets[part],
                assessments=parts[part],
                p_values=p_values[part],
                differences=columns["difference"][here],
                score_differences=columns["score_difference"][here],
                adjusted_p_values=adjusted[here],
                stepwise_p_values=stepwise[here],
                joint=closed.get(part),
                share=share,
                k_hat=k_hat,
                partial_conjunction=curves,
                exploratory=exploratory[part],
                correction=correction,
            )
        )
    every = [*findings, *_about_independence(audit, max(len(item.datasets) for item in comparisons))]
    every += _unattainable(design, comparisons, corrected, frame, alpha[0])
    every.extend(finding for items in assessments.values() for item in unswapped(items) for finding in item.findings)
    return into(
        design=design,
        comparisons=tuple(comparisons),
        frame=frame,
        n_hypotheses=corrected.n_hypotheses,
        audit=audit,
        metrics=metrics,
        sizes=corrected.sizes,
        settings=settings,
        findings=by_severity(every),
    )


def outcomes_frame(parts: Mapping[Part, Sequence[Outcome]]) -> pd.DataFrame:
    """Return one row for each metric, claim and dataset, in this order; numbers are those in favour of the claim."""
    rows: list[tuple[Any, ...]] = []
    for (metric, (a, b)), items in parts.items():
        sign, turned = (-1.0, True) if isinstance(items, Swapped) else (1.0, False)
        for item in unswapped(items):
            low, high = (None, None) if item.interval is None else (item.interval.low, item.interval.high)
            rows.append(
                (
                    *(metric, a, b, item.dataset, item.n),
                    *((item.score_b, item.score_a) if turned else (item.score_a, item.score_b)),
                    *(sign * item.estimate + 0.0, sign * item.score_difference + 0.0),
                    *((low, high) if low is None or high is None or not turned else (-high, -low)),
                    *(item.p_less if turned else item.p_greater, item.test),
                    0.0 if item.method == "printed" else item.p_min,
                    *(item.relative_error, item.standard_error, item.n_resamples, item.unit),
                )
            )
    frame = pd.DataFrame(rows, columns=_COLUMNS, dtype=object)  # Arrow refuses some names
    return frame.astype({"n": "Int64", "n_resamples": "Int64", **dict.fromkeys(_FLOATS, np.float64)})


_FLOATS = (
    *("score_a", "score_b", "difference", "score_difference", "ci_low", "ci_high", "p_value", "p_min"),
    *("relative_error", "standard_error"),
)
_COLUMNS = [
    *("metric", "system_a", "system_b", "dataset", "n", "score_a", "score_b", "difference", "score_difference"),
    *("ci_low", "ci_high", "p_value", "test", "p_min", "relative_error", "standard_error", "n_resamples", "unit"),
]


def of_metric(items: Sequence[Outcome], metric: str) -> Sequence[Outcome]:
    """Return the outcomes by one metric."""
    own = tuple(item for item in unswapped(items) if item.metric == metric)
    return Swapped(own) if isinstance(items, Swapped) else own


def _numbers(flags: NDArray[np.bool_], ends: NDArray[np.intp]) -> list[int]:
    """Return the number of true values of each claim."""
    found: list[int] = np.add.reduceat(flags, ends[:-1], dtype=np.intp).tolist()
    return found


def _k_hat(curve: NDArray[np.float64] | None, alpha: float) -> int | None:
    return None if curve is None else int((curve <= rejection_level(alpha)).sum())


def discovered(comparison: Comparison, subset: Sequence[str], alpha: float) -> int:
    """Return the least number of datasets of a subset on which A is better, valid for all subsets at once.

    Parameters
    ----------
    comparison : Comparison
        A against B.
    subset : sequence of str
        Names of datasets, chosen before or after looking at the results.
    alpha : float
        Level. The local tests are those behind the recommended k-hat.

    Raises
    ------
    UnknownNameError
        If a dataset does not occur.
    """
    names = comparison.datasets
    for name in subset:
        if name not in names:
            raise UnknownNameError("dataset", name, names)
    chosen = np.isin(names, list(subset))
    if comparison.joint is not None:
        return comparison.joint.discoveries(chosen, alpha)
    if "fisher" in comparison.partial_conjunction:
        return discoveries(comparison.p_values, chosen, alpha / (comparison.share or 1), "fisher")
    return int((comparison.stepwise_p_values <= rejection_level(alpha))[chosen].sum())


def by_severity(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return each finding once, errors before warnings before notes, otherwise in order of appearance."""
    rank = {"error": 0, "warning": 1, "info": 2}
    return tuple(sorted(dict.fromkeys(findings), key=lambda item: rank[item.severity]))


def _about_independence(audit: IndependenceAudit, n_datasets: int) -> list[Finding]:
    """Report the evidence against independence of datasets that were declared independent."""
    found = []
    if audit.declared == "independent" and audit.evidence:
        shown: list[str] = list(audit.evidence[:_LISTED])
        if len(audit.evidence) > len(shown):
            shown.append(f"there are {len(audit.evidence) - len(shown):,} more such pairs")
        found.append(
            Finding(
                "not-independent",
                "error",
                "The datasets were declared independent, but " + "; ".join(shown) + ". "
                "Fisher's method is therefore not given.",
                remedy="leave out dependence='independent' (--dependence independent), or remove the overlap",
            )
        )
    if audit.independent and audit.correlated:
        more = len(audit.correlated) - 1
        others = f", and so are those on {counted(more, 'more pair')}" if more else ""
        found.append(
            Finding(
                "correlated-datasets",
                "warning",
                f"The datasets were declared independent, and {audit.correlated[0]}{others}. If differences between "
                f"systems are correlated as much, a false claim is made on {n_datasets:,} datasets in "
                f"{percent_text(float(f'{false_claims(n_datasets, audit.largest_r):.2g}'))} of all reports, not in 5%.",
                remedy="leave out dependence='independent' (--dependence independent), unless instances of the same "
                "number have nothing in common: test sets sorted by class, say, are correlated and independent",
            )
        )
    if audit.independent and audit.same_runs:
        found.append(
            Finding(
                "same-runs",
                "warning",
                "The datasets were declared independent, and runs have the same names on several of them. If these are "
                "the same trained models, a lucky run is lucky on all of them, and Fisher's method is not valid.",
                remedy="leave out dependence='independent' (--dependence independent) if models were scored on "
                "several of them, or claim something about these runs alone: runs='fixed' (--runs fixed)",
            )
        )
    if not audit.evidence and audit.declared == "independent" and audit.blind:
        found.append(
            Finding(
                "independence-not-audited",
                "info",
                f"The datasets were declared independent; shared instances could not be looked for: {audit.blind}.",
            )
        )
    return found


def _unattainable(
    design: FamilyDesign,
    comparisons: Sequence[Comparison],
    corrected: Corrected,
    frame: pd.DataFrame,
    alpha: float,
) -> list[Finding]:
    """Find datasets whose smallest possible p-value is above the first threshold, by metric."""
    found = []
    for metric, divisor in corrected.first.items():
        joint = [item.joint.needed(alpha) for item in comparisons if item.metric == metric and item.joint is not None]
        hardest = min(joint, default=alpha / (divisor * (2 if design == "both" else 1)))
        out_of_reach = frame[(frame["metric"] == metric) & (frame["p_min"] > hardest)]
        hopeless = list(dict.fromkeys(zip(out_of_reach["dataset"], out_of_reach["unit"], strict=True)))
        if not hopeless:
            continue
        names = list(dict.fromkeys(dataset for dataset, _ in hopeless))
        few = "runs" if all(unit == "run" for _, unit in hopeless) else f"differing {hopeless[0][1]}s"
        listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        which = f"the first threshold of Holm's method over {counted(divisor, 'test')}"
        if len(corrected.first) > 1:
            which = f"the first threshold of the tests of {metric}"
        if joint:
            which = "the level at which closed testing can name a dataset on its own,"
        flipped = set(out_of_reach["unit"]) == {"dataset"} and set(out_of_reach["test"]) == {"sign-flip"}
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
