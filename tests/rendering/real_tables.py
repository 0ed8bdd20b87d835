"""Tables of real results: of Dror et al. (2017) from the examples, others from the results next to the checkout."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

import reportkit
from reportkit.analysis.analysis import Analysis
from reportkit.appearance import Appearance
from reportkit.cli.build import compared
from reportkit.cli.config import configured
from reportkit.report.model import Table

ROOT = Path(__file__).resolve().parents[2]
DROR = ("parsing", "pos", "sentiment", "word-similarity")
"""Tables 2 to 5; what is printed of each in Table 1 is in its table of reproduction."""


@cache
def dror_tables() -> dict[str, Table]:
    """All tables of the four reports."""
    options: dict[str, Any] = {
        "config": None,
        **dict.fromkeys(("output", "filter")),
        **dict.fromkeys(("systems", "baseline", "templates"), ()),
        "columns": {},
    }
    tables = {}
    for name in DROR:
        path = ROOT / "examples" / "dror2017" / f"{name}.csv"
        config = configured(path, options)
        analysis, _ = compared([path], config, {"quiet": True})
        tables |= named(name, analysis)
    return tables


@cache
def sentiment() -> Analysis:
    """Five systems on four corpora, all pairs: letters, or daggers against three."""
    return reportkit.compare(_read(ROOT / "examples" / "sentiment" / "results.csv.gz"))


@cache
def swebench(shared: Path) -> Analysis:
    """Nine systems with long names on eleven datasets with long names, against one of them."""
    return reportkit.compare(
        _read(shared / "data" / "swebench_pro" / "data.parquet"), baseline="claude-45sonnet-10132025", missing="drop"
    )


@cache
def alpaca(shared: Path) -> Analysis:
    """58 systems on two datasets, against one of them."""
    frame = _read(shared / "data" / "alpaca_eval" / "v2.parquet")
    frame = frame[frame["dataset"].isin(["koala", "vicuna"])]
    return reportkit.compare(frame, baseline="NullModel", missing="drop")


def named(name: str, analysis: Analysis, **look: Any) -> dict[str, Table]:
    """The tables of an analysis, by names of their own."""
    report = dataclasses.replace(analysis, appearance=Appearance(**look)).report().model
    return {f"{name}-{table.name}": dataclasses.replace(table, name=f"{name}-{table.name}") for table in report.tables}


def _read(path: Path) -> pd.DataFrame:
    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
