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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.language.short_repr import short_repr
from reportkit.replicability.comparison import Comparison, Correction, KHat
from reportkit.replicability.independence.independence import IndependenceAudit
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
from reportkit.settings import Gatekeeping, PrintedReading
from reportkit.significance.outcome import Assessment

_LISTED = 6  # pairs of datasets that a message names


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Family:
    """All directional comparisons of one analysis, corrected together.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        See the table of this module.
    comparisons : tuple of Comparison
        One per claim and metric; the primary metric first.
    n_hypotheses : int
        Number of p-values that were corrected together for the marks.
    metrics : tuple of str
        All metrics of the analysis, the primary one first.
    gatekeeping : {"none", "serial", "by-dataset", "exploratory"}
        How the metrics share the level.
    sizes : mapping of str to int
        By metric, the number of p-values that were corrected together at its stage.
    preregistered : bool
        Whether the user says that directions were declared before the results were seen.
    printed_reading : {"as-printed", "observed-direction", "two-sided"}, optional
        How p-values that a paper prints were read; None where they were computed.
    alpha : tuple of float
        Levels, largest first.
    audit : IndependenceAudit
        Whether Fisher's method may be used.
    findings : tuple of Finding
        Of all assessments and of the family itself, worst first, each once.
    labels : mapping of str to str
        Names in the data, which findings speak of, to what is printed instead.
    """

    design: FamilyDesign
    comparisons: tuple[Comparison, ...]
    n_hypotheses: int
    alpha: tuple[float, ...]
    audit: IndependenceAudit
    metrics: tuple[str, ...]
    gatekeeping: Gatekeeping
    sizes: Mapping[str, int]
    preregistered: bool = False
    printed_reading: PrintedReading | None = None
    findings: tuple[Finding, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    __repr__ = short_repr

    def __getitem__(self, key: tuple[str, str] | tuple[str, str, str]) -> Comparison:
        """Return the comparison that claims the first system to be better than the second, by the metric named third.

        Raises
        ------
        UnknownNameError
            If there is no such comparison.
        SettingsError
            If no metric is named, and there are several.
        """
        found = []
        for item in self.comparisons:
            if (item.system_a, item.system_b) == key[:2] and (len(key) == 2 or item.metric == key[2]):
                if len(key) == 3 or not self.several_metrics:
                    return item
                found.append(item)
        if len(found) > 1:
            raise SettingsError(
                f"{key[0]!r} and {key[1]!r} are compared by {len(found)} metrics",
                where=", ".join(map(repr, self.metrics)),
                remedy=f"name one: family[{key[0]!r}, {key[1]!r}, {found[0].metric!r}]",
            )
        if found:
            return found[0]
        known = [f"{item.system_a} > {item.system_b}" for item in self.comparisons]
        if len(key) == 3:
            known = [f"{name} ({item.metric})" for name, item in zip(known, self.comparisons, strict=True)]
            raise UnknownNameError("comparison", f"{key[0]} > {key[1]} ({key[2]})", known)
        raise UnknownNameError("comparison", " > ".join(key), known)

    def of_metric(self, metric: str) -> Family:
        """Return the part that one metric has in the family; what was corrected together stays so.

        Raises
        ------
        UnknownNameError
            If there is no such metric.
        """
        if metric not in self.metrics:
            raise UnknownNameError("metric", metric, self.metrics)
        chosen = tuple(item for item in self.comparisons if item.metric == metric)
        return replace(self, comparisons=chosen, n_hypotheses=self.sizes[metric])

    @property
    def metrics_here(self) -> tuple[str, ...]:
        """Metrics of the comparisons: one in the part of a metric, all in the whole."""
        return tuple(dict.fromkeys(item.metric for item in self.comparisons))

    @property
    def several_metrics(self) -> bool:
        """Whether the analysis has several metrics, of which this may be the part of one."""
        return len(self.metrics) > 1

    @property
    def datasets(self) -> tuple[str, ...]:
        """Datasets of all comparisons, each once, in order."""
        return tuple(dict.fromkeys(name for comparison in self.comparisons for name in comparison.datasets))

    @property
    def on_same_datasets(self) -> bool:
        """Whether all comparisons are on as many datasets; if not, some systems were not scored on all of them."""
        return len({comparison.n_datasets for comparison in self.comparisons}) == 1

    @property
    def across_datasets(self) -> bool:
        """Whether the datasets are the sample, one score of each system on each."""
        return self.comparisons[0].assessments[0].unit == "dataset"  # of all comparisons, or of none

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """Assessments of all comparisons, in order."""
        return tuple(item for comparison in self.comparisons for item in comparison.assessments)

    @property
    def systems_a(self) -> tuple[str, ...]:
        """Systems that are claimed to be better, each once, in order."""
        return tuple(dict.fromkeys(item.system_a for item in self.comparisons))

    @property
    def systems_b(self) -> tuple[str, ...]:
        """Systems that others are claimed to be better than, each once, in order."""
        return tuple(dict.fromkeys(item.system_b for item in self.comparisons))

    @property
    def one_claim(self) -> bool:
        """Whether there is one pair of systems, in one direction or in both."""
        return self.design in ("declared", "both")

    @property
    def correction(self) -> Correction:
        """What adjusted the p-values, of all comparisons."""
        return self.comparisons[0].correction

    @property
    def counted_apart(self) -> bool:
        """Whether counts and names are separate statements: each keeps the level, the two together need not."""
        return any(k.method == "fisher" for item in self.comparisons for k in item.k_hat.values())

    @property
    def n_claims(self) -> int:
        """Number of directional comparisons; the same claim by two metrics counts twice."""
        return len(self.comparisons)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each (A, B) once."""
        return tuple(dict.fromkeys((item.system_a, item.system_b) for item in self.comparisons))

    @property
    def sides(self) -> int:
        """Directions in which each pair is tested: 2 where none was declared."""
        return 2 if self.design in ("both", "all-pairs") else 1


def build_family(
    design: FamilyDesign,
    assessments: Mapping[tuple[str, str], tuple[Assessment, ...]],
    *,
    alpha: tuple[float, ...],
    audit: IndependenceAudit,
    findings: Sequence[Finding] = (),
    metrics: Sequence[str] = (),
    gatekeeping: Gatekeeping = "none",
    jointly: bool = True,
) -> Family:
    """Correct all comparisons of one analysis together, and count.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        How the level is shared out; see the table of this module.
    assessments : mapping of (str, str) to tuple of Assessment
        By (A, B), read one-sided in favour of A, of all metrics; for "both" and "all-pairs" with both orders.
    alpha : tuple of float
        Levels.
    audit : IndependenceAudit
        Decides whether Fisher's method is given.
    findings : sequence of Finding
        What was found before, such as at ingestion.
    metrics : sequence of str
        The metrics, the primary one first, where there are several.
    gatekeeping : {"none", "serial", "by-dataset", "exploratory"}
        How they share the level; see `reportkit.replicability.multiple_testing.correction`.
    jointly : bool
        Whether independent datasets are counted and named by one closed test; if not, by the separate statements of
        Dror et al. (2017).

    Returns
    -------
    Family
    """
    if not assessments:
        raise SettingsError("there is nothing to compare", remedy="give at least two systems")
    metrics = tuple(metrics) or (next(iter(assessments.values()))[0].metric,)
    parts = {
        (metric, claim): items
        for metric in metrics
        for claim, every in assessments.items()
        if (items := tuple(item for item in every if len(metrics) == 1 or item.metric == metric))
    }
    corrected = correct_together(design, metrics, parts, gatekeeping)
    closed = close_together(design, metrics, parts, gatekeeping) if jointly and audit.independent else {}
    share = share_of_fisher(design, metrics, parts, gatekeeping)
    sides = 2 if design in ("both", "all-pairs") else 1
    comparisons = tuple(
        replace(
            _comparison(part, items, corrected.adjusted[part], closed.get(part), share, alpha, audit, sides),
            exploratory=gatekeeping == "exploratory" and part[0] != metrics[0],
            correction="closed testing" if closed else "graph" if gatekeeping == "by-dataset" else "Holm",
        )
        for part, items in parts.items()
    )
    every = [*findings, *_family_findings(design, comparisons, corrected, alpha, audit)]
    for items in assessments.values():
        for item in items:
            every.extend(item.findings)
    return Family(
        design=design,
        comparisons=comparisons,
        n_hypotheses=corrected.n_hypotheses,
        alpha=alpha,
        audit=audit,
        metrics=metrics,
        gatekeeping=gatekeeping,
        sizes=corrected.sizes,
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
    assessments: tuple[Assessment, ...],
    stepwise: NDArray[np.float64],
    joint: JointClaim | None,
    share: int | None,
    alpha: tuple[float, ...],
    audit: IndependenceAudit,
    sides: int,
) -> Comparison:
    p_values = np.array([item.p_value for item in assessments])
    curves = {"bonferroni": np.sort(stepwise)}
    if audit.independent and share is not None and len(assessments) > 1:
        curves["fisher"] = np.minimum(1.0, share * partial_conjunction(p_values, "fisher"))
    if joint is not None:
        curves[METHOD] = joint.curve
    k_hat = {
        level: KHat(
            count=int((p_values <= rejection_level(level / sides)).sum()),
            bonferroni=_k_hat(curves["bonferroni"], level),
            fisher=_k_hat(curves["fisher"], level) if "fisher" in curves else None,
            joint=_k_hat(curves[METHOD], level) if METHOD in curves else None,
        )
        for level in alpha
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
    )


def _k_hat(curve: NDArray[np.float64], alpha: float) -> int:
    return int((curve <= rejection_level(alpha)).sum())


def _family_findings(
    design: FamilyDesign,
    comparisons: tuple[Comparison, ...],
    corrected: Corrected,
    alpha: tuple[float, ...],
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
    if audit.independent and audit.same_runs:
        found.append(
            Finding(
                "same-runs",
                "warning",
                "The datasets were declared independent, and runs have the same names on several of them. If these are "
                "the same trained models, a lucky run is lucky on all of them, and Fisher's method is not valid.",
                remedy="leave dependence='independent' (--dependence independent) away if models were scored on "
                "several of them, or claim something about these very runs: runs='fixed' (--runs fixed)",
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
    return found + _unattainable(design, comparisons, corrected, alpha[0])


def _unattainable(
    design: FamilyDesign, comparisons: tuple[Comparison, ...], corrected: Corrected, alpha: float
) -> list[Finding]:
    """Datasets whose smallest possible p-value is above the first threshold, by metric."""
    found = []
    for metric, divisor in corrected.first.items():
        own = [item for item in comparisons if item.metric == metric or len(corrected.first) == 1]
        joint = [item.joint.needed(alpha) for item in own if item.joint is not None]
        hardest = min(joint, default=alpha / (divisor * (2 if design == "both" else 1)))
        hopeless = list(
            dict.fromkeys(
                (item.dataset, item.unit)
                for comparison in own
                for item in comparison.assessments
                if item.outcome.p_min > hardest and item.outcome.method != "printed"
            )
        )
        if not hopeless:
            continue
        names = list(dict.fromkeys(dataset for dataset, _ in hopeless))
        few = "runs" if all(unit == "run" for _, unit in hopeless) else f"differing {hopeless[0][1]}s"
        listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        which = f"the first threshold of Holm's procedure over {counted(divisor, 'hypothesis', 'hypotheses')}"
        if len(corrected.first) > 1:
            which = f"the first threshold of the tests of {metric}"
        if joint:
            which = "at which closed testing identifies a dataset whatever the others show,"
        found.append(
            Finding(
                "unattainable-level",
                "info",
                f"With so few {few}, the smallest possible p-value is above {hardest:.2g}, "
                f"{which} at alpha = {alpha:g}.",
                where=listed,
            )
        )
    return found
