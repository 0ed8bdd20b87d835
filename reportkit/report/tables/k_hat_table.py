"""The tables of k-hat: of a few claims, or of all pairs."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.appearance import Appearance
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.comparison import Comparison, KHat
from reportkit.replicability.multiple_testing.joint_closed_test import METHOD
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Cite, Prose, prose, sentences, text
from reportkit.report.tables.captions import shared_level
from reportkit.report.tables.groups import systems_in_order
from reportkit.report.tables.marks import letter
from reportkit.report.text.correction import separate_statements
from reportkit.report.text.hypotheses import by_metric

MOST_CLAIMS_ABOVE_ONE_ANOTHER = 12
"""With more claims, the levels of each stand beside one another in the table of k-hat, instead of below."""

MOST_NAMES = 12


def replicability_table(analysis: ReplicabilityAnalysis) -> Table:
    """k-hat of each comparison at each level: count, Bonferroni, Fisher, closed test; in bold the one to report."""
    every = [k for comparison in analysis.comparisons for k in comparison.k_hat.values()]
    fisher, joint = any(k.fisher is not None for k in every), any(k.joint is not None for k in every)
    counts: list[Prose] = [prose("{k_hat_count}"), prose("{k_hat_bonferroni}")]
    if fisher:
        counts.append(prose("{k_hat_fisher}"))
    if joint:
        counts.append(prose("{k_hat}"))
    labels = [Column.left("Metric")] if analysis.several_metrics else []
    labels.append(Column.left("Claim"))
    beside = len(analysis.alpha) > 1 and analysis.n_claims > MOST_CLAIMS_ABOVE_ONE_ANOTHER
    set_out = _levels_beside if beside else _levels_below
    columns, rows, spanners = set_out(analysis, labels, counts, fisher=fisher, joint=joint)
    caption = prose(
        "Number of datasets, {out_of}, on which each claim holds (A > B: A is better than B).",
        out_of=out_of_datasets(analysis),
    )
    legend = sentences(
        prose(
            "Lower bounds {k_hat} with confidence 1 − {alpha} {cite}; report the bold one.",
            cite=Cite(("dror2017replicability",)),
        ),
        _slash_explained(analysis),
        prose(
            "{k_hat_count}, the plain count of {p} ≤ {level}, is shown for comparison only.",
            level=prose("{alpha}/2") if analysis.sides == 2 else prose("{alpha}"),
        ),
        prose(
            "{k_hat_bonferroni} is valid under any dependence between datasets{by}.",
            by="" if analysis.several_metrics else ", and equals the number of datasets that Holm's method names",
        ),
        prose("{k_hat_fisher} needs independent datasets.") if fisher and not joint else (),
        _named_apart(analysis) if joint else (),
        prose(
            "{k_hat} is the bound of the closed test {cite}, which also names datasets; both hold together at {alpha}, "
            "for independent datasets. {k_hat_bonferroni} and {k_hat_fisher} are separate statements, shown for "
            "comparison.",
            cite=Cite(("marcus1976closed", "goeman2011multiple")),
        )
        if joint
        else separate_statements(analysis),
        shared_level(analysis),
    )
    return Table(
        name="replicability",
        caption=caption,
        legend=legend,
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=tuple(spanners),
    )


def replicability_sentence(family: ReplicabilityAnalysis) -> Prose:
    """k-hat of the only claim at each level, and the naive count where it is another: what a table would hold."""
    (claim,) = family.comparisons
    first, *others = family.alpha
    bounds = {level: claim.k_hat[level].recommended for level in family.alpha}
    naive = {level: claim.k_hat[level].count for level in family.alpha}
    fields = {"a": claim.system_a, "b": claim.system_b, "n": str(claim.n_datasets)}
    alike = listed([level_text(level) for level in family.alpha if bounds[level] == bounds[first]])
    rest = "".join(
        f", and on at least {bounds[level]} at {level_text(level)}"
        for level in others
        if bounds[level] != bounds[first]
    )
    shown = (
        "{a} is better than {b} on at least {k} of {n} datasets at {alpha} = {levels}{rest} ({k_hat} by {how} {cite})."
    )
    nothing = (
        "On none of {n} datasets is {a} shown to be better than {b} at {alpha} = {levels} ({k_hat} by {how} {cite})."
    )
    return sentences(
        prose(
            shown if bounds[first] else nothing,
            k=str(bounds[first]),
            levels=alike,
            rest=rest,
            how=_METHODS[claim.k_hat[first].method],
            cite=Cite(("dror2017replicability",)),
            **fields,
        ),
        prose(
            "Without correction, {p} ≤ {level} on {naive}, for comparison only.",
            level=level_text(first),
            naive=counted(naive[first], "dataset"),
        )
        if naive[first] != bounds[first]
        else (),
    )


_METHODS = {"bonferroni": "Bonferroni's method", "fisher": "Fisher's method", METHOD: "closed testing"}


_SetOut = tuple[list[Column], list[Row], list[Spanner]]


def _levels_below(
    family: ReplicabilityAnalysis, labels: Sequence[Column], counts: Sequence[Prose], **shown: bool
) -> _SetOut:
    """Levels of a claim below one another."""
    columns = [*labels, Column.right(prose("{alpha}")), *(Column.right(header) for header in counts)]
    rows = []
    for number, comparison in enumerate(family.comparisons):
        for level in family.alpha:
            begins = level == family.alpha[0]
            names = _label(family, number) if begins else [Cell()] * len(labels)
            counted = _counts(comparison.k_hat[level], _out_of(family, comparison), **shown)
            cells = [*names, Cell.of(level_text(level)), *counted]
            rows.append(Row(cells=tuple(cells), rule_above=number > 0 and begins and len(family.alpha) > 1))
    return columns, rows, []


def _levels_beside(
    family: ReplicabilityAnalysis, labels: Sequence[Column], counts: Sequence[Prose], **shown: bool
) -> _SetOut:
    """Levels of a claim beside one another: half as long, where there are many claims."""
    columns, spanners = list(labels), []
    for level in family.alpha:
        header = prose("{alpha} = {level}", level=level_text(level))
        spanners.append(Spanner(header=header, first=len(columns), last=len(columns) + len(counts) - 1))
        columns += [Column.right(header) for header in counts]
    rows = []
    for number, comparison in enumerate(family.comparisons):
        size = _out_of(family, comparison)
        cells = [cell for level in family.alpha for cell in _counts(comparison.k_hat[level], size, **shown)]
        names = _label(family, number)
        begins = number > 0 and family.several_metrics and bool(names[0].text)
        rows.append(Row(cells=(*names, *cells), rule_above=begins))
    return columns, rows, spanners


def _label(family: ReplicabilityAnalysis, number: int) -> list[Cell]:
    """The metric, where it begins and there are several, and the claim."""
    comparison = family.comparisons[number]
    claim = Cell.of(f"{comparison.system_a} > {comparison.system_b}")
    if not family.several_metrics:
        return [claim]
    begins = number == 0 or family.comparisons[number - 1].metric != comparison.metric
    return [Cell.of(comparison.metric if begins else ""), claim]


def _counts(k: KHat, size: str, *, fisher: bool, joint: bool) -> list[Cell]:
    shown: list[tuple[int | None, bool]] = [(k.count, False), (k.bonferroni, k.method == "bonferroni")]
    shown += [(k.fisher, k.method == "fisher")] if fisher else []
    shown += [(k.joint, k.joint is not None)] if joint else []
    return [Cell.of("–" if value is None else f"{value}{size}", bold=bold) for value, bold in shown]


def _named_apart(family: ReplicabilityAnalysis) -> Prose:
    """Which datasets Holm's procedure by itself identifies, for one claim by one metric."""
    if family.several_metrics or not family.one_claim:
        return ()
    level = family.alpha[0]
    told = []
    for comparison in family.comparisons:
        small = comparison.stepwise_p_values <= rejection_level(level)
        names = [name for name, one in zip(comparison.datasets, small, strict=True) if one]
        who = f" for {comparison.system_a} > {comparison.system_b}" if family.design == "both" else ""
        told.append(f"{some(names, MOST_NAMES) or 'none'}{who}")
    return prose("At level {level} Holm's method names {names}.", level=level_text(level), names="; ".join(told))


def out_of_datasets(family: ReplicabilityAnalysis) -> str:
    """How many datasets a count is out of: "out of 5", or which where their number differs."""
    return f"out of {len(family.datasets)}" if family.on_same_datasets else "out of those that both systems have"


def _slash_explained(family: ReplicabilityAnalysis) -> Prose:
    """What the number after a slash is, where there is one."""
    return () if family.on_same_datasets else prose("After the slash: how many datasets both systems have.")


def _out_of(family: ReplicabilityAnalysis, comparison: Comparison) -> str:
    """After a slash, on how many datasets a comparison is, where that differs."""
    return "" if family.on_same_datasets else f"/{comparison.n_datasets}"


def k_hat_matrix_table(analysis: ReplicabilityAnalysis, look: Appearance | None = None) -> Table:
    """For all pairs: on at least how many datasets the system of the row is better than the system of the column.

    Systems stand in the order, and have the letters, that they have in the table of scores.
    """
    systems = systems_in_order(analysis, look or Appearance())
    level, metric = analysis.alpha[0], analysis.comparisons[0].metric
    compared = {(item.system_a, item.system_b): item for item in analysis.comparisons if item.metric == metric}
    lettered = [f"({letter(i)})" for i in range(len(systems))]
    columns = [Column.left("")]
    columns += [Column(header=text(sign), align="center") for sign in lettered]
    rows = []
    for sign, name in zip(lettered, systems, strict=True):
        cells = [Cell.of(f"{sign} {name}")]
        for other in systems:
            found = compared.get((name, other))
            if found is None:
                cells.append(Cell.of("–" if other == name else "×"))
            else:
                k = found.k_hat[level].recommended
                out_of = _out_of(analysis, found)
                cells.append(Cell.of(f"{k}{out_of}" if k or out_of else ""))
        rows.append(Row(cells=tuple(cells)))
    caption = prose(
        "Number of datasets, {out_of}, on which the system in the row is better than the one in the column{by}.",
        by=by_metric(analysis.comparisons[0], analysis),
        out_of=out_of_datasets(analysis),
    )
    apart = len(compared) < len(systems) * (len(systems) - 1)
    legend = sentences(
        prose(
            "Lower bounds {k_hat} that hold together with {confidence} confidence {cite}.",
            confidence=percent_text(1 - level),
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
        _slash_explained(analysis),
        prose("A blank does not mean equal."),
        prose("Systems with × share no dataset and are not compared.") if apart else (),
        shared_level(analysis),
    )
    return Table(
        name="replicability",
        caption=caption,
        legend=legend,
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=(Spanner(header=text("… is better than"), first=1, last=len(systems)),),
    )
