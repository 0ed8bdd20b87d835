"""Small tables of many kinds, and what is understood of each, in `kinds_of_tables.md`, which was read by eye.

A line of the file is a table: `model=ada,bee id=#20 acc~unit` has a row for each model and each of 20 ids, and random
shares as values; `doc:id//5` is computed; in braces are the index and what the user says. Below it is what is
understood, or the question; REPORTKIT_UPDATE_GOLDEN=1 writes that anew.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReportkitError
from reportkit.scores.sample import Sample

GOLDEN = Path(__file__).with_name("kinds_of_tables.md")
VALUES: dict[str, Callable[[np.random.Generator, int], object]] = {
    "unit": lambda rng, n: rng.random(n).round(3),
    "percent": lambda rng, n: (100 * rng.random(n)).round(1),
    "real": lambda rng, n: rng.normal(size=n).round(3),
    "binary": lambda rng, n: rng.integers(0, 2, n),
    "flag": lambda rng, n: rng.random(n) < 0.5,
    "rating": lambda rng, n: rng.integers(1, 6, n),
    "count": lambda rng, n: rng.integers(0, 400, n),
    "total": lambda rng, n: np.full(n, 500),
    "time": lambda rng, n: 1.78e9 + np.arange(n) * 3.5,
    "number": lambda rng, n: np.arange(n),
    "text": lambda rng, n: [f"it is {value}" for value in rng.integers(0, 9999, n)],
    "label": lambda rng, n: rng.choice(["noun", "verb", "other"], n),
    "verdict": lambda rng, n: rng.choice(["model_a", "model_b", "tie"], n),
    "p": lambda rng, n: (rng.random(n) ** 4).round(4),
    "spread": lambda rng, n: [f"{value:.1f} ± 0.2" for value in 100 * rng.random(n)],
    "empty": lambda rng, n: np.full(n, np.nan),
}


def table(line: str) -> pd.DataFrame:
    """Return the table that a line describes."""
    rng = np.random.default_rng(0)
    crossed = dict(part.split("=") for part in line.split() if "=" in part)
    names = [[*range(int(one[1:]))] if one[:1] == "#" else one.split(",") for one in crossed.values()]
    frame = pd.DataFrame(list(itertools.product(*names)), columns=list(crossed))
    for name, kind in (part.split("~") for part in line.split() if "~" in part):
        frame[name] = VALUES[kind](rng, len(frame)) if kind in VALUES else kind
    for name, expression in (part.split(":", 1) for part in line.split() if ":" in part):
        frame[name] = frame.eval(expression)
    return frame


def taken(columns: str) -> str:
    """Return what each column of a table of columns is, or could be, taken for."""
    return "; ".join(re.sub(r"  +.*  +", ": ", one.strip()) for one in columns.splitlines()[1:])


def design(pair: Sample) -> str:
    """Return the design of two systems, the difference, and what else is known of them."""
    more = {name: getattr(pair, name) for name in ("n_dropped", "n_imputed", "proportions", "details")}
    known = "".join(f", {name} {value}" for name, value in more.items() if value)
    return f"{pair.shape} {pair.kind}, n {pair.n}, {pair.value_difference:+.2g}" + re.sub(r"(\.\d\d)\d+", r"\1", known)


def understood(line: str) -> list[str]:
    """Return what is understood of a table, what each column is taken for, and the design; or the question."""
    columns, brace, more = line.partition("{")
    asked, said = json.loads(brace + more or "{}"), []
    index = asked.pop("index", [])
    frame = table(columns).set_index(index) if index else table(columns)
    try:
        found = reportkit.inspect(frame, **asked)
        directions = [f"{name} {'higher' if higher else 'lower'}" for name, higher in found.directions.items()]
        said = [found.lines()[0], "; ".join([found.form, taken(found.table), *directions])]
        results = reportkit.read(found, **asked)
        more = {name: asked[name] for name in ("missing", "pairing", "runs", "score_range") if name in asked}
        pairs = [one.pair(*one.systems[:2], **more) for one in getattr(results, "datasets", ())]
    except ReportkitError as error:
        where, remedy = (error.where or "").splitlines(), (error.remedy or "").splitlines()
        question = where if said else [taken(error.where or ""), *remedy]
        return [f"  {part}" for part in [*said, error.problem, *question] if part]
    designs = dict.fromkeys(map(design, pairs))
    notes = [f"{one.code} {one.where or ''}".strip() for one in results.findings]
    return [f"  {part}" for part in [*said, "; ".join([*designs, *notes])] if part]


@pytest.mark.slow
def test_kinds_of_tables() -> None:
    """Each is understood, or asked about, as in the file."""
    golden = GOLDEN.read_text("utf-8").splitlines()
    lines = [line for line in golden if line[:1].strip() and not line.startswith("#")]
    written = [golden[0], *(part for line in lines for part in ("", line, *understood(line)))]
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text("\n".join(written) + "\n", encoding="utf-8")
    assert written == GOLDEN.read_text("utf-8").splitlines()
