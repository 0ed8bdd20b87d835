"""From results and what is asked of them to a calibration: which pairs, which families, which study."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pandas as pd

from reportkit.analysis.calibration import CalibrationReport
from reportkit.analysis.read_results import read_results, request_of
from reportkit.calibration.plan import OF_STUDY, StudyPlan, families_of
from reportkit.calibration.study import carry_out
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.parallel import WHERE, workers_of
from reportkit.replicability.claims import metrics_for
from reportkit.scores.frames import frame_or_path
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import read_frame
from reportkit.scores.results import Results
from reportkit.scores.table.families import family_column
from reportkit.settings import Settings, SettingsOptions
from reportkit.settings.arguments import CalibrationArguments, CalibrationOptions


def calibrate_asked(
    results: Results | pd.DataFrame | str | Path,
    system_a: str | None,
    system_b: str | None,
    columns: Mapping[str, str] | None,
    options: CalibrationOptions,
) -> CalibrationReport:
    """Calibrate as is asked for; see `reportkit.calibrate`."""
    names = {item.name for item in dataclasses.fields(CalibrationArguments)}
    passed = cast("dict[str, Any]", options)
    asked = CalibrationArguments(**{name: value for name, value in passed.items() if name in names})
    of_plan = {name: value for name, value in passed.items() if name in OF_STUDY}
    changes = {name: value for name, value in passed.items() if name not in {*names, *OF_STUDY, *WHERE}}
    settings = (asked.settings or Settings()).replace(**cast("SettingsOptions", changes))
    families = asked.families
    given: Mapping[str, str] | None = None if not isinstance(families, Mapping) else families_of(families)
    if not isinstance(results, Results):
        given_as = frame_or_path(results)
        name = given_as.name if isinstance(given_as, Path) else "DataFrame"
        found = read_results(given_as, settings, request_of(settings, columns=columns))
        if isinstance(found, PrintedResults):
            raise DesignError(
                "printed figures hold no scores to simulate from",
                where=name,
                remedy="give one score per system, dataset and instance",
            )
        results = dataclasses.replace(found, source=name)
        if given is None and not (isinstance(given_as, Path) and given_as.is_dir()):
            column = families if isinstance(families, str) else None
            frame = read_frame(given_as) if isinstance(given_as, Path) else given_as
            given = family_column(frame, results.columns, column, unused=results.unused_columns)
    elif isinstance(families, str):
        raise SettingsError(
            f"families={families!r} names a column, and results that were read before have none",
            remedy="give the frame or the file, or a mapping: families={'bert': ['bert-base', 'bert-large']}",
        )
    results = results if settings.names_metrics else results.one_metric_each()
    results = results.select(
        metric=metrics_for(results, settings)[:1], datasets=settings.datasets, systems=asked.systems or None
    )
    pairs = _pairs_to_calibrate(results, system_a, system_b, asked.baseline)
    plan = StudyPlan(
        pairs=pairs,
        families=given,
        test=settings.test,
        profile=settings.profile,
        missing=settings.missing,
        alpha=settings.alpha[0],
        rng=settings.rng,
        **of_plan,
    )
    plan = plan.quick() if asked.quick else plan
    with workers_of(passed) as workers:
        return CalibrationReport(carry_out(results, plan, stages=asked.stages, workers=workers), results)


def _pairs_to_calibrate(
    results: Results, system_a: str | None, system_b: str | None, baseline: str | None
) -> tuple[tuple[str, str], ...]:
    if (system_a is None) != (system_b is None):
        raise SettingsError("one system was named", remedy="name two, or a baseline: baseline=...")
    for name in (system_a, system_b, baseline):
        if name is not None and name not in results.systems:
            raise UnknownNameError("system", name, results.systems)
    if system_a is not None and system_b is not None:
        if baseline is not None:
            raise SettingsError("two systems and a baseline were named", remedy="name either")
        if system_a == system_b:
            raise SettingsError(f"{system_a!r} is compared with itself", remedy="name two different systems")
        return ((system_a, system_b),)
    if baseline is None:
        return ()
    return tuple((name, baseline) for name in results.systems if name != baseline)
