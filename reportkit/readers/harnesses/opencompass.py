"""OpenCompass: `results/MODEL/DATASET.json` of a working directory, with details by example."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers import json_content
from reportkit.readers.format import Harness, Taken
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
from reportkit.readers.units import Unit, latest, understood

_CORRECT = ("correct", "is_correct", "cascade_correct")
_PREDICTION = re.compile(rb'"origin_prompt"|"prediction"')
_TIME = re.compile(r"^\d{8}_\d{6}$")


def read_opencompass(files: Sequence[Source], request: Request) -> Reading:
    """Read the details of all results; replicas of an example are runs.

    Raises
    ------
    ReadingError
        If no result has details, or details are not as OpenCompass writes them.
    """
    units, without = [], []
    n_results = 0
    for done, source in enumerate(files):
        request.progress(done, len(files))
        content = json_content.mapping(source)
        if "details" not in content and content and all(str(key).isdigit() for key in content):
            continue  # predictions, which are scored in another file
        n_results += 1
        details = content.get("details")
        unit = Unit(source.path.parent.name, source.plain_path.stem, source.name, _time(source))
        if isinstance(details, (list, dict)) and details:
            _add(unit, source, details)
        if unit.ids:
            units.append(unit)
        else:
            without.append(source.name)
    request.progress(len(files), len(files))
    if not units:
        raise ReadingError(
            "OpenCompass wrote scores of datasets here, not of examples" if n_results else "these are predictions only",
            where=listed([repr(source.name) for source in files], 3),
            remedy="evaluate with --dump-eval-details, and give the working directory",
        )
    units, older = latest(units, "model and dataset")
    notes = list(older)
    if without:
        notes.append(
            Finding(
                "no-details",
                "warning",
                f"{counted(len(without), 'result')} without details left out.",
                where=listed([repr(name) for name in without], 5),
                remedy="evaluate with --dump-eval-details",
            )
        )
    return understood(
        units,
        request,
        format_name=OPENCOMPASS.name,
        id_name="example",
        hash_name="prompt" if all(unit.hashes and None not in unit.hashes for unit in units) else "",
        main=_CORRECT,
        notes=notes,
        n_files=len(files),
    )


def _can_read(head: bytes, path: Path) -> bool:
    if head.lstrip()[:1] != b"{":
        return False
    parts = path.parts[:-2]
    if b'"details"' in head and (b'"example_abbr"' in head or b'"type"' in head or parts[-1:] == ("results",)):
        return b'"evaluation_id"' not in head
    if parts[-1:] == ("results",):
        return b'"accuracy"' in head or b'"score"' in head
    return parts[-1:] == ("predictions",) and _PREDICTION.search(head) is not None


def _time(source: Source) -> str:
    return next((part for part in reversed(source.path.parts) if _TIME.match(part)), "")


def _examples(source: Source, details: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(details, list):
        pairs = ((str(place), item) for place, item in enumerate(details))
    else:
        pairs = ((key, item) for key, item in details.items() if key != "type")
    for key, item in pairs:
        if not isinstance(item, dict):
            raise json_content.wrong(source, f"has a detail that is a {type(item).__name__}", where=f"detail {key!r}")
        yield json_content.text_of(item, "example_abbr") or key, item


def _add(unit: Unit, source: Source, details: Any) -> None:
    seen: set[str] = set()
    for name, item in _examples(source, details):
        if name in seen:
            raise json_content.wrong(source, f"has the example {name!r} twice")
        seen.add(name)
        values = {key: value for key, value in item.items() if type(value) not in _NEVER and _may_score(value)}
        n_runs = max([len(value) for value in values.values() if type(value) is list], default=1)
        prompt = item.get("prompt", item.get("origin_prompt"))
        asked = None if prompt is None else str(prompt)
        for run in range(n_runs):
            for key, value in values.items():
                if type(value) is list:
                    if len(value) != n_runs:
                        where = f"example {name!r}"
                        raise json_content.wrong(source, "has an example with unequal numbers of replicas", where=where)
                    value = value[run]
                unit.score(key, json_content.number(value))
            unit.ids.append(name)
            unit.runs.append(str(run))
            unit.hashes.append(asked)
    if not unit.metrics:
        unit.ids.clear()


_NUMBERS = {bool, int, float}
_SCORES = {*_NUMBERS, type(None)}
_NEVER = {str, dict, type(None)}


def _may_score(value: Any) -> bool:
    """Whether a member of a detail may be a score: a number, or one of each replica."""
    if type(value) is list:
        return bool(value) and type(value[0]) in _SCORES and {*map(type, value)} <= _SCORES
    return type(value) in _NUMBERS


OPENCOMPASS = Harness(
    name="OpenCompass",
    endings=(".json",),
    read=read_opencompass,
    can_read=_can_read,
    taken=Taken(
        files="`results/MODEL/DATASET.json` with `details` (of `--dump-eval-details`)",
        system="the folder",
        dataset="the name of the file",
        instance="`example_abbr`, or the key of the detail; checked against `prompt`, where there is one",
        run="the place in the list of replicas",
        metric="`correct`, `is_correct` or `cascade_correct`, else a number of the detail",
        refused="results without details; left out with a word: older working directories of the same model",
    ),
)
