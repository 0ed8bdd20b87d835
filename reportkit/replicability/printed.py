"""A paper's printed p-values: a family of comparisons, and the paper's own claims, recomputed.

Three columns, never one: what is printed, what follows from the printed p-values taken as they are, and what follows
when a dataset on which the claimed winner scores lower speaks against the claim, as it must.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted, level_text, listed
from reportkit.replicability.compare import SystemScore
from reportkit.replicability.family import A, build_family, by_severity
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.multiple_testing.partial_conjunction import holm, k_hat
from reportkit.scores.printed import PrintedResults, PrintedRow
from reportkit.settings import PrintedReading, Settings
from reportkit.significance.outcome import Outcome, rejection_level

METHODS = ("count", "bonferroni", "fisher")
_METHOD = {"count": "the count", "bonferroni": "Bonferroni's bound", "fisher": "Fisher's bound"}
_FLOOR = np.finfo(np.float64).smallest_normal


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedClaim:
    """The claim of a paper about one comparison at one level.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better.
    alpha : float
        Level.
    k_hat : mapping of str to int
        By method: "count", "bonferroni", "fisher"; those that are printed.
    identified : tuple of str or None
        Datasets that the paper marks; None if it marks none at this level.
    """

    system_a: str
    system_b: str
    alpha: float
    k_hat: Mapping[str, int] = field(default_factory=dict)
    identified: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """One comparison at one level: printed, recomputed, direction-respecting.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better.
    alpha : float
        Level.
    n_datasets : int
        Number of datasets.
    printed : PrintedClaim or None
        What the paper prints, if that was given.
    recomputed : mapping of str to int
        k-hat by method from the printed p-values as they are.
    recomputed_low, recomputed_high : mapping of str to int
        The same with every p-value at the lower, and at the upper end of the interval its printed digits stand for.
    identified : tuple of str
        Datasets that Holm's procedure identifies in the printed p-values.
    wrong_direction : tuple of str
        Those of them on which A scores lower than B.
    a_better, b_better : mapping of PrintedReading to mapping of str to int
        k-hat by method for A better, and for B better, each at alpha / 2, for both readings of a p-value whose
        direction the paper does not state.
    """

    system_a: str
    system_b: str
    alpha: float
    n_datasets: int
    printed: PrintedClaim | None
    recomputed: Mapping[str, int]
    recomputed_low: Mapping[str, int]
    recomputed_high: Mapping[str, int]
    identified: tuple[str, ...]
    wrong_direction: tuple[str, ...]
    a_better: Mapping[PrintedReading, Mapping[str, int]]
    b_better: Mapping[PrintedReading, Mapping[str, int]]
    identified_a: tuple[str, ...]
    identified_b: tuple[str, ...]

    @property
    def impossible(self) -> tuple[str, ...]:
        """Return the methods whose printed k-hat follows from no p-values that round to the printed ones."""
        if self.printed is None:
            return ()
        return tuple(
            method
            for method, value in self.printed.k_hat.items()
            if not self.recomputed_high[method] <= value <= self.recomputed_low[method]
        )

    @property
    def marks_differ(self) -> bool:
        """Return whether the paper marks other datasets than Holm's procedure identifies."""
        marked = None if self.printed is None else self.printed.identified
        return marked is not None and set(marked) != set(self.identified)


def one_sided(
    p_values: NDArray[np.float64], differences: NDArray[np.float64], reading: PrintedReading
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn printed p-values into one-sided ones for A better, and for B better.

    Parameters
    ----------
    p_values : ndarray of shape (n_datasets,)
        As printed, in (0, 1].
    differences : ndarray of shape (n_datasets,)
        Printed score of A minus that of B, oriented.
    reading : {"as-printed", "observed-direction", "two-sided"}
        `as-printed`: one-sided for A better; `observed-direction`: one-sided for whichever system scores higher;
        `two-sided`: half of it belongs to the system that scores higher.

    Returns
    -------
    p_a_better, p_b_better : ndarray of shape (n_datasets,)
        In (0, 1]. Where the scores are equal, neither is below one half.

    Examples
    --------
    >>> a, b = one_sided(np.array([0.04, 0.04]), np.array([1.0, -1.0]), "two-sided")
    >>> a.tolist(), b.tolist()
    ([0.02, 0.98], [0.98, 0.02])
    """
    if reading == "as-printed":
        return p_values, np.maximum(1.0 - p_values, _FLOOR)
    observed = p_values / 2 if reading == "two-sided" else p_values
    opposite = np.maximum(1.0 - observed, _FLOOR)
    equal = np.maximum(observed, 0.5)
    a = np.where(differences > 0, observed, np.where(differences < 0, opposite, equal))
    b = np.where(differences < 0, observed, np.where(differences > 0, opposite, equal))
    return a, b


def reproduce(
    system_a: str,
    system_b: str,
    datasets: Sequence[str],
    cells: NDArray[np.float64],
    differences: NDArray[np.float64],
    alpha: float,
    printed: PrintedClaim | None = None,
) -> Reproduction:
    """Recompute what a paper claims from the p-values that it prints.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better.
    datasets : sequence of str
        Names.
    cells : ndarray of shape (n_datasets, 3)
        Lower end, value and upper end of the interval each printed p-value stands for.
    differences : ndarray of shape (n_datasets,)
        Printed score of A minus that of B, oriented.
    alpha : float
        Level.
    printed : PrintedClaim, optional
        What the paper prints.
    """
    low, value, high = np.clip(cells.T, _FLOOR, 1.0)
    readings: tuple[PrintedReading, ...] = ("observed-direction", "two-sided")
    sides = {reading: one_sided(value, differences, reading) for reading in readings}
    names = np.array(datasets, dtype=object)
    identified = holm(value, alpha)
    better, worse = (tuple(names[2 * holm(p) <= rejection_level(alpha)]) for p in sides["observed-direction"])
    return Reproduction(
        system_a=system_a,
        system_b=system_b,
        alpha=alpha,
        n_datasets=len(datasets),
        printed=printed,
        recomputed=_k_hats(value, alpha),
        recomputed_low=_k_hats(low, alpha),
        recomputed_high=_k_hats(high, alpha),
        identified=tuple(names[identified]),
        wrong_direction=tuple(names[identified & (differences <= 0)]),
        a_better={reading: _k_hats(a, alpha / 2) for reading, (a, _) in sides.items()},
        b_better={reading: _k_hats(b, alpha / 2) for reading, (_, b) in sides.items()},
        identified_a=better,
        identified_b=worse,
    )


def _k_hats(p_values: NDArray[np.float64], alpha: float) -> dict[str, int]:
    return {method: int(k_hat(p_values, alpha, method)) for method in METHODS}


def compare_printed(
    printed: PrintedResults, settings: Settings, claims: Sequence[PrintedClaim] = (), *, into: type[A]
) -> A:
    """Count and identify from printed p-values, and hold the result against what the paper says.

    Parameters
    ----------
    printed : PrintedResults
        One row per claim and dataset.
    settings : Settings
        `printed_reading` says what the printed p-values mean for the main analysis; "as-printed" takes them as
        one-sided for the claim, as Dror et al. (2017, Equation 1) define them.
    claims : sequence of PrintedClaim
        The paper's own k-hats and marks, where known.
    into : type
        Class of the result; each claim is corrected by itself.

    Raises
    ------
    UnknownNameError
        If the paper claims something of systems that have no row.
    SettingsError
        If it claims something twice.
    """
    pairs: dict[tuple[str, str], list[int]] = {}
    for place, row in enumerate(printed.rows):
        pairs.setdefault((row.system_a, row.system_b), []).append(place)
    for claim in claims:
        if (claim.system_a, claim.system_b) not in pairs:
            known = [f"{a} > {b}" for a, b in pairs]
            raise UnknownNameError("printed claim", f"{claim.system_a} > {claim.system_b}", known)
    alpha = tuple(sorted({*settings.alpha, *(claim.alpha for claim in claims)}, reverse=True))
    outcomes, reproductions, scores = list[Outcome](), [], dict[tuple[str, str], SystemScore]()
    for (a, b), places in pairs.items():
        rows, cells = [printed.rows[place] for place in places], np.array([printed.cells[place] for place in places])
        decimals = max(len(text.partition(".")[2]) for row in rows for text in (row.score_a, row.score_b))
        raw = np.array([float(row.score_a) - float(row.score_b) for row in rows])
        differences = np.round(raw if printed.higher_is_better else -raw, decimals) + 0.0
        sides = one_sided(np.clip(cells[:, 1], _FLOOR, 1.0), differences, settings.printed_reading)
        own = [
            _assessment(row, float(p), float(q), float(d), decimals, higher_is_better=printed.higher_is_better)
            for row, p, q, d in zip(rows, *sides, differences, strict=True)
        ]
        outcomes += own
        for item in own:
            for name, score in ((a, item.score_a), (b, item.score_b)):
                scores.setdefault((name, item.dataset), SystemScore(score, item.n, item.higher_is_better))
        for level in alpha:
            said = [c for c in claims if (c.system_a, c.system_b, c.alpha) == (a, b, level)]
            if len(said) > 1:
                raise SettingsError(f"{a} > {b} at alpha = {level:g} is printed twice", remedy="leave one out")
            datasets = [row.dataset for row in rows]
            reproductions.append(reproduce(a, b, datasets, cells, differences, level, said[0] if said else None))
    found = build_family(
        "declared" if len(pairs) == 1 else "separate",
        outcomes,
        settings=settings,
        audit=IndependenceAudit(declared=settings.dependence, blind="only printed figures are known, not instances"),
        findings=printed.findings,
        jointly=False,
        into=into,
    )
    return replace(
        found,
        findings=by_severity([*reproduction_findings(reproductions), *found.findings]),
        reproductions=tuple(reproductions),
        system_scores=scores,
        source=printed.source,
        digest=printed.digest(),
        n_rows=len(printed.rows),
        columns=printed.columns,
    )


def _assessment(
    row: PrintedRow, p_better: float, p_worse: float, difference: float, decimals: int, *, higher_is_better: bool
) -> Outcome:
    return Outcome(
        system_a=row.system_a,
        system_b=row.system_b,
        dataset=row.dataset,
        metric="score",
        kind="printed",
        n=row.n,
        n_nonzero=row.n or 0,
        score_a=float(row.score_a),
        score_b=float(row.score_b),
        higher_is_better=higher_is_better,
        decimals=decimals,
        test="printed",
        title="test of the paper",
        p_greater=p_better,
        p_less=p_worse,
        p_min=p_better,
        method="printed",
        statistic=difference,
        statistic_name="printed difference",
        estimand="difference as printed",
        estimate=difference,
        assumptions=(),
        citation="dror2017replicability",
        reason="only printed figures are known",
    )


def reproduction_findings(reproductions: Sequence[Reproduction]) -> tuple[Finding, ...]:
    """Return the discrepancies between what is printed and what follows from it.

    Returns
    -------
    tuple of Finding
        "printed-k-hat": a printed figure that no p-values rounding to the printed ones give; "printed-marks": other
        datasets are marked; "wrong-direction": the claimed winner scores lower on a dataset that counts for it.
    """
    found = []
    for item in reproductions:
        claim = f"{item.system_a} > {item.system_b} at {level_text(item.alpha)}"
        for method in item.impossible:
            message = (
                f"{claim}: {_METHOD[method]} is printed as {item.printed.k_hat[method] if item.printed else 0}, but "
                f"{item.recomputed[method]} follows from the printed p-values, and no rounding of them gives the "
                "printed figure."
            )
            found.append(Finding("printed-k-hat", "error", message))
        if item.marks_differ:
            marked = item.printed.identified if item.printed and item.printed.identified else ()
            message = (
                f"{claim}: {listed(marked) or 'no dataset'} marked in print; Holm's method names "
                f"{listed(item.identified) or 'none'}."
            )
            found.append(Finding("printed-marks", "error", message))
        if item.wrong_direction:
            a, b = (min(values["bonferroni"] for values in one.values()) for one in (item.a_better, item.b_better))
            sides = ((item.system_a, a), (item.system_b, b))
            better = " and ".join(f"{name} is better on at least {k}" for name, k in sides if k)
            message = (
                f"{claim}: among the {counted(len(item.identified), 'named dataset')}, {item.system_a} scores "
                f"lower than {item.system_b} on {listed(item.wrong_direction)}. With the direction respected, each "
                f"at half the level, {better or 'neither is shown to be better on any'} of {item.n_datasets} datasets "
                "(Bonferroni)."
            )
            found.append(Finding("wrong-direction", "error", message))
    return tuple(found)
