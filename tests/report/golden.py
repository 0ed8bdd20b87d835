"""Golden files of words and tables, and small results for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.contract import frames


def mixed(gains: Mapping[str, tuple[float, ...]], *, n: int = 120, seed: int = 0) -> pd.DataFrame:
    """Return right and wrong answers of systems that are better than "base" by so much on each dataset."""
    rng = np.random.default_rng(seed)
    width = max(map(len, gains.values()))
    parts = []
    for dataset in range(width):
        shared = rng.normal(size=n)
        for system, gain in {"base": (0.0,) * width, **gains}.items():
            if dataset < len(gain):
                right = gain[dataset] + shared + 0.7 * rng.normal(size=n) > 0
                parts.append(frames.rows(system, f"d{dataset + 1}", score=right.astype(int)))
    return pd.concat(parts, ignore_index=True)


def same_as_in(
    golden: Path, title: str, shown: Mapping[str, Callable[[], Any]], lines: Callable[[Any], Iterable[str]]
) -> None:
    """Hold the lines of each report, and of none before it, against a file; REPORTKIT_UPDATE_GOLDEN=1 writes it."""
    said: set[str] = set()
    written = [f"# {title}"]
    for name, make in shown.items():
        new = list(dict.fromkeys(line for line in lines(make()) if line not in said))
        said |= set(new)
        written += ["", f"## {name}", "", *new]
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        golden.write_text("\n".join(written) + "\n", encoding="utf-8")
    assert written == golden.read_text("utf-8").splitlines()
