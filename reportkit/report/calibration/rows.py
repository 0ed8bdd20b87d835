"""A study of calibration as rows of plain values: for the frames of a user, `report.json` and the tables.

Numbers are not rounded, and none is NaN.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reportkit.calibration.p_values import Calibration, Side
from reportkit.calibration.shares import Proportion
from reportkit.calibration.study import CalibrationStudy
from reportkit.report.rounding import finite

Row = tuple[Any, ...]

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "null": (
        *("dataset", "system_a", "system_b", "null", "test", "n", "n_clusters", "in_favour_of", "size", "low", "high"),
        *("n_replicates", "n_independent", "verdict", "reasons"),
    ),
    "joint_null": (
        *("system_a", "system_b", "method", "n_datasets", "n_shared", "error", "low", "high", "largest_k_hat"),
        *("level_kept", "n_families"),
    ),
    "pairs": ("dataset", "winner", "loser", "gain", "p_value"),
    "thresholds": ("dataset", "group", "n", "n_pairs", "n_in_window", "threshold", "low", "high"),
    "sizes": (
        *("dataset", "system_a", "system_b", "unit", "size", "median_p", "lower_quartile", "upper_quartile"),
        "detectable",
    ),
    "bins": ("dataset", "above", "up_to", "n", "n_pairs", "share", "low", "high"),
    "domains": ("source", "target", "above", "up_to", "n", "share", "low", "high", "n_tied"),
    "toy": (
        *("design", "method", "exact_above_zero", "simulated_above_zero", "exact_above_one", "simulated_above_one"),
        *("printed", "n_families"),
    ),
}
"""Columns of the frames, by part."""


def records(study: CalibrationStudy) -> dict[str, list[dict[str, Any]]]:
    """Return one list of rows per part, under the names of the frames that `CalibrationReport` gives."""
    parts = (_null, _joint, _pairs, _thresholds, _sizes, _bins, _domains, _toy)
    found = {}
    for (name, columns), part in zip(COLUMNS.items(), parts, strict=True):
        known = (*columns, "same_family") if name == "pairs" and study.families is not None else columns
        found[name] = [dict(zip(known, row, strict=True)) for row in part(study)]
    return found


def directions(item: Calibration) -> list[tuple[Side, str]]:
    """Return the directions in which the size is stated, and who is favoured."""
    if item.symmetric:
        return [("both", "either")]
    return [("greater", item.system_a), ("less", item.system_b)]


def _share(share: Proportion | None) -> Row:
    return (None, None, None) if share is None else (share.value, share.low, share.high)


def _null(study: CalibrationStudy) -> Iterator[Row]:
    for item in study.nulls:
        verdict, reasons = item.verdict.status, "; ".join(item.reasons)
        for side, favoured in directions(item):
            about = (item.dataset, item.system_a, item.system_b, item.null, item.test, item.n, item.n_clusters)
            size = _share(item.size(side))
            replicates = (item.n_replicates, item.n_replicates)  # all simulated, all independent
            yield (*about, favoured, *size, *replicates, verdict, reasons)


def _joint(study: CalibrationStudy) -> Iterator[Row]:
    for item in study.joint:
        for method, k_hats in item.k_hats.items():
            about = (item.system_a, item.system_b, method, len(item.datasets), item.n_shared)
            found = (*_share(item.error(method)), int(k_hats.max()), item.safe(method))
            yield (*about, *found, item.n_replicates)


def _pairs(study: CalibrationStudy) -> Iterator[Row]:
    for found in study.compared:
        both = zip(found.winner, found.loser, found.gains, found.p_values, strict=True)
        for winner, loser, gain, p_value in both:
            a, b = found.systems[winner], found.systems[loser]
            row = (found.dataset, a, b, float(gain), float(p_value))
            yield row if study.families is None else (*row, study.families[a] == study.families[b])


def _thresholds(study: CalibrationStudy) -> Iterator[Row]:
    for found, groups in zip(study.compared, study.thresholds, strict=True):
        for item in groups:
            numbers = (found.n, item.n_pairs, item.n_in_window, item.threshold, item.low, item.high)
            yield (found.dataset, item.group, *numbers)


def _sizes(study: CalibrationStudy) -> Iterator[Row]:
    for curve in study.sizes:
        about = (curve.dataset, curve.system_a, curve.system_b, curve.unit)
        columns = (curve.median, curve.lower_quartile, curve.upper_quartile)
        for place, size in enumerate(curve.sizes):
            numbers = (float(column[place]) for column in columns)
            yield (*about, int(size), *numbers, finite(float(curve.detectable[place])))


def _bins(study: CalibrationStudy) -> Iterator[Row]:
    for item in study.bins:
        rows = [
            (one.low, one.high, one.share.total, one.n_pairs, one.share.value, *(one.interval or (None, None)))
            for one in item.bins
        ]
        rows += [(low, high, n, None, None, None, None) for low, high, n in item.hidden]
        for row in sorted(rows, key=lambda row: row[0]):
            yield (item.dataset, *row)


def _domains(study: CalibrationStudy) -> Iterator[Row]:
    if study.domains is None:
        return
    alpha = study.plan.alpha
    for item in study.domains.transfers:
        share = item.share(alpha)
        n = 0 if share is None else share.total
        yield (item.source_dataset, item.target_dataset, 0.0, alpha, n, *_share(share), item.n_tied)
    for low, high, share, n in study.domains.bins():
        yield (None, None, low, high, n, *_share(share), None)


def _toy(study: CalibrationStudy) -> Iterator[Row]:
    for toy in study.toy:
        for found in toy.results:
            above_zero = (found.exact_above_zero, found.above_zero.value)
            above_one = (found.exact_above_one, found.above_one.value)
            yield (toy.name, found.method, *above_zero, *above_one, found.printed, toy.n_families)
