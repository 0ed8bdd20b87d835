"""P-values without an effect, and k-hat without any: what a report of calibration says of the tests themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reportkit.calibration.joint import METHODS, JointNull
from reportkit.calibration.p_values import Calibration, Side
from reportkit.calibration.study import CalibrationStudy
from reportkit.calibration.verdict import Status
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.numerals import level_text, percent_text
from reportkit.report.calibration.calibration_cells import once, share_cells, titles, worded
from reportkit.report.calibration.calibration_figures import k_hat_figure, null_figures
from reportkit.report.model import Block, Cell, Column, Itemize, Paragraph, Row, Section, Table
from reportkit.report.prose import Prose, cite, prose, reference, sentences

MOST_VERDICTS = 4
"""With more, those that keep their level are named together."""

NULLS = {
    "signflip": "signs flipped",
    "recentre": "differences recentred",
    "seeds": "runs of one system",
}
_WORST_FIRST: tuple[Status, ...] = ("too liberal", "undecided", "conservative", "calibrated")
_TITLES = {"count": "count", "bonferroni": "Bonferroni", "fisher": "Fisher"}


def overall_status(nulls: Sequence[Calibration]) -> Status:
    """The worst of all verdicts."""
    found = {item.verdict.status for item in nulls}
    return next(status for status in _WORST_FIRST if status in found)


def null_words(study: CalibrationStudy) -> tuple[str, ...]:
    """What the p-values without an effect say, one sentence or two for each verdict; the worst come first."""
    nulls = sorted(study.nulls, key=lambda item: _WORST_FIRST.index(item.verdict.status))
    if len(nulls) <= MOST_VERDICTS:
        return tuple(str(item.verdict) for item in nulls)
    wrong = [item for item in nulls if not item.verdict.valid]
    more = len(wrong) - 2 * MOST_VERDICTS
    said = [str(item.verdict) for item in wrong[: 2 * MOST_VERDICTS]]
    if more > 0:
        said.append(f"{counted(more, 'more verdict')} of this kind {'is' if more == 1 else 'are'} in the table.")
    kept = {name: [item for item in nulls if item.verdict.status == name] for name in ("calibrated", "conservative")}
    return (*said, *(_together(items, name) for name, items in kept.items() if items))


def _together(kept: Sequence[Calibration], status: str) -> str:
    sizes = [share for item in kept for share in (item.size(side).value for side, _ in sides_of(item))]
    where = some(once([item.dataset for item in kept]))
    tests = listed(once([f"the {item.title}" for item in kept]))
    several = len(once([item.title for item in kept])) > 1
    verb = {
        ("calibrated", False): "keeps its level",
        ("calibrated", True): "keep their level",
        ("conservative", False): "rejects less often than its level",
    }.get((status, several), "reject less often than their level")
    hows = listed(once([NULLS[item.null] for item in kept]))
    low, high = min(sizes), max(sizes)
    return (
        f"{status.capitalize()}: {tests} {verb} of {level_text(kept[0].alpha)} on {where} ({hows}; "
        f"{counted(len(kept), 'simulation')}; shares of true null hypotheses rejected from {low:.3f} to {high:.3f})."
    )


def sides_of(item: Calibration) -> list[tuple[Side, str]]:
    """Directions in which the size is stated, and who is favoured."""
    if item.symmetric:
        return [("both", "either")]
    return [("greater", item.system_a), ("less", item.system_b)]


def null_section(study: CalibrationStudy) -> Section:
    """Sizes, verdicts, and the distribution of the p-values."""
    table = _null_table(study)
    first = study.nulls[0]
    who = _who(study)
    blocks: list[Block] = [
        Paragraph(
            content=sentences(
                prose(
                    "A {p}-value keeps its promise if a true null hypothesis has {p} ≤ α in at most a share α of all "
                    "cases."
                ),
                _how(study),
                who,
                prose(
                    "{table} gives the shares of {p} ≤ {alpha} among {r} simulated data sets each.",
                    table=reference("table", table.name),
                    alpha=level_text(first.alpha),
                    r=f"{max(item.n_replicates for item in study.nulls):,}",
                ),
            )
        ),
        Itemize(items=tuple(worded(line) for line in null_words(study))),
        table,
        *null_figures(study),
    ]
    return Section(title="P-values where there is no effect", blocks=tuple(blocks))


def _how(study: CalibrationStudy) -> Prose:
    said = {
        "signflip": "a fair coin decides for each instance (each whole cluster) whether the two systems change places, "
        "after which differences are symmetric",
        "recentre": "differences minus their mean are drawn with replacement (whole clusters), which keeps their "
        "skewness",
        "seeds": "runs of one system are compared with other runs of the same system, which cannot be better",
    }
    used = once([item.null for item in study.nulls])
    return prose(
        "The null hypothesis is made true from the results themselves: {how}.",
        how="; or ".join(said[name] for name in used),
    )


def _who(study: CalibrationStudy) -> Prose:
    if all(item.null == "seeds" for item in study.nulls) or not study.chosen_by_data:
        return ""
    a, b = study.pairs[0]
    return prose("No pair of systems was named; the two with the best average, {a} and {b}, are looked at.", a=a, b=b)


def _null_table(study: CalibrationStudy) -> Table:
    several = len(once([f"{item.system_a}\x1f{item.system_b}" for item in study.nulls])) > 1
    rows = []
    last = ""
    for item in study.nulls:
        for number, (side, favoured) in enumerate(sides_of(item)):
            begins = number == 0
            cells = [Cell.of(item.dataset if begins and (item.dataset != last or several) else "")]
            if several:
                cells.append(Cell.of(f"{item.system_a}, {item.system_b}" if begins else ""))
            cells += [
                Cell.of(NULLS[item.null] if begins else ""),
                Cell.of(item.test if begins else ""),
                Cell.of(f"{item.n:,}" if begins else ""),
                Cell.of(favoured),
                *share_cells(item.size(side)),
                Cell.of(item.verdict.status if begins else "", bold=item.verdict.status == "too liberal"),
            ]
            rows.append(Row(cells=tuple(cells), rule_above=begins and bool(last) and item.dataset != last))
        last = item.dataset
    first = study.nulls[0]
    columns = [
        Column.left("Dataset"),
        *([Column.left("Systems")] if several else []),
        Column.left("Null hypothesis"),
        Column.left("Test"),
    ]
    columns += [
        Column.right("Instances"),
        Column.left("In favour of"),
        Column.right("Rejected"),
        Column.left(percent_text(first.level)),
        Column.left("Verdict"),
    ]
    return Table(
        name="null-sizes",
        caption=prose("Share of true null hypotheses that are rejected at {alpha}.", alpha=level_text(first.alpha)),
        legend=sentences(
            prose(
                "One-sided tests; Wilson's intervals at {level}. Simulated data sets: {r}; random resamples of tests "
                "that draw them: {b}; seed {seed}.",
                level=percent_text(first.level),
                r=" or ".join(once([f"{item.n_replicates:,}" for item in study.nulls])),
                b=f"{first.n_resamples:,}",
                seed=first.seed,
            ),
            prose("Too liberal: more often than the level allows; conservative: less often, which is valid."),
            prose("The {n} verdicts share the probability of a false alarm.", n=len(study.nulls))
            if len(study.nulls) > 1
            else (),
            prose(
                "Intervals for runs allow for the disjoint comparisons only, {n} of them.",
                n=listed(once([f"{item.n_independent:,}" for item in study.nulls if item.null == "seeds"])),
            )
            if any(item.null == "seeds" for item in study.nulls)
            else (),
        ),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def joint_section(study: CalibrationStudy) -> Section:
    """k-hat of families without any effect, by method; whether Fisher's combination is safe."""
    table = _joint_table(study)
    first = study.joint[0]
    blocks: list[Block] = [
        Paragraph(
            content=sentences(
                prose(
                    "Where no dataset has an effect, every {k_hat} above 0 is wrong, which may happen in a share "
                    "{alpha} of all families at most {cite}.",
                    alpha=level_text(first.alpha),
                    cite=cite("dror2017replicability"),
                ),
                prose(
                    "{r} families are simulated: an instance or cluster that occurs in several datasets has one coin "
                    "for all of them, so datasets depend on each other as far as they overlap.",
                    r=f"{first.n_replicates:,}",
                ),
                prose("{table} counts.", table=reference("table", table.name)),
            )
        ),
        Itemize(items=tuple(worded(item.sentence) for item in study.joint)),
        table,
    ]
    for number, item in enumerate(study.joint, start=1):
        blocks.append(k_hat_figure(item, f"-{number}" if len(study.joint) > 1 else ""))
    return Section(title="Counting datasets where there is no effect", blocks=tuple(blocks))


def _joint_table(study: CalibrationStudy) -> Table:
    several = len(study.joint) > 1
    rows = []
    for number, item in enumerate(study.joint):
        for place, method in enumerate(METHODS):
            cells = [Cell.of(f"{item.system_a} > {item.system_b}" if place == 0 else "")] if several else []
            cells += [
                Cell.of(_TITLES[method]),
                *share_cells(item.error(method)),
                Cell.of(str(int(item.k_hats[method].max()))),
                Cell.of(_kept(item, method), bold=method != "count" and not item.safe(method)),
            ]
            rows.append(Row(cells=tuple(cells), rule_above=place == 0 and number > 0))
    first = study.joint[0]
    columns = [Column.left("Claim")] if several else []
    columns += [
        Column.left("Way of counting"),
        Column.right("Wrong"),
        Column.left(percent_text(first.level)),
        Column.right("Largest"),
        Column.left("Level kept"),
    ]
    return Table(
        name="k-hat-null",
        caption=prose(
            "Share of {r} families of {n} datasets without any effect in which {k_hat} is above 0, at {alpha}.",
            r=f"{first.n_replicates:,}",
            n=len(first.datasets),
            alpha=level_text(first.alpha),
        ),
        legend=sentences(
            prose(
                "Largest: greatest {k_hat} that occurred. The count of {p}-values at most {alpha} promises no level; "
                "it is here for comparison.",
                alpha=level_text(first.alpha),
            ),
            prose(
                "Instances or clusters that several datasets share: {n}. Tests: {tests}; seed {seed}.",
                n=", ".join(f"{item.n_shared:,}" for item in study.joint),
                tests=titles(once([name for item in study.joint for name in item.tests])),
                seed=first.seed,
            ),
        ),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _kept(item: JointNull, method: str) -> str:
    if method == "count":
        return "no promise" if np.any(item.k_hats[method]) else "–"
    return "yes" if item.safe(method) else "no"
