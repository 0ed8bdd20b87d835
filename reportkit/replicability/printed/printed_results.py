"""From a paper's printed scores and p-values to a family of comparisons, and what can be reproduced of its claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.replicability.family import A, build_family
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.printed.reproduction import PrintedClaim, one_sided, reproduce
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.printed import PrintedResults, PrintedRow
from reportkit.settings import Settings
from reportkit.significance.outcome import Outcome


def compare_printed(
    printed: PrintedResults,
    settings: Settings,
    claims: Sequence[PrintedClaim] = (),
    *,
    into: type[A] = ReplicabilityAnalysis,  # type: ignore[assignment] # the numbers alone, unless more is asked for
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

    Returns
    -------
    family : ReplicabilityAnalysis
        Each claim corrected by itself.
    reproductions : tuple of Reproduction
        For each claim and level.
    """
    pairs: dict[tuple[str, str], list[PrintedRow]] = {}
    cells_of: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for row, cell in zip(printed.rows, printed.cells, strict=True):
        pairs.setdefault((row.system_a, row.system_b), []).append(row)
        cells_of.setdefault((row.system_a, row.system_b), []).append(cell)
    for claim in claims:
        if (claim.system_a, claim.system_b) not in pairs:
            known = [f"{a} > {b}" for a, b in pairs]
            raise UnknownNameError("printed claim", f"{claim.system_a} > {claim.system_b}", known)
    alpha = tuple(sorted({*settings.alpha, *(claim.alpha for claim in claims)}, reverse=True))
    audit = IndependenceAudit(declared=settings.dependence, blind="only printed figures are known, not instances")
    assessments = {}
    reproductions = []
    for (a, b), rows in pairs.items():
        cells = np.array(cells_of[a, b])
        decimals = max(len(text.partition(".")[2]) for row in rows for text in (row.score_a, row.score_b))
        differences = _differences(rows, decimals, higher_is_better=printed.higher_is_better)
        values = np.clip(cells[:, 1], np.finfo(np.float64).smallest_normal, 1.0)
        better, worse = one_sided(values, differences, settings.printed_reading)
        assessments[a, b] = tuple(
            _assessment(row, float(p), float(q), float(d), decimals, higher_is_better=printed.higher_is_better)
            for row, p, q, d in zip(rows, better, worse, differences, strict=True)
        )
        for level in alpha:
            said = [c for c in claims if (c.system_a, c.system_b, c.alpha) == (a, b, level)]
            if len(said) > 1:
                raise SettingsError(f"{a} > {b} at alpha = {level:g} is printed twice", remedy="leave one out")
            reproductions.append(
                reproduce(
                    system_a=a,
                    system_b=b,
                    datasets=[row.dataset for row in rows],
                    cells=cells,
                    differences=differences,
                    alpha=level,
                    printed=said[0] if said else None,
                )
            )
    found = build_family(
        "declared" if len(pairs) == 1 else "separate",
        assessments,
        settings=settings,
        audit=audit,
        findings=printed.findings,
        jointly=False,
        into=into,
    )
    return replace(found, reproductions=tuple(reproductions))


def _differences(rows: Sequence[PrintedRow], decimals: int, *, higher_is_better: bool) -> NDArray[np.float64]:
    raw = np.array([float(row.score_a) - float(row.score_b) for row in rows])
    return np.round(raw if higher_is_better else -raw, decimals) + 0.0


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
