"""A declared family of comparisons: who is claimed to be better than whom, and how the level is shared out.

| design    | claims                                     | together at level alpha                         |
|-----------|--------------------------------------------|-------------------------------------------------|
| declared  | A better than B                            | N hypotheses, one for each dataset              |
| both      | A better than B, B better than A           | N hypotheses in each direction, at alpha / 2    |
| baselines | each of J systems better than its baseline | J N hypotheses                                  |
| all-pairs | every ordered pair                         | J (J - 1) N hypotheses                          |
| separate  | several claims, each printed by itself     | N hypotheses for each claim, nothing for all    |

`separate` exists for what papers print: each comparison is its own family, and nothing holds for all of them together.
Several metrics multiply the claims; how they share the level is said in
`reportkit.replicability.multiple_testing.correction`. With `gatekeeping="none"` the table holds with the hypotheses of
all metrics; in each direction of `both` the metrics are corrected together at half the level.

One closed test counts and names, so that all counts and names of all claims hold together with probability 1 - alpha,
and no count is below the number of names (Goeman and Solari 2011). Its local tests are

- Bonferroni's where nothing is known of the dependence between datasets: names are those of Holm's procedure, and the
  count of a claim is their number; with one claim that is k-hat by Bonferroni of Dror et al. (2017),
- "fisher-bonferroni" in each claim where datasets are independent: see
  `reportkit.replicability.multiple_testing.joint_closed_test`.

Under the profile of Dror et al. (2017), and for what a paper prints, independent datasets are counted by Fisher's
combination, at alpha divided by the number of claims that share the level, and named by Holm's procedure. Each of the
two keeps the level; they do not keep it together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.comparison import Comparison, Comparisons, KHat
from reportkit.replicability.independence.correlated_scores import false_claims
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.multiple_testing.adjustment import Correction
from reportkit.replicability.multiple_testing.closed_testing import discoveries
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.correction import (
    Corrected,
    FamilyDesign,
    Part,
    close_together,
    correct_together,
    share_of_fisher,
)
from reportkit.replicability.multiple_testing.joint_closed_test import METHOD, JointClaim
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.settings import Settings
from reportkit.significance.assessed import OnDatasets
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import UNSTABLE, straddles

A = TypeVar("A", bound=ReplicabilityAnalysis)
T = TypeVar("T")

_LISTED = 6  # pairs of datasets, or of systems, that a message names
_NEAR = 2.0
"""Adjusted p-values further from the level, as a factor, are known well enough."""


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
        What is made of it: `reportkit.analysis.Analysis`, or the numbers alone.

    Returns
    -------
    ReplicabilityAnalysis
        An `into`.
    """
    if not assessments:
        raise SettingsError("there is nothing to compare", remedy="give at least two systems")
    claims = {claim: OnDatasets.of(items) for claim, items in assessments.items()}
    metrics = tuple(metrics) or (next(iter(claims.values())).metric,)
    alpha, gatekeeping = settings.alpha, settings.gatekeeping if len(metrics) > 1 else "none"
    parts = {
        (metric, claim): items
        for metric in metrics
        for claim, every in claims.items()
        if len(items := every if len(metrics) == 1 else every.of_metric(metric))
    }
    corrected = correct_together(design, metrics, parts, gatekeeping)
    countable = jointly and audit.independent
    closed = close_together(design, metrics, parts, gatekeeping) if countable else {}
    share = share_of_fisher(design, metrics, parts, gatekeeping)
    sides = 2 if design in ("both", "all-pairs") else 1

    @cache
    def curves() -> Mapping[Part, NDArray[np.float64]]:
        return _by_row(partial(np.sort, axis=1), corrected.adjusted)

    @cache
    def counts(level: float) -> Mapping[Part, tuple[int, int]]:
        """How many p-values are rejected without the correction, and with it."""
        raw = _by_row(partial(_up_to, level / sides), {part: items.p_values for part, items in parts.items()})
        adjusted = _by_row(partial(_up_to, level), curves())
        return {part: (raw[part], adjusted[part]) for part in parts}

    def comparison(part: Part) -> Comparison:
        return _comparison(
            part,
            parts[part],
            corrected.adjusted[part],
            {"bonferroni": curves()[part]},
            {level: counts(level)[part] for level in alpha},
            joint=closed.get(part),
            share=share,
            independent=audit.independent,
            exploratory=gatekeeping == "exploratory" and part[0] != metrics[0],
            correction="closed testing" if closed else "graph" if gatekeeping == "by-dataset" else "Holm",
        )

    every = [*findings, *_family_findings(design, parts, corrected, closed, alpha[0], audit)]
    if any(here.findings for here in OnDatasets.assessed(claims.values())):
        every.extend(finding for items in claims.values() for _, finding in items.findings())
    return into(
        design=design,
        comparisons=Comparisons(parts, comparison),
        n_hypotheses=corrected.n_hypotheses,
        audit=audit,
        metrics=metrics,
        sizes=corrected.sizes,
        settings=settings,
        findings=by_severity(every),
    )


def discovered(
    comparison: Comparison, subset: Sequence[str], alpha: float, audit: IndependenceAudit, method: str | None = None
) -> int:
    """Lower bound for the number of datasets of a subset on which A is better, valid for all subsets at once.

    Parameters
    ----------
    comparison : Comparison
        A against B.
    subset : sequence of str
        Names of datasets, chosen before or after looking at the results.
    alpha : float
        Level.
    audit : IndependenceAudit
        Fisher's local tests need independence.
    method : {"bonferroni", "fisher", "fisher-bonferroni", "simes"}, optional
        Local tests; by default those behind the recommended k-hat. Simes needs positive dependence, which the caller
        asserts by naming it.

    Raises
    ------
    UnknownNameError
        If a dataset does not occur.
    SettingsError
        If Fisher's method is asked for without independence.
    """
    names = comparison.datasets
    for name in subset:
        if name not in names:
            raise UnknownNameError("dataset", name, names)
    chosen = np.isin(names, list(subset))
    fisher = "fisher" if "fisher" in comparison.partial_conjunction else "bonferroni"
    method = method or (fisher if comparison.joint is None else METHOD)
    if method == METHOD and comparison.joint is not None:
        return comparison.joint.discoveries(chosen, alpha)
    if method != "bonferroni" and comparison.share is None:
        raise SettingsError(
            f"{method!r} has no level of its own where the level is passed on from metric to metric",
            remedy="use method='bonferroni', or gatekeeping='none'",
        )
    if COMBINATIONS[method].validity == "independent" and not audit.independent:
        raise SettingsError(
            f"{COMBINATIONS[method].title}'s method needs independent datasets",
            where="; ".join(audit.evidence) or f"dependence={audit.declared!r}",
            remedy="use method='bonferroni', or declare dependence='independent' if no two share instances",
        )
    if method == "bonferroni":
        return int((comparison.stepwise_p_values <= rejection_level(alpha))[chosen].sum())
    return int(discoveries(comparison.p_values, chosen, alpha / (comparison.share or 1), method))


def by_severity(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each finding once, errors before warnings before notes, otherwise in order of appearance."""
    rank = {"error": 0, "warning": 1, "info": 2}
    return tuple(sorted(dict.fromkeys(findings), key=lambda item: rank[item.severity]))


def _comparison(
    part: Part,
    assessments: OnDatasets,
    stepwise: NDArray[np.float64],
    curves: dict[str, NDArray[np.float64]],
    counted: Mapping[float, tuple[int, int]],
    *,
    joint: JointClaim | None,
    share: int | None,
    independent: bool,
    exploratory: bool,
    correction: Correction,
) -> Comparison:
    """Add to what is counted with all comparisons, by level, what one of them has of its own."""
    if independent and share is not None and len(assessments) > 1:
        curves["fisher"] = np.minimum(1.0, share * partial_conjunction(assessments.p_values, "fisher"))
    if joint is not None:
        curves[METHOD] = joint.curve
    k_hat = {
        level: _k_hat_of(
            count, bonferroni, *(_k_hat(curves[name], level) if name in curves else None for name in ("fisher", METHOD))
        )
        for level, (count, bonferroni) in counted.items()
    }
    return Comparison(
        system_a=part[1][0],
        system_b=part[1][1],
        assessments=assessments,
        adjusted_p_values=stepwise if joint is None else joint.adjusted,
        stepwise_p_values=stepwise,
        joint=joint,
        share=share,
        k_hat=k_hat,
        partial_conjunction=curves,
        exploratory=exploratory,
        correction=correction,
    )


@lru_cache(maxsize=1024)
def _k_hat_of(count: int, bonferroni: int, fisher: int | None, joint: int | None) -> KHat:
    """Most of many comparisons have one of a few."""
    return KHat(count=count, bonferroni=bonferroni, fisher=fisher, joint=joint)


def _k_hat(curve: NDArray[np.float64], alpha: float) -> int:
    return int((curve <= rejection_level(alpha)).sum())


def _up_to(alpha: float, rows: NDArray[np.float64]) -> list[int]:
    """How many p-values of each row are rejected."""
    found: list[int] = (rows <= rejection_level(alpha)).sum(axis=1).tolist()
    return found


def _by_row(
    work: Callable[[NDArray[np.float64]], Iterable[T]], arrays: Mapping[Part, NDArray[np.float64]]
) -> dict[Part, T]:
    """The same of many arrays at once: those of one size are rows."""
    by_size: dict[int, list[Part]] = {}
    for part, array in arrays.items():
        by_size.setdefault(array.size, []).append(part)
    return {
        part: one
        for parts in by_size.values()
        for part, one in zip(parts, work(np.stack([arrays[part] for part in parts])), strict=True)
    }


def _family_findings(
    design: FamilyDesign,
    parts: Mapping[Part, OnDatasets],
    corrected: Corrected,
    closed: Mapping[Part, JointClaim],
    alpha: float,
    audit: IndependenceAudit,
) -> list[Finding]:
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
                remedy="leave dependence='independent' (--dependence independent) away, or remove the overlap",
            )
        )
    if audit.independent and audit.correlated:
        n = max(map(len, parts.values()))
        more = len(audit.correlated) - 1
        others = f", and so are those on {counted(more, 'more pair')}" if more else ""
        found.append(
            Finding(
                "correlated-datasets",
                "warning",
                f"The datasets were declared independent, and {audit.correlated[0]}{others}. If differences between "
                f"systems are correlated as much, a false claim is made on {n:,} datasets in "
                f"{percent_text(float(f'{false_claims(n, audit.largest_r):.2g}'))} of all reports, not in 5%.",
                remedy="leave dependence='independent' (--dependence independent) away, unless instances of the same "
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
                remedy="leave dependence='independent' (--dependence independent) away if models were scored on "
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
    return [*found, *_unattainable(design, parts, corrected, closed, alpha), *_unstable(parts, corrected, alpha)]


def _unstable(parts: Mapping[Part, OnDatasets], corrected: Corrected, alpha: float) -> list[Finding]:
    """Adjusted p-values that another seed could put on the other side of the level, of which no test says so itself.

    What a p-value is compared with depends on all others, and is not known when it is computed.
    """
    claims = [*parts]
    ends = np.cumsum([len(items) for items in parts.values()])
    ratios = np.concatenate([corrected.adjusted[claim] for claim in claims]) / alpha
    found = []
    for place in np.flatnonzero((ratios > 1 / _NEAR) & (ratios < _NEAR)):
        claim = claims[number := int(np.searchsorted(ends, place, side="right"))]
        items, index = parts[claim], int(place - ends[number])  # counted from the end
        if items.field("n_resamples")[index] is None:
            continue
        outcome = items[index]
        itself = any(finding.code == UNSTABLE for finding in outcome.findings)
        if not itself and straddles(outcome, (float(items.p_values[index] / ratios[place]),)):
            found.append(f"{' v '.join(claim[1])} on {outcome.dataset}")
    if not found:
        return []
    more = f"; and {len(found) - _LISTED:,} more" if len(found) > _LISTED else ""
    return [
        Finding(
            UNSTABLE,
            "warning",
            f"{counted(len(found), 'adjusted p-value')} {'is' if len(found) == 1 else 'are'} too close to the level "
            "for random resamples to settle: with another seed the verdict could change.",
            where="; ".join(found[:_LISTED]) + more,
            remedy="report these verdicts as borderline",
        )
    ]


def _unattainable(
    design: FamilyDesign,
    parts: Mapping[Part, OnDatasets],
    corrected: Corrected,
    closed: Mapping[Part, JointClaim],
    alpha: float,
) -> list[Finding]:
    """Datasets whose smallest possible p-value is above the first threshold, by metric."""
    found = []
    for metric, divisor in corrected.first.items():
        own = {part: items for part, items in parts.items() if part[0] == metric}
        joint = [closed[part].needed(alpha) for part in own if part in closed]
        hardest = min(joint, default=alpha / (divisor * (2 if design == "both" else 1)))
        if all(max(here.columns["p_min"]) <= hardest for here in OnDatasets.assessed(own.values())):
            continue
        hopeless = list(dict.fromkeys(chain.from_iterable(items.out_of_reach(hardest) for items in own.values())))
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
        found.append(
            Finding(
                "unattainable-level",
                "info",
                f"With so few {few}, the smallest possible p-value is above {level_text(float(f'{hardest:.2g}'))}, "
                f"{which} at level {level_text(alpha)}.",
                where=listed,
            )
        )
    return found
