"""The report on re-splitting: paragraph, table, figures, and the same for machines."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

from reportkit._version import __version__
from reportkit.appearance import Appearance, plain_label
from reportkit.figures.estimator_boxes import estimator_boxes_content
from reportkit.figures.reproducibility import reproducibility_content
from reportkit.finding import Finding
from reportkit.language import decimals_for, fixed, level_text, p_value_text, spanned
from reportkit.report.facts import VERSION
from reportkit.report.labels import renamed
from reportkit.report.model import Figure, Report, Signature, Table
from reportkit.report.rounding import finite
from reportkit.report.study_words import DASH, StudyWords, share
from reportkit.reproducibility_analysis.estimator_names import MIXTURES, repeated_splits
from reportkit.reproducibility_analysis.reproducibility import SCOPE, plug_in_reproducibility
from reportkit.reproducibility_analysis.study import Resplit, ResplitStudy

PROPORTIONS = ("accuracy", "chunk-f1")
FEW_REPARTITIONS = 100
"""With fewer, the interval of a reproducibility reaches more than .1 to either side; a finding says so."""


def build_reproducibility(study: ResplitStudy, appearance: Appearance | None = None) -> Report:
    """Lay out the results of a study of re-partitions."""
    look = appearance or Appearance()
    shown = renamed(study, {name: plain_label(label) for name, label in look.labels.items()})
    factor = 100.0 if in_percent(study) else 1.0
    words = StudyWords(
        "reproducibility",
        s=shown,
        in_percent=factor == 100,
        scope=SCOPE,
        mixtures=MIXTURES,
        repeated_splits=repeated_splits,
        plug_in=plug_in_reproducibility,
        fixed=fixed,
    )
    table = blocked_t_table(words, shown, factor) if study.single else reproducibility_table(words, shown, factor)
    signature, findings = _signature(study), tuple(_findings(study))
    paragraph = words.paragraph("paragraph", name="paragraph")
    sections = [
        words.section("main", paragraph, table, *([] if study.single else _figures(words, shown, factor == 100))),
        words.section("estimators", words.list("estimators")),
        words.section("outcomes", words.list("outcomes")),
    ]
    if findings:
        sections.append(words.section("findings", words.list("findings", findings=findings)))
    return Report(
        title=words.raw("title"),
        sections=tuple(sections),
        signature=signature,
        findings=findings,
        data=_data(study),
        summary=tuple(words.summary("outcomes")),
        appearance=look,
    )


def in_percent(study: ResplitStudy) -> bool:
    """Return whether differences are shown in percentage points: all values are proportions of a whole."""
    values = [value for item in study.resplits for pair in item.scores.values() for value in pair]
    return study.metric in PROPORTIONS or all(0 <= value <= 1 for value in values)


def bounded(value: float) -> str:
    """Write a share with three decimals, never rounded to 0 or 1.

    Examples
    --------
    >>> bounded(0.5724), bounded(1.0), bounded(0.99997), bounded(0.0), bounded(0.0001)
    ('.572', '1', '>.999', '0', '<.001')
    """
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    return ">.999" if value > 0.9995 else "<.001" if value < 0.0005 else share(value)


def reproducibility_table(words: StudyWords, study: ResplitStudy, factor: float) -> Table:
    """Return one row per estimator and a heading for each dataset: Table 4 of Xue et al. with intervals and bounds."""
    every = [result for item in study.resplits for result in item.results.values()]
    errors = [factor * one.standard_deviation / math.sqrt(one.n) for one in every if one.standard_deviation]
    decimals = decimals_for(min(errors)) if errors else 2
    rows: list[tuple[str, ...]] = []
    for item in study.resplits:
        rows += [(item.dataset,)] if len(study.resplits) > 1 else []
        for name, result in item.results.items():
            snr = fixed(result.snr, 2) if math.isfinite(result.snr) else "∞" if result.snr > 0 else "−∞"
            spread = (fixed(factor * value, decimals) for value in (result.mean, result.standard_deviation))
            ends = f"[{bounded(result.low)}, {bounded(result.high)}]"
            bounds = (bounded(result.cantelli), bounded(result.normal))
            rows.append((name, *spread, snr, bounded(result.proportion), ends, *bounds))
    return words.table("reproducibility", rows)


def blocked_t_table(words: StudyWords, study: ResplitStudy, factor: float) -> Table:
    """Return one row per dataset that was divided once: the t-test, and the plug-in value."""
    rows = []
    for item in study.resplits:
        test, one = item.t_test, item.one
        if test is not None and one is not None:
            decimals = decimals_for(factor * test.standard_error)
            average, error = (fixed(factor * value, decimals) for value in (one.average, test.standard_error))
            vote = DASH if one.vote is None else fixed(factor * one.vote, decimals)
            statistic = (fixed(test.statistic, 2), str(test.degrees_of_freedom), p_value_text(test.p_greater))
            rows.append((item.dataset, average, error, vote, *statistic, bounded(plug_in_reproducibility(test))))
    return words.table("blocked-t", rows)


def _figures(words: StudyWords, study: ResplitStudy, percent: bool) -> Iterator[Figure]:
    boxes = estimator_boxes_content(study, in_percent=percent)
    yield words.figure("estimator-boxes", boxes, "estimators")
    yield words.figure("reproducibility", reproducibility_content(study), "snr-and-reproducibility", "snr")


def _findings(study: ResplitStudy) -> Iterator[Finding]:
    few = [item.n_repartitions for item in study.resplits if 1 < item.n_repartitions < FEW_REPARTITIONS]
    if few:
        message = (
            f"With {spanned(few, 're-partition')}, the interval of a reproducibility near one half reaches more than "
            ".1 to either side."
        )
        remedy = "divide the corpus 200 times or more"
        yield Finding("few-repartitions", "warning", message, remedy=remedy)


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
    return Signature(version=__version__, source=study.read.source, digest=study.read.digest, fields=fields)


def _data(study: ResplitStudy) -> dict[str, Any]:
    return {
        "version": VERSION,
        "reportkit_version": __version__,
        "kind": "reproducibility",
        "data": {
            "source": study.read.source,
            "sha256": study.read.digest,
            "n_rows": study.read.n_rows,
            "columns": dict(study.read.columns),
            "form": study.read.form,
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
    estimators = []
    for name, result in item.results.items():
        counts = {"estimator": name, "n_above": result.n_above, "n_ties": result.n_ties}
        estimators.append({**counts, **result.row, "snr": finite(result.snr)})
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
