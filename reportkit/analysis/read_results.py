"""Read and validate results under settings: from files, folders or frames to `Results`."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.scores.building import laid_out
from reportkit.scores.checks import judged, with_unused
from reportkit.scores.codes import natural_key
from reportkit.scores.printed import PrintedResults, printed_from_frame
from reportkit.scores.questions import FILES, Proposal, QuestionError, Request
from reportkit.scores.read import read
from reportkit.scores.reading import Reading
from reportkit.scores.refusals import refusal
from reportkit.scores.scores import Results
from reportkit.scores.table import Asked
from reportkit.scores.together import joined
from reportkit.settings import Settings

CORPUS_METRICS.complete()  # includes metrics of other packages, whose counts a table may hold

Given = str | Path | Sequence[str | Path] | pd.DataFrame | Reading
"""Types that are taken as results: paths, a frame, or a reading of files."""


def request_of(
    settings: Settings,
    *,
    columns: Mapping[str, str] | None = None,
    filter: str | None = None,  # noqa: A002 - as the command calls it
    wide_systems: Sequence[str] | None = None,
    exclude: Sequence[str] = (),
    command: Sequence[str] = (),
) -> Request:
    """Put together what the user says of the results."""
    higher = settings.higher_is_better
    return Request(
        metrics=settings.metrics,
        columns=columns or {},
        systems=None if wide_systems is None else tuple(wide_systems),
        filter=filter,
        exclude=tuple(exclude),
        directions=higher if isinstance(higher, Mapping) else {},
        one_direction=higher if isinstance(higher, bool) else None,
        across_datasets=settings.across_datasets,
        unpaired=settings.pairing == "unpaired",
        missing=settings.missing,
        command=tuple(command),
    )


def read_results(
    source: Given,
    settings: Settings,
    request: Request | None = None,
    *,
    system_a: str | None = None,
    system_b: str | None = None,
    **said: Any,
) -> Results | PrintedResults:
    """Read and validate results; see `reportkit.read`.

    Parameters
    ----------
    source : path, sequence of paths, DataFrame or Reading
    settings : Settings
    request : Request, optional
        What the user says of the results; by default `request_of` the settings and of `said`.
    system_a, system_b : str, optional
        The systems of printed results.
    **said
        As for `request_of`.

    Raises
    ------
    DesignError
        If there is one score per system and dataset, and the datasets are not taken as the sample.
    """
    request = request or request_of(settings, **said)
    reading = source if isinstance(source, Reading) else read(source, request)
    frame, name = reading.frame, reading.source
    if reading.form == "printed":
        higher = settings.higher_is_better
        printed = printed_from_frame(
            frame,
            columns=reading.columns,
            system_a=system_a,
            system_b=system_b,
            higher_is_better=higher if isinstance(higher, bool) else settings.metric_higher_is_better("score"),
            source=name,
        )
        return dataclasses.replace(printed, columns=dict(reading.columns), findings=reading.findings + printed.findings)
    if reading.aggregates and not settings.across_datasets:
        raise _of_means(reading, request)
    asked = [asked_of(reading, settings, reading.lines_of, metric) for metric in reading.computed or (None,)]
    laid = [(laid_out(frame, one, datasets=settings.datasets), one) for one in asked]
    read_each = [judged(*both, mixed_scales=settings.mixed_scales) for both in laid]
    results = (read_each[0] if len(read_each) == 1 else joined(read_each)).select(datasets=settings.datasets)
    order = settings.metrics if "metric" not in reading.columns else ()
    places = {results.spelt(metric): place for place, metric in enumerate(order)}
    blocks = sorted(results.datasets, key=lambda block: places.get(block.metric, len(places)))
    dropped = [reading.columns[role] for role in results.unused_columns if role in reading.columns]
    results = dataclasses.replace(
        results,
        datasets=tuple(blocks),
        named_datasets=tuple(sorted({*results.named_datasets, *reading.named_datasets}, key=natural_key)),
        columns=dict(reading.columns) or results.columns,
        n_rows=reading.n_rows,
        source=name,
        findings=(*reading.findings, *results.findings),
    )
    return with_unused(results, [*reading.unused_columns, *dropped])


def asked_of(reading: Reading, settings: Settings, source: str, metric: str | None = None) -> Asked:
    """Return the user's statements on scores; the files say the directions that the user does not."""
    names = [metric] if metric else reading.names("metric") or list(reading.computed) or ["score"]
    said = settings.higher_is_better
    return Asked(
        higher_is_better=said
        if isinstance(said, bool)
        else {name: reading.directions.get(name, True) for name in names},
        kind=settings.kind,
        missing=settings.missing,
        metric=metric,
        across_datasets=settings.across_datasets,
        source=source,
        columns={role: name for role, name in reading.columns.items() if name not in FILES},
    )


def _of_means(reading: Reading, request: Request) -> Exception:
    """Say that there is one score per dataset, and what can be asked of them."""
    if len(reading.names("dataset")) < 2:
        return refusal("one-number-each", reading.sentence, system=reading.nouns[0])
    system, dataset = reading.nouns
    typed = next((word for word in request.command[2:] if word.endswith(reading.source)), reading.source)
    return QuestionError(
        f"there is one score per {system} and {dataset}, not one per instance ({reading.sentence})",
        request,
        proposals=[
            Proposal(f"the question is whether a {system} is better on a typical {dataset}", across_datasets=True)
        ],
        remedy="to test each of them, give the scores of the instances, or k and n; to print them without a test:\n"
        f"reportkit table {shlex.quote(typed)}",
    )
