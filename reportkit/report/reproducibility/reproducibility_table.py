"""Estimators of a difference by dataset: SNR, reproducibility and what bounds it."""

from __future__ import annotations

import math

from reportkit.language.counts_and_lists import spanned
from reportkit.language.numerals import decimals_for, fixed, p_value_text, percent_text
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import prose
from reportkit.report.reproducibility.reproducibility_wording import in_percent
from reportkit.report.tables.cells import p_text, text
from reportkit.reproducibility_analysis.reproducibility import Reproducibility, plug_in_reproducibility
from reportkit.reproducibility_analysis.study import Resplit, ResplitStudy


def reproducibility_table(study: ResplitStudy) -> Table:
    """One row per estimator, a heading for each dataset; the layout of Table 4 of Xue et al. with what bounds it."""
    factor = 100.0 if in_percent(study) else 1.0
    decimals = _decimals(study, factor)
    rows: list[Row] = []
    for number, item in enumerate(study.resplits):
        if len(study.resplits) > 1:
            empty = (Cell(),) * (len(_HEADS) - 1)
            rows.append(Row(cells=(Cell(text=text(item.dataset)), *empty), rule_above=number > 0, heading=True))
        rows += [Row(cells=_cells(name, result, factor, decimals)) for name, result in item.results.items()]
    unit = " in percentage points" if factor != 1 else ""
    return Table(
        name="reproducibility",
        caption=prose(
            "Estimates of the difference between A, {a}, and B, {b}, in {metric}{unit} over {r}: mean, standard"
            " deviation, signal-to-noise ratio (SNR), and reproducibility of the conclusion that A is better.",
            a=study.system_a,
            b=study.system_b,
            metric=study.metric,
            unit=unit,
            r=spanned([item.n_repartitions for item in study.resplits], "re-partition"),
        ),
        legend=prose(
            "Repr.: share of estimates above 0, ties as half, with its {level} Wilson interval. Cantelli: lower bound"
            " for any distribution of this SNR. Φ(SNR): value for normally distributed estimates. The last mixture is"
            " of B minus A.",
            level=percent_text(study.level),
        )
        if "Mixture (B over A)" in study.methods
        else prose(
            "Repr.: share of estimates above 0, ties as half, with its {level} Wilson interval. Cantelli: lower bound"
            " for any distribution of this SNR. Φ(SNR): value for normally distributed estimates.",
            level=percent_text(study.level),
        ),
        columns=tuple(
            Column(header=text(head), align="right" if place else "left") for place, head in enumerate(_HEADS)
        ),
        rows=tuple(rows),
    )


_HEADS = ("Estimator", "Mean", "SD", "SNR", "Repr.", "Interval", "Cantelli", "Φ(SNR)")


def _decimals(study: ResplitStudy, factor: float) -> int:
    errors = [
        factor * result.standard_deviation / math.sqrt(result.n)
        for item in study.resplits
        for result in item.results.values()
        if result.standard_deviation
    ]
    return decimals_for(min(errors, default=0.0)) if errors else 2


def _cells(name: str, result: Reproducibility, factor: float, decimals: int) -> tuple[Cell, ...]:
    words = (
        name,
        fixed(factor * result.mean, decimals),
        fixed(factor * result.standard_deviation, decimals),
        fixed(result.snr, 2) if math.isfinite(result.snr) else ("∞" if result.snr > 0 else "−∞"),
        share(result.proportion),
        f"[{share(result.low)}, {share(result.high)}]",
        share(result.cantelli),
        share(result.normal),
    )
    return tuple(Cell(text=text(word)) for word in words)


def share(value: float) -> str:
    """Write a share with three decimals and without the zero before the point; never rounded to 0 or 1.

    Examples
    --------
    >>> share(0.5724), share(1.0), share(0.99997), share(0.0), share(0.0001)
    ('.572', '1', '>.999', '0', '<.001')
    """
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    if value > 0.9995:
        return ">.999"
    if value < 0.0005:
        return "<.001"
    return f"{value:.3f}".removeprefix("0")


def one_repartition_table(study: ResplitStudy) -> Table:
    """One row per dataset where there is one division only: the t-test, and the plug-in value."""
    factor = 100.0 if in_percent(study) else 1.0
    rows = tuple(_row_of_one(item, factor) for item in study.resplits)
    heads = ("Dataset", "Avg", "SE", "Vote", "t", "df", "p", "Plug-in")
    return Table(
        name="blocked-t",
        caption=prose(
            "One blocked cross-validation: difference between A, {a}, and B, {b}, in {metric}{unit}, with the t-test"
            " that allows for the overlap of the training data.",
            a=study.system_a,
            b=study.system_b,
            metric=study.metric,
            unit=" in percentage points" if factor != 1 else "",
        ),
        legend=prose(
            "{p}: one-sided, for A better than B. Plug-in: reproducibility of Avg if it were normally distributed with"
            " the variance that the test assumes; it has no interval."
        ),
        columns=tuple(
            Column(header=prose("{p}") if head == "p" else text(head), align="right" if place else "left")
            for place, head in enumerate(heads)
        ),
        rows=rows,
    )


def _row_of_one(item: Resplit, factor: float) -> Row:
    test, one = item.t_test, item.one
    if test is None or one is None:
        raise ValueError("a dataset with several re-partitions has no row in this table")
    decimals = decimals_for(factor * test.standard_error)
    words = (
        text(item.dataset),
        text(fixed(factor * one.average, decimals)),
        text(fixed(factor * test.standard_error, decimals)),
        text("–" if one.vote is None else fixed(factor * one.vote, decimals)),
        text(fixed(test.statistic, 2)),
        text(str(test.degrees_of_freedom)),
        p_text(test.p_greater) if p_value_text(test.p_greater) else (),
        text(share(plug_in_reproducibility(test))),
    )
    return Row(cells=tuple(Cell(text=word) for word in words))
