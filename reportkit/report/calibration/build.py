"""The report on a calibration: which sections and figures there are, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from reportkit._version import __version__
from reportkit.appearance import Appearance
from reportkit.calibration.p_values import Calibration
from reportkit.calibration.pairs import gain_thresholds
from reportkit.calibration.study import CalibrationStudy, Omission
from reportkit.calibration.verdict import Status
from reportkit.figures.calibration_bins import calibration_bins_content, transfer_bins_content
from reportkit.figures.domain_shift import domain_shift_content
from reportkit.figures.drawing.axes import MOST_CURVES
from reportkit.figures.gain_confidence import gain_confidence_content, one_size_content
from reportkit.figures.k_hat_histogram import k_hat_histogram_content
from reportkit.figures.null_p_values import null_p_value_content
from reportkit.figures.size_curve import size_curve_content
from reportkit.finding import Finding
from reportkit.language import decimals_for, level_text, listed
from reportkit.report.calibration import tables
from reportkit.report.calibration.rows import directions, records
from reportkit.report.facts import VERSION
from reportkit.report.labels import plain_labels, renamed
from reportkit.report.model import Block, Figure, Report, Section, Signature
from reportkit.report.records import Scale
from reportkit.report.study_words import StudyWords, interval, share
from reportkit.scores.scores import Results
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

MOST_THRESHOLDS_IN_WORDS = 6
MOST_SCATTERS = 12
"""At most this many datasets are drawn, the first ones."""

MOST_TRANSFERS = 120
"""With more ordered pairs of datasets, the table alone holds them."""

_MOST_DECIMALS = 4
_WORST_FIRST: tuple[Status, ...] = ("too liberal", "undecided", "conservative", "calibrated")
_NULL_FIGURES = {"signflip": "null-sign-flips", "recentre": "null-recentred"}


def build_calibration(
    study: CalibrationStudy,
    results: Results,
    appearance: Appearance,
) -> Report:
    """Lay out everything that a study of calibration found, and the parts that are missing.

    Parameters
    ----------
    study : CalibrationStudy
        What was found.
    results : Results
        What it was made from; labels may belong to any of its names.
    appearance : Appearance
        How it is to look.
    """
    signature = _signature(study, results.source, results.digest())
    datasets = tuple(dict.fromkeys(block.dataset for block in results.datasets))
    names = {"system": results.systems, "dataset": datasets, "metric": results.metrics}
    shown = renamed(study, plain_labels(appearance, names))
    rows, scale = records(shown), gain_scale(study)
    verdicts = sorted(shown.nulls, key=lambda item: _WORST_FIRST.index(item.verdict.status))
    functions = {"share": share, "interval": interval, "titles": titles, "sizes": _sizes, "range_of": _range_of}
    words = StudyWords("calibration", s=shown, scale=scale, **functions)
    told = (*_findings(words, study), *results.findings)
    about = {"source": results.source, "sha256": results.digest(), "n_rows": results.n_rows}
    about["columns"] = dict(results.columns)
    about |= {"datasets": list(study.datasets), "systems": list(study.systems)}
    return Report(
        title=words.raw("title"),
        sections=tuple(_sections(words, shown, rows, scale, verdicts)),
        signature=signature,
        findings=told,
        data=_data(study, signature, about, told),
        summary=tuple(_summary(words, shown, rows["domains"], verdicts)),
        appearance=appearance,
    )


# words --------------------------------------------------------------------------------------------------------------


def overall_status(nulls: Sequence[Calibration]) -> Status:
    """Return the worst of all verdicts."""
    return min((item.verdict.status for item in nulls), key=_WORST_FIRST.index)


def titles(items: Sequence[Any]) -> str:
    """Write tests by their names in prose: "paired bootstrap test and sign-flip permutation test of the mean"."""
    names = [name for item in items for name in (item.tests if hasattr(item, "tests") else (item.test,))]
    return listed(dict.fromkeys(SIGNIFICANCE_TESTS[one].title if one in SIGNIFICANCE_TESTS else one for one in names))


def _sizes(items: Sequence[Any], field: str = "test_size") -> str:
    return listed(dict.fromkeys(f"{getattr(item, field):,}" for item in items))


def _range_of(items: Sequence[Calibration]) -> tuple[float, float]:
    sizes = [item.size(side).value for item in items for side, _ in directions(item)]
    return min(sizes), max(sizes)


def gain_scale(study: CalibrationStudy) -> Scale:
    """Return how gains are printed: percentage points of right-or-wrong scores, three digits of a usual difference."""
    factor = 100.0 if study.in_percent else 1.0
    gains = [found.gains[found.gains > 0] for found in study.compared]
    seen = [float(np.median(item)) for item in gains if item.size] + [abs(curve.gain) for curve in study.sizes]
    limits = [item.threshold for groups in study.thresholds for item in groups if item.threshold]
    usual = min(limits) if limits else max((value for value in seen if value > 0), default=1.0)
    return Scale(factor=factor, decimals=min(_MOST_DECIMALS, decimals_for(factor * usual / 10)), noun="")


def _summary(
    words: StudyWords, study: CalibrationStudy, domains: tables.Rows, verdicts: Sequence[Calibration]
) -> list[str]:
    said = words.summary("verdicts", verdicts=verdicts) if study.nulls else []
    said += words.summary("joint_sentences") if study.joint else []
    thresholds = words.summary("thresholds") if study.compared else []
    said += thresholds[:MOST_THRESHOLDS_IN_WORDS]
    if (more := len(thresholds) - MOST_THRESHOLDS_IN_WORDS) > 0:
        said += words.summary("more_thresholds", more=more)
    if domains:
        said += words.summary("domains", transfers=[row for row in domains if row["source"]])
    return said + (words.summary("left_out_summary") if study.omissions else [])


def _findings(words: StudyWords, study: CalibrationStudy) -> Iterator[Finding]:
    for null in study.nulls:
        if null.verdict.status == "too liberal":
            remedy = "use a test that takes this into account; without test=..., the decision table chooses one"
            (message,) = words.summary("verdict_alone", item=null)
            yield Finding("not-calibrated", "warning", message, f"dataset {null.dataset!r}", remedy)
    for joint in study.joint:
        if not joint.safe():
            remedy = "count with Bonferroni: leave out dependence='independent' (--dependence independent)"
            where = f"{joint.system_a!r} and {joint.system_b!r}"
            (message,) = words.summary("joint_alone", item=joint)
            yield Finding("fisher-not-safe", "warning", message, where, remedy)


# sections -----------------------------------------------------------------------------------------------------------


def _sections(
    words: StudyWords,
    study: CalibrationStudy,
    rows: Mapping[str, tables.Rows],
    scale: Scale,
    verdicts: Sequence[Calibration],
) -> Iterator[Section]:
    if study.nulls:
        table = tables.null_table(words, rows["null"])
        said = words.list("verdicts", verdicts=verdicts)
        yield words.section("null", words.paragraph("null_lead"), said, table, *_null_figures(words, study))
    if study.joint:
        table = tables.joint_table(words, rows["joint_null"])
        said = words.list("joint_sentences")
        yield words.section("joint", words.paragraph("joint_lead"), said, table, *_joint_figures(words, study))
    if study.compared:
        table = tables.threshold_table(words, rows["thresholds"], scale, study.families is not None)
        lead = (words.paragraph("pairs_lead"), words.paragraph("thresholds"))
        yield words.section("pairs", *lead, table, *_gain_figures(words, study))
    if study.sizes:
        table = tables.size_table(words, rows["sizes"], scale, len(study.pairs) > 1)
        yield words.section("sizes", words.paragraph("sizes_lead"), table, *_size_figures(words, study))
    if study.bins or study.domains is not None:
        yield words.section("bins", *_bins(words, study, rows["bins"]), *_domains(words, study, rows["domains"]))
    if study.toy:
        yield words.section("toy", words.paragraph("toy_lead"), tables.toy_table(words, study))
    blocks: list[Block] = [words.list("limits")]
    if study.omissions:
        groups: dict[tuple[str, str], list[Omission]] = {}
        for item in study.omissions:
            groups.setdefault((item.part, item.reason), []).append(item)
        blocks += [words.paragraph("left_out"), words.list("omissions", omissions=groups)]
    yield words.section("limits", *blocks)


def _null_figures(words: StudyWords, study: CalibrationStudy) -> Iterator[Figure]:
    """Return the distribution of p-values, one figure for each way to make the null hypothesis true."""
    several = len({(item.system_a, item.system_b) for item in study.nulls}) > 1
    for null in dict.fromkeys(item.null for item in study.nulls):
        items = [item for item in study.nulls if item.null == null]
        names = [f"{item.dataset}, {item.system_a} and {item.system_b}" if several else item.dataset for item in items]
        content = null_p_value_content(items, names, words.cells[null])
        yield words.figure("null-p-values", content, _NULL_FIGURES[null], drawn=items)


def _joint_figures(words: StudyWords, study: CalibrationStudy) -> Iterator[Figure]:
    """Return the histogram of k-hat without any effect, of each pair."""
    for number, item in enumerate(study.joint, start=1):
        name = f"k-hat-null-{number}" if len(study.joint) > 1 else "k-hat-null"
        yield words.figure("k-hat-histogram", k_hat_histogram_content(item), name, item=item)


def _gain_figures(words: StudyWords, study: CalibrationStudy) -> Iterator[Figure]:
    """Return confidence against gain by dataset, and on equally many instances of several datasets."""
    several, most = len(study.compared) > 1, MOST_SCATTERS
    for place, (found, limits) in enumerate(zip(study.compared[:most], study.thresholds, strict=False), start=1):
        content = gain_confidence_content(found, limits, study.families, in_percent=study.in_percent)
        name = f"gain-confidence-{place}" if several else "gain-confidence"
        last = place == most < len(study.compared)
        yield words.figure("gain-confidence", content, name, found=found, drawn=content, last=last)
    if len(same := study.same_size) > 1:
        level, seed = study.plan.confidence_level, study.plan.rng
        groups = [gain_thresholds(item, level=level, seed=seed)[0] for item in same]
        content = one_size_content(same, groups, in_percent=study.in_percent)
        yield words.figure("gain-confidence", content, "gain-confidence-one-size", "gain_confidence_one_size")


def _size_figures(words: StudyWords, study: CalibrationStudy) -> Iterator[Figure]:
    """Return p-values and smallest detectable differences against size, of the largest datasets."""
    curves = [curve for curve in study.sizes if curve.sizes.size > 1]
    if shown := sorted(curves, key=lambda curve: -curve.n)[:MOST_CURVES]:
        several = len(study.pairs) > 1
        names = [f"{one.dataset}, {one.system_a} > {one.system_b}" if several else one.dataset for one in shown]
        content = size_curve_content(shown, names, in_percent=study.in_percent)
        yield words.figure("size-curve", content, "test-size", shown=len(shown))


def _bins(words: StudyWords, study: CalibrationStudy, rows: tables.Rows) -> Iterator[Block]:
    if study.bins:
        yield words.paragraph("bins_lead")
        yield tables.bin_table(words, rows)
    if drawn := [item for item in study.bins if item.bins]:
        items = drawn[:MOST_CURVES]
        content = calibration_bins_content(items, study.plan.confidence_level)
        yield words.figure("calibration-bins", content, "calibration-bins", drawn=items, all=len(drawn))


def _domains(words: StudyWords, study: CalibrationStudy, rows: tables.Rows) -> Iterator[Block]:
    if study.domains is None:
        return
    yield words.paragraph("domains_lead", transfers=[row for row in rows if row["source"]])
    yield from tables.transfer_tables(words, rows)
    by_bins = transfer_bins_content(study.domains)
    if len(by_bins.series[0].points) > 1:
        series = by_bins.series[0].name
        yield words.figure("calibration-bins", by_bins, "transfer-bins", "transfer_bins_figure", series=series)
    content = domain_shift_content(study.domains, alpha=study.plan.alpha)
    if 1 < len(content.rows) <= MOST_TRANSFERS:
        yield words.figure("domain-shift", content, "domain-shift")


# machines -----------------------------------------------------------------------------------------------------------


def _signature(study: CalibrationStudy, source: str, digest: str) -> Signature:
    """Say in one line what was simulated from what, and how."""
    plan, nulls = study.plan, "+".join(dict.fromkeys(item.null for item in study.nulls))
    names = ("null", "joint", "pairs", "sizes", "bins", "domains", "toy")
    found = (study.nulls, study.joint, study.compared, study.sizes, study.bins, study.domains, study.toy)
    parts = "+".join(name for name, content in zip(names, found, strict=True) if content)
    fields = {"study": "calibration", "parts": parts}
    fields |= {name: value for name, value in (("null", nulls), ("test", plan.test)) if value}
    fields |= {"profile": plan.profile, "missing": plan.missing, "alpha": level_text(plan.alpha)}
    fields |= {"R": str(plan.n_replicates), "B": str(plan.n_resamples), "seed": str(plan.rng)}
    return Signature(version=__version__, source=source, digest=digest, fields=fields)


def _data(
    study: CalibrationStudy, signature: Signature, source: Mapping[str, Any], findings: Sequence[Finding]
) -> dict[str, Any]:
    """Return everything that the report says, as strings, numbers, lists and mappings."""
    plan = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(study.plan).items()}
    pairs = [list(pair) for pair in study.pairs]
    return {
        "version": VERSION,
        "kind": "calibration",
        "reportkit_version": signature.version,
        "signature": signature.line,
        "data": dict(source),
        "settings": {**plan, "metric": study.metric, "pairs": pairs, "pairs_chosen_by_data": study.chosen_by_data},
        **records(study),
        "families": None if study.families is None else dict(study.families),
        "omissions": [asdict(item) for item in study.omissions],
        "findings": [asdict(item) for item in findings],
    }
