"""Calibration: whether the p-values of results can be trusted, and what a gain on these datasets is worth."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.analysis.pair import two_systems
from reportkit.analysis.presentation import Styled
from reportkit.analysis.read_results import read_results
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.calibration.plan import OF_STUDY, StudyPlan, families_of
from reportkit.calibration.study import CalibrationStudy, carry_out
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.options import meant_by
from reportkit.parallel import workers_of
from reportkit.replicability.compare import metrics_for
from reportkit.report.calibration.build import build_calibration, overall_status
from reportkit.report.calibration.rows import COLUMNS, records
from reportkit.report.model import Report
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import frame_or_path, read_frame
from reportkit.scores.scores import Results
from reportkit.scores.together import family_column
from reportkit.settings import SETTING_NAMES, Settings
from reportkit.settings.arguments import Stages, Workers


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationReport(Styled):
    """Whether the p-values of these results can be trusted, and what a gain on these datasets is worth.

    `found["null"]` is a frame of one part:

    - `null`: sizes under the null hypothesis, by dataset, pair, way to make it true and direction;
    - `joint_null`: how often k-hat is above 0 where no dataset has an effect, by pair and way of counting;
    - `pairs`: all pairs of systems on each dataset: winner, loser, gain, p-value, same_family if families are known;
    - `thresholds`: gains above which few p-values are as large as .05, by dataset and group of pairs;
    - `sizes`: p-values on parts of the test sets, and the smallest difference that each size detects;
    - `bins`: share of winners that are better, by bins of p-values; that of a hidden bin is missing;
    - `domains`: share of winners that win on another dataset too, by source and target at the level, then by bins;
    - `toy`: the simulations of Dror et al. (2017), section 5: probabilities of a k-hat above 0, and above 1.

    Parameters
    ----------
    study : CalibrationStudy
        Everything that was simulated and compared.
    results : Results
        What it was made from.
    appearance : Appearance
        How tables and figures are set; see `styled`.

    Examples
    --------
    >>> import numpy as np, pandas as pd, reportkit
    >>> rng = np.random.default_rng(0)
    >>> frame = pd.DataFrame({"system": np.repeat(["a", "b"], 80), "dataset": "cb", "instance": [*range(80)] * 2,
    ...                       "score": rng.normal(size=160)})
    >>> found = frame.replic.calibrate("a", "b", parts=("null",), n_replicates=500)
    >>> found.status, found["null"]["size"].round(3).tolist()
    ('calibrated', [0.059, 0.056, 0.066])
    """

    study: CalibrationStudy
    results: Results = field(repr=False)
    appearance: Appearance = DEFAULT_APPEARANCE

    @property
    def status(self) -> str | None:
        """Return the worst verdict on the p-values without an effect; None if none were simulated."""
        return overall_status(self.study.nulls) if self.study.nulls else None

    def __getitem__(self, part: str) -> pd.DataFrame:
        """Return the rows of one part, unrounded; none where it was not looked at.

        Raises
        ------
        UnknownNameError
            If there is no such part; the message lists them.
        """
        if part not in COLUMNS:
            raise UnknownNameError("part of a calibration", part, COLUMNS)
        rows = records(self.study)[part]
        return pd.DataFrame(rows) if rows else pd.DataFrame(columns=list(COLUMNS[part]))

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """Return the first part that was looked at, such as `null`; or, by its name, a table as it is printed."""
        if name is not None:
            return super().to_frame(name)
        return self[next((part for part, rows in records(self.study).items() if rows), "null")]

    def _lay_out(self) -> Report:
        return build_calibration(self.study, self.results, self.appearance)

    def __repr__(self) -> str:
        return repr(self.report())

    def _formats(self) -> dict[str, Callable[[], str]]:
        return self.report()._formats()


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
    """Find out whether the p-values of these results can be trusted, and what a gain on these datasets is worth.

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
    given = families_of(families) if isinstance(families, Mapping) else None
    if not isinstance(results, Results):
        source = frame_or_path(results)
        name = source.name if isinstance(source, Path) else "DataFrame"
        found = read_results(source, settings, columns=columns)
        if isinstance(found, PrintedResults):
            raise DesignError(
                "printed figures hold no scores to simulate from",
                where=name,
                remedy="give one score per system, dataset and instance",
            )
        results = dataclasses.replace(found, source=name)
        if given is None and not (isinstance(source, Path) and source.is_dir()):
            frame = read_frame(source) if isinstance(source, Path) else source
            column = families if isinstance(families, str) else None
            given = family_column(frame, results.columns, column, unused=results.unused_columns)
    elif isinstance(families, str):
        raise SettingsError(
            f"families={families!r} names a column, and results that were read before have none",
            remedy="give the frame or the file, or a mapping: families={'bert': ['bert-base', 'bert-large']}",
        )
    results = results if settings.names_metrics else results.one_metric_each()
    primary = metrics_for(results, settings)[:1]
    results = results.select(metric=primary, datasets=settings.datasets, systems=systems or None)
    pairs: tuple[tuple[str, str], ...] = ()
    if system_a is not None or system_b is not None:
        if baseline is not None:
            raise SettingsError("two systems and a baseline were named", remedy="name either")
        pairs = (two_systems(results.systems, system_a, system_b),)
    elif baseline is not None:
        if baseline not in results.systems:
            raise UnknownNameError("system", baseline, results.systems)
        pairs = tuple((name, baseline) for name in results.systems if name != baseline)
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
    with workers_of(where) as by:
        study = carry_out(results, plan.quick() if quick else plan, stages=stages, workers=by)
    return CalibrationReport(study, results)
