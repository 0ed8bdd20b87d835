"""The report on re-splitting: paragraph, table, figures, words, and the same for machines."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from reportkit._version import __version__
from reportkit.appearance import Appearance, plain_label
from reportkit.figures.estimator_boxes import estimator_boxes_content
from reportkit.figures.reproducibility import reproducibility_content
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import spanned
from reportkit.language.numerals import decimals_for, fixed, level_text, percent_text
from reportkit.report.claim_tables import p_cell
from reportkit.report.facts import VERSION
from reportkit.report.labels import renamed
from reportkit.report.model import (
    Block,
    Cell,
    Column,
    Figure,
    Itemize,
    Paragraph,
    Report,
    Row,
    Section,
    Signature,
    Table,
)
from reportkit.report.prose import Prose, prose, reference, sentences
from reportkit.report.reproducibility.reproducibility_wording import (
    in_percent,
    what_came_out,
    what_estimators_are,
    what_was_done,
)
from reportkit.report.tokens import plain
from reportkit.reproducibility_analysis.reproducibility import SCOPE, Reproducibility, plug_in_reproducibility
from reportkit.reproducibility_analysis.study import Resplit, ResplitStudy


def reproducibility_table(study: ResplitStudy) -> Table:
    """One row per estimator, a heading for each dataset; the layout of Table 4 of Xue et al. with what bounds it."""
    factor = 100.0 if in_percent(study) else 1.0
    decimals = _decimals(study, factor)
    rows: list[Row] = []
    for number, item in enumerate(study.resplits):
        if len(study.resplits) > 1:
            empty = (Cell(),) * (len(_HEADS) - 1)
            rows.append(Row(cells=(Cell.of(item.dataset), *empty), rule_above=number > 0, heading=True))
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
        columns=tuple(Column(header=head, align="right" if place else "left") for place, head in enumerate(_HEADS)),
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
    return tuple(Cell.of(word) for word in words)


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
            Column(header=prose("{p}") if head == "p" else head, align="right" if place else "left")
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
        item.dataset,
        fixed(factor * one.average, decimals),
        fixed(factor * test.standard_error, decimals),
        "–" if one.vote is None else fixed(factor * one.vote, decimals),
        fixed(test.statistic, 2),
        str(test.degrees_of_freedom),
        p_cell(test.p_greater),
        share(plug_in_reproducibility(test)),
    )
    return Row(cells=tuple(Cell.of(word) for word in words))


FEW_REPARTITIONS = 100
"""With fewer, the interval of a reproducibility reaches more than .1 to either side; a finding says so."""


def build_reproducibility(study: ResplitStudy, appearance: Appearance | None = None) -> Report:
    """Lay out what a study of re-partitions says.

    Parameters
    ----------
    study : ResplitStudy
        Of one dataset or several.
    appearance : Appearance, optional
        How it is to look; of the venue, its widths, tables and captions.

    Returns
    -------
    Report
        Without a format; `reportkit.rendering` writes it.
    """
    look = appearance or Appearance()
    signature = _signature(study)
    shown = _labelled(study, look)
    sections = [*_sections(shown)]
    findings = tuple(_findings(study))
    if findings:
        items = tuple(prose("{m}", m=item.message) for item in findings)
        sections.append(Section(title="What to know before citing this", blocks=(Itemize(items=items),)))
    return Report(
        title=f"Reproducibility of {shown.system_a} over {shown.system_b} under re-splitting",
        sections=tuple(sections),
        signature=signature,
        findings=findings,
        data=_machine_readable(study, signature),
        summary=tuple(plain(item) for item in what_came_out(shown)),
        appearance=look,
    )


def _labelled(study: ResplitStudy, look: Appearance) -> ResplitStudy:
    return renamed(study, {name: plain_label(label) for name, label in look.labels.items()})


def _sections(study: ResplitStudy) -> tuple[Section, ...]:
    table = one_repartition_table(study) if study.single else reproducibility_table(study)
    return _main(study, table), _estimators(study), _datasets(study)


def _main(study: ResplitStudy, table: Table) -> Section:
    done: Prose = what_was_done(study)
    lead = prose("{it} gives the estimators side by side.", it=reference("table", table.name))
    blocks: list[Block] = [Paragraph(name="paragraph", content=sentences(done, lead)), table]
    if not study.single:
        blocks += _figures(study)
    return Section(title="Would the conclusion come out the same?", blocks=tuple(blocks))


def _figures(study: ResplitStudy) -> list[Figure]:
    r = spanned([item.n_repartitions for item in study.resplits], "re-partition")
    against = prose(
        "Reproducibility of the conclusion that A, {a}, is better than B, {b}, against the signal-to-noise ratio of the"
        " estimator, over {r}, one point for each estimator and dataset. {scope}",
        a=study.system_a,
        b=study.system_b,
        r=r,
        scope=SCOPE,
    )
    boxes = prose(
        "Estimates of the difference between A, {a}, and B, {b}, over {r}; Mixture (B over A) is of B minus A. The"
        " spread over re-partitions is not a sampling error.",
        a=study.system_a,
        b=study.system_b,
        r=r,
    )
    contents = (
        ("estimator-boxes", "estimators", estimator_boxes_content(study, in_percent=in_percent(study)), boxes),
        ("reproducibility", "snr-and-reproducibility", reproducibility_content(study), against),
    )
    return [Figure.of(kind, content, name=name, caption=caption) for kind, name, content, caption in contents]


def _estimators(study: ResplitStudy) -> Section:
    items = what_estimators_are(study)
    rules = sorted({item.tie_rule for item in study.resplits if item.tie_rule})
    ties = [
        f"{item.n_ties[0] + item.n_ties[1]:,} of the votes on {item.dataset}"
        for item in study.resplits
        if item.n_ties is not None and any(item.n_ties)
    ]
    if rules:
        tied = f"Tied were {', '.join(ties)}." if ties else "No vote was tied."
        items = (*items, f"Ties in votes: {'; '.join(rules)}. {tied}")
    return Section(title="What each estimator is", blocks=(Itemize(items=items),))


def _datasets(study: ResplitStudy) -> Section:
    title = "What came out on each dataset" if len(study.resplits) > 1 else "What came out"
    return Section(title=title, blocks=(Itemize(items=what_came_out(study)),))


def _findings(study: ResplitStudy) -> list[Finding]:
    few = [item for item in study.resplits if 1 < item.n_repartitions < FEW_REPARTITIONS]
    if not few:
        return []
    return [
        Finding(
            "few-repartitions",
            "warning",
            f"With {spanned([item.n_repartitions for item in few], 're-partition')}, the interval of a reproducibility"
            " near one half reaches more than .1 to either side.",
            remedy="divide the corpus 200 times or more",
        )
    ]


def _signature(study: ResplitStudy) -> Signature:
    m = sorted({item.m for item in study.resplits if item.m is not None})
    fields = {
        "analysis": "re-splitting",
        "metric": study.metric,
        **({"cv": ",".join(f"{number}x2" for number in m)} if m else {}),
        "est": "+".join(dict.fromkeys(name.partition(" ")[0] for name in study.methods)),
        "R": ",".join(str(number) for number in sorted({item.n_repartitions for item in study.resplits})),
        "level": level_text(study.level),
        "datasets": str(len(study.resplits)),
    }
    return Signature(version=__version__, source=study.source, digest=study.digest, fields=fields)


def _machine_readable(study: ResplitStudy, signature: Signature) -> dict[str, Any]:
    return {
        "version": VERSION,
        "reportkit_version": __version__,
        "kind": "reproducibility",
        "data": {
            "source": study.source,
            "sha256": study.digest,
            "n_rows": study.n_rows,
            "columns": dict(study.columns),
            "form": study.form,
        },
        "reproducibility": {
            "system_a": study.system_a,
            "system_b": study.system_b,
            "metric": study.metric,
            "level": study.level,
            "scope": SCOPE,
            "datasets": [_dataset_data(item) for item in study.resplits],
        },
    }


def _dataset_data(item: Resplit) -> dict[str, Any]:
    estimators = [
        {
            "estimator": name,
            "n": result.n,
            "n_above": result.n_above,
            "n_ties": result.n_ties,
            "mean": result.mean,
            "standard_deviation": result.standard_deviation,
            "snr": result.snr if math.isfinite(result.snr) else None,
            "reproducibility": result.proportion,
            "low": result.low,
            "high": result.high,
            "cantelli": result.cantelli,
            "normal": result.normal,
        }
        for name, result in item.results.items()
    ]
    return {
        "dataset": item.dataset,
        "n_repartitions": item.n_repartitions,
        "n_instances": item.n_instances,
        "m": item.m,
        "scores": {name: list(pair) for name, pair in item.scores.items()},
        "estimators": estimators,
        "both_mixtures_above": item.both_above,
        "t_test": None if item.t_test is None else dataclasses.asdict(item.t_test),
    }
