"""What Python shows of a result: a few lines, whatever was analysed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.language.short_repr import MOST, few_lines, short_repr
from tests.reproducibility_analysis.resplit_cases import estimates_frame

N_DATASETS = 40


def _scores(*, right_or_wrong: bool = False) -> pd.DataFrame:
    """Three systems on forty datasets with long names."""
    rng = np.random.default_rng(0)
    index = pd.MultiIndex.from_product(
        [
            ["Mixtral-8x7B-Instruct-v0.1", "llama-3-70b-instruct", "baseline"],
            [f"bigbench/logical_deduction_five_objects_{number}" for number in range(N_DATASETS)],
            range(40),
        ],
        names=["system", "dataset", "instance"],
    )
    scores = rng.normal(0.5, 0.1, len(index)) + 0.03 * (index.get_level_values("system") != "baseline")
    values = (scores > 0.5).astype(float) if right_or_wrong else scores.round(4)
    return pd.Series(values, index=index, name="score").reset_index()


def _results() -> Iterator[tuple[str, Any]]:
    data = _scores()
    pair = reportkit.compare(data, "Mixtral-8x7B-Instruct-v0.1", "baseline", rope=0.01)
    yield "read", reportkit.read(data)
    yield "compare", pair
    yield "data", pair
    yield "results", pair.results
    yield "assess", pair.assess()
    yield "posterior", pair.posterior()
    yield "hierarchical", pair.hierarchical(tau_scale=0.2)
    yield "report", pair.report()
    yield "all pairs", reportkit.compare(data)
    yield "friedman", reportkit.compare(data).friedman()
    binary = reportkit.compare(_scores(right_or_wrong=True), "Mixtral-8x7B-Instruct-v0.1", "baseline")
    yield "bayes factor", binary.bayes_factor()
    few = data[data["dataset"].str.endswith(("_1", "_2"))]
    yield "calibrate", reportkit.calibrate(few, quick=True, n_replicates=50, parts=["null", "pairs", "sizes"])
    values = {name: list(np.random.default_rng(1).normal(0.01, 0.02, 60)) for name in ("ST", "Avg", "Vote")}
    yield "reproducibility", reportkit.reproducibility(estimates_frame(values, dataset="tweets"), "new", "old")
    yield "check", reportkit.check(Path(__file__).resolve().parents[2] / "README.md")


def _parts(value: object, seen: set[int]) -> Iterator[object]:
    """Every object of reportkit that can be reached from a result."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if type(value).__module__.startswith("reportkit") and not isinstance(value, type):
        yield value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from _parts(getattr(value, field.name, None), seen)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _parts(item, seen)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from _parts(item, seen)


@pytest.mark.slow
def test_no_result_shows_thousands_of_numbers() -> None:
    """Neither a result nor anything that it holds."""
    seen: set[int] = set()
    long: dict[str, int] = {}
    kept = list(_results())
    for name, result in kept:
        for part in _parts(result, seen):
            shown = max(len(repr(part)), len(str(part)))
            if shown >= MOST:
                key = f"{name}: {type(part).__module__}.{type(part).__name__}"
                long[key] = max(shown, long.get(key, 0))
    assert long == {}


@dataclasses.dataclass(frozen=True)
class _Held:
    values: np.ndarray
    names: tuple[str, ...]
    inner: object = None
    hidden: int = dataclasses.field(default=3, repr=False)

    __repr__ = short_repr


def test_short_values_are_shown_and_long_ones_are_measured() -> None:
    """Arrays by their shape, sequences by their number and what they hold; hidden fields not at all."""
    small = _Held(np.array([1.0, 2.0]), ("a", "b"))
    assert repr(small) == "_Held(values=array([1., 2.]), names=('a', 'b'), inner=None)"
    large = _Held(np.zeros((3, 500)), tuple("abcdefghij" * 10), inner=small)
    assert repr(large) == "_Held(values=<array of shape (3, 500)>, names=<100 str>, inner=<_Held>)"
    assert repr(_Held(np.zeros(2), (), inner=(small,) * 70)).endswith("inner=<70 _Held>)")
    assert repr(_Held(np.zeros(2), (), inner={str(n): n for n in range(99)})).endswith("inner=<99 items>)")
    assert len(repr(_Held(np.zeros(2), (), inner="x" * 10_000))) < 200


def test_lines_that_are_left_out_are_counted() -> None:
    """With what shows them all; a few lines are shown as they are."""
    assert few_lines(["a", "b"], "summary()") == "a\nb"
    lines = ["x" * 300] * 40
    shown = few_lines(lines, "summary()").split("\n")
    assert len("\n".join(shown)) < MOST
    assert shown[-1] == f"... and {40 - len(shown) + 1} more; summary() has all"
