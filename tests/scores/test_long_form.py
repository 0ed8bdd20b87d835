"""A frame in the long form is taken as it is, and gives what reading and understanding it would give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReportkitError


def _frame() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    rows = [(s, d, i) for s in ("new", "old", "bert") for d in ("cb", "rte10", "rte9") for i in range(12)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance"])
    return frame.assign(score=rng.integers(0, 2, len(frame)) * rng.random(len(frame)).round(2))


def _with(**cells: object) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda frame: frame.assign(
        **{name: frame[name].where(frame.index > 2, cell) for name, cell in cells.items()}
    )


CHANGES: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "as it is": lambda frame: frame,
    "shuffled, with an index": lambda frame: frame.sample(frac=1, random_state=1),
    "categories": lambda frame: frame.astype({"system": "category", "dataset": "category"}),
    "in an order": lambda frame: frame.assign(
        dataset=pd.Categorical(frame["dataset"], ["rte10", "cb", "rte9"], ordered=True)
    ),
    "in percent": lambda frame: frame.assign(score=100 * (frame["score"] > 0)),
    "with a metric": lambda frame: frame.assign(metric="f1"),
    "with two columns of metrics": lambda frame: frame.assign(metric="f1", more="f1").rename(
        columns={"more": "metric"}
    ),
    "with an error rate": lambda frame: frame.assign(metric="WER"),
    "with two metrics": lambda frame: pd.concat([frame.assign(metric="f1"), frame.assign(metric="wer")]),
    "with a metric in one row": lambda frame: frame.assign(metric=np.where(frame.index > 0, "f1", None)),
    "a dataset of averages": lambda frame: frame.replace({"dataset": {"cb": "average"}}),
    "an instance of averages": lambda frame: frame.astype({"instance": str}).replace({"instance": {"7": "mean"}}),
    "with clusters and columns of no role": lambda frame: frame.assign(
        cluster=frame["instance"] // 3, prediction="a", bleu=0.5, note="x", length=3
    ),
    "with clusters of one": lambda frame: frame.assign(cluster=frame["dataset"] + frame["instance"].map(str)),
    "with weights": lambda frame: frame.assign(item_id=frame["instance"], weight=frame["instance"] + 1),
    "placeholders": _with(score=-1.0),
    "empty scores": _with(score=np.nan),
    "empty names": _with(system=None),
    "lists as names": lambda frame: frame.assign(instance=[[one] for one in frame["instance"]]),
    "scores in words": lambda frame: frame.assign(score=np.where(frame["score"] > 0, "yes", "no")),
    "rows that occur twice": lambda frame: pd.concat([frame, frame[:3]]),
    "two scores of a cell": lambda frame: pd.concat([frame, frame[:3].assign(score=0.123)]),
    "a system with one score": lambda frame: frame[(frame["system"] != "bert") | (frame["instance"] == 3)],
    "one system": lambda frame: frame[frame["system"] == "new"],
    "one instance": lambda frame: frame[frame["instance"] == 3],
    "differences": lambda frame: frame.assign(score=frame["score"] - 0.25),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_stated_long_form_gives_what_a_recognised_one_gives(change: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    """Also where it is not as it should be: then the error is the same."""
    frame = change(_frame())

    def said(**options: object) -> tuple[object, ...]:
        try:
            results = reportkit.read(frame, **options)
        except ReportkitError as error:
            return type(error), str(error).partition("reportkit.read(")[0]
        names = ("findings", "columns", "named_datasets", "deselected", "unused_columns")
        return results.digest(), *(getattr(results, name) for name in names)

    assert said() == said(columns={"score": "score"})
    assert said(datasets=["cb"], higher_is_better=False) == said(
        datasets=["cb"], higher_is_better=False, columns={"score": "score"}
    )
