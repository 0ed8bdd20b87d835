"""From results and what is asked of them to a calibration: which pairs, which families, which study."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.analysis.calibration import CalibrationReport
from reportkit.analysis.read_results import read_results, request_of
from reportkit.calibration.plan import OF_STUDY, StudyPlan, families_of
from reportkit.calibration.study import carry_out
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.options import meant_by
from reportkit.parallel import workers_of
from reportkit.replicability.claims import metrics_for
from reportkit.scores.families import family_column
from reportkit.scores.frames import frame_or_path
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import read_frame
from reportkit.scores.results import Results
from reportkit.settings import SETTING_NAMES, Settings
from reportkit.settings.arguments import Stages, Workers


def calibrate(
    results: Results | pd.DataFrame | str | Path,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    baseline: str | None = None,
    systems: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    families: Mapping[str, Sequence[str]] | str | None = None,
    quick: bool = False,
    stages: Stages | None = None,
    workers: Workers = None,
    settings: Settings | None = None,
    **more: Any,
) -> CalibrationReport:
    """See whether the p-values of these results can be trusted, and what a gain on these datasets is worth.

    - `calibrate(results, "new", "old")`: the p-values of this pair, simulated where neither is better.
    - `calibrate(results, baseline="old")`: of every other system against the baseline.
    - `calibrate(results)`: of the two systems that score best.

    All pairs of all systems are compared in each case, where there are three systems or more. Of several levels alpha
    and several metrics, the largest level and the primary metric are looked at.

    Parameters
    ----------
    results : Results, DataFrame, str or Path
        What was measured, one score per system, dataset and instance, or several runs of each system.
    system_a, system_b : str, optional
        A pair of systems.
    baseline : str, optional
        The system to pair every other one with.
    systems : sequence of str
        These systems only; default all.
    columns : mapping of str to str, optional
        Role to column name.
    families : mapping of str to sequence of str, or str, optional
        Family (base model, research group) to its systems, or the column that holds the family; default the column
        `family`, if it plays no other role.
    quick : bool
        A first look: fewer replicates, wider intervals.
    stages : callable, optional
        Called with (what is being done, done, total).
    workers : int or "auto"
        Processes; the numbers are the same.
    settings : Settings, optional
        All settings at once; those that are given one by one come first.
    **more
        What the study is made of: `parts` ("null", "joint", "pairs", "sizes", "bins", "domains"), `toy`, `null`,
        `pair_test`, `test_size`, `confidence_level`, `n_replicates`, `n_resamples`, `n_subsamples`,
        `max_tests`, `n_families`, see `reportkit.calibration.plan.StudyPlan`; `cluster` and `client` of Dask; single
        fields of `Settings`.

    Returns
    -------
    CalibrationReport
        Frames, words, figures, and a report.

    Raises
    ------
    ReportkitError
        If the results or the settings do not fit; the message says what to do.
    """
    where = {"workers": workers, "cluster": more.pop("cluster", None), "client": more.pop("client", None)}
    of_plan = {name: more.pop(name) for name in OF_STUDY if name in more}
    for name in more:
        if name not in SETTING_NAMES:
            known = (*SETTING_NAMES, *OF_STUDY, "baseline", "systems", "families", "quick", "stages", "workers")
            raise UnknownNameError("setting of a calibration", name, known, meant=meant_by(name, StudyPlan, Settings))
    settings = (settings or Settings()).replace(**more)
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
        metric=metrics_for(results, settings)[:1], datasets=settings.datasets, systems=systems or None
    )
    pairs = _pairs_to_calibrate(results, system_a, system_b, baseline)
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
    plan = plan.quick() if quick else plan
    with workers_of(where) as found_workers:
        return CalibrationReport(carry_out(results, plan, stages=stages, workers=found_workers), results)


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
