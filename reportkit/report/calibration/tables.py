"""Tables of a report on calibration, from its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.calibration.study import CalibrationStudy
from reportkit.calibration.toy import readings
from reportkit.language import fixed, level_text, p_value_text
from reportkit.report.model import Cell, Spanner, Table
from reportkit.report.records import Scale
from reportkit.report.study_words import DASH, StudyWords, interval, share
from reportkit.report.wording import K_HAT

Rows = Sequence[Mapping[str, Any]]


def null_table(words: StudyWords, rows: Rows) -> Table:
    """Return the share of rejected true null hypotheses, by dataset, way to make them true and direction."""
    several = len({(row["system_a"], row["system_b"]) for row in rows}) > 1
    cells: list[list[str | Cell]] = [
        [
            *([f"{row['system_a']}, {row['system_b']}"] if several else []),
            row["dataset"],
            words.cells[row["null"]],
            row["test"],
            f"{row['n']:,}",
            row["in_favour_of"],
            share(row["size"]),
            interval(row["low"], row["high"]),
            Cell(text=row["verdict"], bold=row["verdict"] == "too liberal"),
        ]
        for row in rows
    ]
    nested = (*range(4 + several), 7 + several)
    return words.table("null-sizes", cells, nested=nested, several=several)


def joint_table(words: StudyWords, rows: Rows) -> Table:
    """Return how often k-hat is above 0 without any effect, by way of counting."""
    several = len({(row["system_a"], row["system_b"]) for row in rows}) > 1
    cells: list[tuple[str | Cell, ...]] = []
    for row in rows:
        kept = words.cells["yes" if row["level_kept"] else "no"]
        if row["method"] == "count":
            kept = words.cells["unpromised"] if row["largest_k_hat"] else DASH
        unsafe = row["method"] != "count" and not row["level_kept"]
        claim = [f"{row['system_a']} > {row['system_b']}"] if several else []
        numbers = (share(row["error"]), interval(row["low"], row["high"]), str(row["largest_k_hat"]))
        cells.append((*claim, words.cells[row["method"]], *numbers, Cell(text=kept, bold=unsafe)))
    return words.table("k-hat-null", cells, nested=(0,) if several else ())


def threshold_table(words: StudyWords, rows: Rows, scale: Scale, grouped: bool) -> Table:
    """Return the gains above which few p-values are as large as .05, by dataset and group of pairs."""
    cells = []
    for row in rows:
        found, low, high = (DASH if row[key] is None else scale.score(row[key]) for key in ("threshold", "low", "high"))
        group = [words.cells[row["group"]]] if grouped else []
        numbers = (f"{row['n_pairs']:,}", f"{row['n_in_window']:,}", found)
        ends = DASH if DASH in (low, high) else f"[{low}, {high}]"
        cells.append([row["dataset"], f"{row['n']:,}", *group, *numbers, ends])
    return words.table("gain-thresholds", cells, nested=(0, 1), rules=grouped)


def size_table(words: StudyWords, rows: Rows, scale: Scale, several: bool) -> Table:
    """Return p-values on parts of the test sets, and the smallest difference that each size detects."""
    cells = []
    for row in rows:
        low, high, detectable = row["lower_quartile"], row["upper_quartile"], row["detectable"]
        claim = [f"{row['system_a']} > {row['system_b']}"] if several else []
        quartiles = DASH if low == high else f"[{_bounded(low)}, {_bounded(high)}]"
        smallest = DASH if detectable is None else scale.score(detectable)
        cells.append([*claim, row["dataset"], f"{row['size']:,}", p_value_text(row["median_p"]), quartiles, smallest])
    return words.table("test-sizes", cells, nested=(0, 1) if several else (0,))


def _bounded(p_value: float) -> str:
    return "<.001" if p_value < 0.0005 else share(p_value)


def _bin(row: Mapping[str, Any]) -> str:
    """Write a bin of p-values: "(.04, .08]"."""
    return f"({level_text(row['above']) or 0}, {level_text(row['up_to'])}]"


def _share_cells(row: Mapping[str, Any]) -> tuple[str, str]:
    return (DASH if row["share"] is None else share(row["share"]), interval(row["low"], row["high"]))


def bin_table(words: StudyWords, rows: Rows) -> Table:
    """Return the share of winners that are the better system, by dataset and bin."""
    cells = [
        [
            row["dataset"],
            _bin(row),
            f"{row['n']:,}",
            DASH if row["n_pairs"] is None else f"{row['n_pairs']:,}",
            *_share_cells(row),
        ]
        for row in rows
    ]
    return words.table("bins", cells, nested=(0,))


def transfer_tables(words: StudyWords, rows: Rows) -> tuple[Table, Table]:
    """Return the share of winners that win on another dataset, by bin and by ordered pair of datasets."""
    bins = [row for row in rows if row["source"] is None]
    pairs = [row for row in rows if row["source"] is not None]
    hidden = sum(row["share"] is None for row in bins)
    by_bin = [(_bin(row), f"{row['n']:,}", *_share_cells(row)) for row in bins]
    by_pair = [
        (row["source"], row["target"], f"{row['n']:,}", *_share_cells(row), f"{row['n_tied']:,}") for row in pairs
    ]
    return words.table("transfer-bins", by_bin, hidden=hidden), words.table("transfers", by_pair, nested=(0,))


def toy_table(words: StudyWords, study: CalibrationStudy) -> Table:
    """Return exact and simulated probabilities with the printed figure, by design and way of counting."""

    def known(value: float | None) -> str:
        return DASH if value is None else share(value)

    def distance(value: float | None) -> str:
        return DASH if value is None else fixed(value, 1)

    cells = []
    for toy in study.toy:
        distances = readings(toy.results)
        for found in toy.results:
            first, second = map(distance, distances[found.method])
            above_zero = (known(found.exact_above_zero), share(found.above_zero.value), first)
            above_one = (known(found.exact_above_one), share(found.above_one.value), second)
            cells.append((toy.name, words.cells[found.method], *above_zero, *above_one, known(found.printed)))
    spanners = [Spanner(header=f"P({K_HAT} > {k})", first=2 + 3 * k, last=4 + 3 * k) for k in (0, 1)]
    return words.table("toy", cells, nested=(0,), spanners=spanners)
