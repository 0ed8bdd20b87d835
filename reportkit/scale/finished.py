"""Finished tests in a folder, by content: what was tested before, on the same scores in the same way, is not again.

A file of Parquet for each piece of work, with a row for each pair of systems: a key, which is a hash of all that its
numbers depend on, the numbers that a family needs, and the outcome as JSON. Nothing is ever changed in the folder, and
no code is read from it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import os
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from reportkit._version import __version__
from reportkit.language.counts_and_lists import Named
from reportkit.replicability.claims import Pair
from reportkit.replicability.compare import AssessedDataset, ComparisonPlan, assess_dataset
from reportkit.replicability.independence.traces import OfLast, traces_of
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.significance.assessed import KEYS, Assessed, columns_of
from reportkit.significance.outcome import Outcome

_RESAMPLED = re.compile(r'"n_resamples": (?!null)')
"""In the JSON of an outcome; within a text, there would be a backslash before the second quotation mark."""


def assess_unfinished(
    block: Block,
    claims: Sequence[Pair],
    plan: ComparisonPlan,
    done: Callable[[], None] | None = None,
    *,
    folder: Path,
) -> AssessedDataset:
    """Test the claims of which the folder holds no outcome, and add theirs to it; see `assess_dataset`.

    An outcome counts for other families of hypotheses, too, where nothing of it depends on their number: no resamples
    were drawn, and no finding limits it.
    """
    compared = block.narrowed(plan.systems)
    if compared is None or type(compared) is not DatasetScores:
        return assess_dataset(block, claims, plan, done)
    keys = _keys(compared, claims, plan)
    name = f"{block.metric}\x1f{block.dataset}".encode("utf-8", "surrogatepass")
    here = folder / hashlib.sha256(name).hexdigest()[:20]
    known = _found(here, [*keys.values()], _thresholds(plan))
    left = [claim for claim in claims if keys.get(claim) not in known]
    part = assess_dataset(block, left, plan, done)
    tested = dict(zip(part.claims, part.assessments, strict=True))
    fresh = {claim: text for claim, item in tested.items() if (text := as_json(item)) is not None}
    if fresh:
        columns = zip(*columns_of([tested[claim] for claim in fresh]).values(), strict=True)
        rows = [
            (keys[claim], text, _bound(tested[claim], text), *numbers)
            for (claim, text), numbers in zip(fresh.items(), columns, strict=True)
        ]
        _write(here, rows, _thresholds(plan))
    if len(left) == len(claims):
        return part
    taken_up = [claim for claim in claims if keys.get(claim) in known]
    return dataclasses.replace(
        part,
        claims=(*tested, *taken_up),
        assessments=_together(list(tested.values()), [known[keys[claim]] for claim in taken_up]),
        traces=part.traces or traces_of(compared),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Row:
    """An outcome in the folder: what a family needs to know of it as numbers, and all of it when it is asked for."""

    texts: pa.ChunkedArray
    place: int
    bound: bool
    numbers: tuple[Any, ...]

    def outcome(self) -> Outcome:
        """Read its JSON."""
        found: Outcome = from_json(self.texts[self.place].as_py())
        return found


def _together(tested: list[Outcome], kept: Sequence[_Row]) -> Assessed:
    """Outcomes that are there, and those of which the JSON is read where they are asked for."""
    first = tested[0] if tested else kept[0].outcome()
    known = dict(enumerate(tested))
    known |= {place: row.outcome() for place, row in enumerate(kept, start=len(tested)) if row.bound}
    return Assessed(
        first.dataset,
        first.metric,
        first.unit,
        {
            name: [*column, *(row.numbers[place] for row in kept)]
            for place, (name, column) in enumerate(columns_of(tested).items())
        },
        known,
        lambda places: [kept[place - len(tested)].outcome() for place in places],
        without_scores=True,
    )


def _keys(block: DatasetScores, claims: Sequence[Pair], plan: ComparisonPlan) -> dict[Pair, str]:
    """What the numbers of each claim depend on, but for the thresholds, as a hash."""
    how = (__version__, plan.settings, plan.resampling.n_resamples, plan.verdicts_only)
    context = hashlib.sha256(repr(how).encode())
    context.update(repr((block.metric, block.dataset, block.kind, block.higher_is_better)).encode())
    context.update(_IDS(block.instances))
    for part in (block.clusters, block.weights):
        context.update(b"-" if part is None else part.tobytes())
    rows = dict(zip(block.systems, _ROWS(block.scores), strict=True))
    return {
        (a, b): hashlib.sha256(repr((context.hexdigest(), a, rows[a], b, rows[b])).encode()).hexdigest()
        for a, b in claims
        if a in rows and b in rows
    }


_IDS = OfLast(lambda instances: "\x1f".join(map(str, instances)).encode("utf-8", "surrogatepass"))
"""Ids of a dataset as bytes."""

_ROWS = OfLast(lambda scores: [hashlib.sha256(row.tobytes()).hexdigest() for row in scores])
"""Hashes of the scores of each system."""


def _thresholds(plan: ComparisonPlan) -> str:
    return repr(plan.resampling.thresholds)


def _found(folder: Path, keys: Sequence[str], thresholds: str) -> dict[str, _Row]:
    """Outcomes by key."""
    index = _index(folder, thresholds)
    index.look()
    files: dict[Path, list[int]] = {}
    for key in keys:
        if key in index.places:
            file, row = index.places[key]
            files.setdefault(file, []).append(row)
    found: dict[str, _Row] = {}
    for file, rows in files.items():
        table = _table(file, ("key", "outcome", "bound", *KEYS))
        if table is not None and max(rows) < table.num_rows:
            table = table.take(pa.array(rows))
            texts = table["outcome"]
            columns = [table[name].to_pylist() for name in ("key", "bound", *KEYS)]
            for place, (key, bound, *numbers) in enumerate(zip(*columns, strict=True)):
                found[key] = _Row(texts, place, bound, tuple(numbers))
    return found


@dataclasses.dataclass(slots=True)
class _Index:
    """Where outcomes stand that count for a family: file and row, by key."""

    folder: Path
    thresholds: str
    files: set[Path] = dataclasses.field(default_factory=set)
    places: dict[str, tuple[Path, int]] = dataclasses.field(default_factory=dict)

    def look(self) -> None:
        """Read the keys of files that were not there before; no file changes."""
        there = {*self.folder.glob("*.parquet")} if self.folder.is_dir() else set()
        for file in sorted(there - self.files):
            table = _table(file, ("key", "bound", "thresholds"))
            if table is None:
                continue
            of_family = pc.or_(pc.invert(table["bound"]), pc.equal(table["thresholds"], self.thresholds)).to_pylist()
            for row, (key, counts) in enumerate(zip(table["key"].to_pylist(), of_family, strict=True)):
                if counts:
                    self.places[key] = file, row
        self.files |= there


@lru_cache(maxsize=4)
def _index(folder: Path, thresholds: str) -> _Index:
    return _Index(folder, thresholds)


def _table(file: Path, names: Sequence[str]) -> pa.Table | None:
    """Some columns of a file; None if it is damaged, for its tests are done again."""
    try:
        with pyarrow.parquet.ParquetFile(file, page_checksum_verification=True) as opened:
            table = opened.read(columns=list(names))
        return table if set(names) <= {*table.column_names} else None
    except (pa.ArrowException, OSError):
        return None


def _write(folder: Path, rows: Sequence[tuple[Any, ...]], thresholds: str) -> None:
    """Write rows of a key, an outcome as JSON, whether it is bound to a family, and its numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    columns = dict(zip(("key", "outcome", "bound", *KEYS), map(list, zip(*rows, strict=True)), strict=True))
    table = pa.table({**columns, "thresholds": [thresholds] * len(rows)})
    name = hashlib.sha256("".join(sorted(columns["key"])).encode() + thresholds.encode()).hexdigest()[:20]
    beside = folder / f".{name}.{os.getpid()}"
    pyarrow.parquet.write_table(table, beside, compression="zstd", write_page_checksum=True)
    beside.replace(folder / f"{name}.parquet")


def _bound(item: Outcome, text: str) -> bool:
    """Whether an outcome, of which the JSON is there, counts for families of this size alone."""
    return bool(item.findings) or _RESAMPLED.search(text) is not None


def as_json(value: Any) -> str | None:
    """An outcome as JSON, exactly; None if it holds something that has no form there.

    Examples
    --------
    >>> from_json(as_json((0.1, float("inf"), None, {"a": 1})))
    (0.1, inf, None, {'a': 1})
    """
    try:
        return json.dumps(_encoded(value), allow_nan=False)
    except TypeError:
        return None


def from_json(text: str) -> Any:
    """What `as_json` wrote."""
    return _decoded(json.loads(text))


def _encoded(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if np.isfinite(value) else {"float": repr(value)}
    if isinstance(value, np.generic):
        return {"numpy": value.dtype.str, "value": _encoded(value.item())}
    if kind is Named:
        return {"class": _home(kind), "arguments": [_encoded(item) for item in value.__getnewargs__()]}
    if isinstance(value, tuple):
        items = [_encoded(item) for item in value]
        return {"tuple": items} if kind is tuple else {"class": _home(kind), "arguments": items}
    if kind is dict:
        return {"dict": [[_encoded(key), _encoded(item)] for key, item in value.items()]}
    if dataclasses.is_dataclass(value):
        fields = {name: _encoded(getattr(value, name)) for name in _fields(cast("Any", kind))}
        return {"class": _home(kind), "fields": fields}
    raise TypeError(f"{kind.__name__} has no form in JSON here")


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(item.name for item in dataclasses.fields(kind))


def _home(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _decoded(value: Any) -> Any:
    if type(value) is not dict:
        return value
    if "class" in value:
        kind = _class(value["class"])
        if "arguments" in value:
            return kind(*map(_decoded, value["arguments"]))
        if not dataclasses.is_dataclass(kind):
            raise ValueError(f"{value['class']} is no dataclass")
        found: Any = object.__new__(kind)  # as it was, whatever the constructor would make of it
        for field, item in value["fields"].items():
            object.__setattr__(found, field, item if type(item) is not dict else _decoded(item))
        return found
    if "tuple" in value:
        return tuple(map(_decoded, value["tuple"]))
    if "float" in value:
        return float(value["float"])
    if "numpy" in value:
        return np.dtype(value["numpy"]).type(_decoded(value["value"]))
    return {_decoded(key): _decoded(item) for key, item in value["dict"]}


@cache
def _class(home: str) -> type:
    module, _, name = home.partition(":")
    if not module.startswith("reportkit."):
        raise ValueError(f"{module} is no module of reportkit")
    kind = getattr(importlib.import_module(module), name)
    if not isinstance(kind, type):
        raise TypeError(f"{name} is no class")
    return kind
