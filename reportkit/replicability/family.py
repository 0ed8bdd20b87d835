"""A declared family of comparisons: who is claimed to be better than whom, and how the level is shared out.

| design    | claims                                     | marks (Holm)                    | level of k-hat by Fisher |
|-----------|--------------------------------------------|---------------------------------|--------------------------|
| declared  | A better than B                            | over N datasets                 | alpha                    |
| both      | A better than B, B better than A           | over N datasets, at alpha / 2   | alpha / 2                |
| baselines | each of J systems better than its baseline | over all J N hypotheses         | alpha / J                |
| all-pairs | every ordered pair                         | over all J (J - 1) N hypotheses | alpha / (J (J - 1))      |
| separate  | several claims, each printed by itself     | over N datasets, for each claim | alpha                    |

`separate` exists for what papers print: each comparison is its own family, and nothing holds for all of them together.

In each design the number of datasets that Holm's procedure identifies in one comparison is a lower bound for the number
of datasets on which its claim is true, and all these bounds hold together with probability 1 - alpha under any
dependence (closed testing with Bonferroni's local tests; Goeman and Solari 2011). With one comparison it is exactly
k-hat by Bonferroni of Dror et al. (2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.replicability.closed_testing import discoveries
from reportkit.replicability.comparison import Comparison, KHat
from reportkit.replicability.holm import holm
from reportkit.replicability.independence import IndependenceAudit
from reportkit.replicability.p_values import rejection_level
from reportkit.replicability.partial_conjunction import partial_conjunction
from reportkit.significance.assessment import Assessment

FamilyDesign = Literal["declared", "both", "baselines", "all-pairs", "separate"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Family:
    """All directional comparisons of one analysis, corrected together.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        See the table of this module.
    comparisons : tuple of Comparison
        One per claim.
    n_hypotheses : int
        Number of p-values that were corrected together for the marks.
    alpha : tuple of float
        Levels, largest first.
    audit : IndependenceAudit
        Whether Fisher's method may be used.
    findings : tuple of Finding
        Of all assessments and of the family itself, worst first, each once.
    """

    design: FamilyDesign
    comparisons: tuple[Comparison, ...]
    n_hypotheses: int
    alpha: tuple[float, ...]
    audit: IndependenceAudit
    findings: tuple[Finding, ...] = ()

    def __getitem__(self, pair: tuple[str, str]) -> Comparison:
        """Return the comparison that claims the first system to be better than the second."""
        for comparison in self.comparisons:
            if (comparison.system_a, comparison.system_b) == pair:
                return comparison
        known = [f"{item.system_a} > {item.system_b}" for item in self.comparisons]
        raise UnknownNameError("comparison", " > ".join(pair), known)

    @property
    def datasets(self) -> tuple[str, ...]:
        """Datasets of all comparisons, each once, in order."""
        return tuple(dict.fromkeys(name for comparison in self.comparisons for name in comparison.datasets))

    @property
    def one_claim(self) -> bool:
        """Whether there is one pair of systems, in one direction or in both."""
        return self.design in ("declared", "both")

    @property
    def n_claims(self) -> int:
        """Number of directional comparisons."""
        return len(self.comparisons)

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
) -> Family:
    """Correct all comparisons of one analysis together, and count.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        How the level is shared out; see the table of this module.
    assessments : mapping of (str, str) to tuple of Assessment
        By (A, B), read one-sided in favour of A; for "both" and "all-pairs" with both orders.
    alpha : tuple of float
        Levels.
    audit : IndependenceAudit
        Decides whether Fisher's method is given.
    findings : sequence of Finding
        What was found before, such as at ingestion.

    Returns
    -------
    Family
    """
    if not assessments:
        raise SettingsError("there is nothing to compare", remedy="give at least two systems")
    p_values = {claim: np.array([item.p_value for item in items]) for claim, items in assessments.items()}
    adjusted, n_hypotheses = _adjusted(design, p_values)
    share = 1 if design == "separate" else len(p_values)
    comparisons = tuple(
        _comparison(claim, assessments[claim], p_values[claim], adjusted[claim], share, alpha, audit, design)
        for claim in assessments
    )
    every = [*findings, *_family_findings(design, comparisons, n_hypotheses, alpha, audit)]
    for items in assessments.values():
        for item in items:
            every.extend(item.findings)
    return Family(
        design=design,
        comparisons=comparisons,
        n_hypotheses=n_hypotheses,
        alpha=alpha,
        audit=audit,
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
    method : {"bonferroni", "fisher", "simes"}, optional
        Local tests; by default those of the recommended k-hat. Simes needs positive dependence, which the caller
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
    method = method or ("fisher" if audit.independent else "bonferroni")
    if method == "fisher" and not audit.independent:
        raise SettingsError(
            "Fisher's method needs independent datasets",
            where="; ".join(audit.evidence) or f"datasets={audit.declared!r} was declared",
            remedy="use method='bonferroni', or declare datasets='independent' if no two share instances",
        )
    if method == "bonferroni":
        return int(comparison.identified(alpha)[chosen].sum())
    return int(discoveries(comparison.p_values, chosen, alpha / comparison.share, method))


def by_severity(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each finding once, errors before warnings before notes, otherwise in order of appearance."""
    rank = {"error": 0, "warning": 1, "info": 2}
    return tuple(sorted(dict.fromkeys(findings), key=lambda item: rank[item.severity]))


def _adjusted(
    design: FamilyDesign, p_values: Mapping[tuple[str, str], NDArray[np.float64]]
) -> tuple[dict[tuple[str, str], NDArray[np.float64]], int]:
    if design in ("both", "separate"):
        sides = 2.0 if design == "both" else 1.0
        return {claim: np.minimum(1.0, sides * holm(p)) for claim, p in p_values.items()}, max(
            map(len, p_values.values())
        )
    together = holm(np.concatenate(list(p_values.values())))
    ends = np.cumsum([p.size for p in p_values.values()])[:-1]
    return dict(zip(p_values, np.split(together, ends), strict=True)), int(together.size)


def _comparison(
    claim: tuple[str, str],
    assessments: tuple[Assessment, ...],
    p_values: NDArray[np.float64],
    adjusted: NDArray[np.float64],
    share: int,
    alpha: tuple[float, ...],
    audit: IndependenceAudit,
    design: FamilyDesign,
) -> Comparison:
    curves = {"bonferroni": np.sort(adjusted)}
    if audit.independent:
        curves["fisher"] = np.minimum(1.0, share * partial_conjunction(p_values, "fisher"))
    sides = 2 if design in ("both", "all-pairs") else 1
    k_hat = {
        level: KHat(
            count=int((p_values <= rejection_level(level / sides)).sum()),
            bonferroni=_k_hat(curves["bonferroni"], level),
            fisher=_k_hat(curves["fisher"], level) if "fisher" in curves else None,
        )
        for level in alpha
    }
    return Comparison(
        system_a=claim[0],
        system_b=claim[1],
        assessments=assessments,
        adjusted_p_values=adjusted,
        share=share,
        k_hat=k_hat,
        partial_conjunction=curves,
    )


def _k_hat(curve: NDArray[np.float64], alpha: float) -> int:
    return int((curve <= rejection_level(alpha)).sum())


def _family_findings(
    design: FamilyDesign,
    comparisons: tuple[Comparison, ...],
    n_hypotheses: int,
    alpha: tuple[float, ...],
    audit: IndependenceAudit,
) -> list[Finding]:
    found = []
    if audit.declared == "independent" and audit.evidence:
        found.append(
            Finding(
                "not-independent",
                "error",
                "The datasets were declared independent, but " + "; ".join(audit.evidence) + ". "
                "Fisher's method is therefore not given.",
                remedy="declare them dependent or unknown, or remove the overlap",
            )
        )
    elif audit.declared == "independent" and audit.blind:
        found.append(
            Finding(
                "independence-not-audited",
                "info",
                f"The datasets were declared independent; shared instances could not be looked for: {audit.blind}.",
            )
        )
    hardest = alpha[0] / (n_hypotheses * (2 if design == "both" else 1))
    hopeless: dict[str, None] = {}
    for comparison in comparisons:
        for item in comparison.assessments:
            if item.outcome.p_min > hardest and item.outcome.method != "printed":
                hopeless[item.dataset] = None
    if hopeless:
        names = list(hopeless)
        listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        found.append(
            Finding(
                "unattainable-level",
                "info",
                f"With so few differing instances, the smallest possible p-value is above {hardest:.2g}, the first "
                f"threshold of Holm's procedure over {n_hypotheses:,} hypotheses at alpha = {alpha[0]:g}.",
                where=listed,
            )
        )
    return found
