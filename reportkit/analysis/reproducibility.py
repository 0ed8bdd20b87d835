"""How reproducible a conclusion is when a corpus is split anew: what a user calls, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.analysis.presentation import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.errors import DesignError, UnknownNameError
from reportkit.parallel import workers_of
from reportkit.replicability.multiple_testing.partial_conjunction import holm
from reportkit.report.model import Figure, Report
from reportkit.report.reproducibility.build import build_reproducibility
from reportkit.reproducibility_analysis.reproducibility import plug_in_reproducibility
from reportkit.reproducibility_analysis.study import ResplitStudy, resplit_study
from reportkit.reproducibility_analysis.tables import performance_table
from reportkit.scores.frames import frame_or_path
from reportkit.scores.resplits import ROLES, resplits_from_frame

if TYPE_CHECKING:
    from reportkit.settings.arguments import Workers


@dataclass(frozen=True, eq=False, repr=False)
class ReproducibilityResult(Styled):
    """Estimates of a difference over the re-partitions of one corpus or several.

    Parameters
    ----------
    data : ResplitStudy
        Everything that was computed.
    appearance : Appearance
        How tables and figures are set.

    Examples
    --------
    >>> import numpy as np, pandas as pd, reportkit
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     {"system": name, "repeat": repeat, "estimator": estimator, "value": value}
    ...     for repeat in range(40)
    ...     for estimator, gain in (("Avg", rng.normal(0.01, 0.01)), ("Vote", rng.normal(0.01, 0.01)))
    ...     for name, value in (("new", 0.8 + gain), ("old", 0.8))
    ... ]
    >>> result = pd.DataFrame(rows).replic.reproducibility("new", "old")
    >>> result.to_frame()[["estimator", "n", "reproducibility"]]
                estimator   n  reproducibility
    0                 Avg  40            0.900
    1                Vote  40            0.825
    2  Mixture (A over B)  40            0.975
    3  Mixture (B over A)  40            0.250
    """

    data: ResplitStudy
    appearance: Appearance = DEFAULT_APPEARANCE

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """One row per dataset and estimator; or, by its name, a table as it is printed.

        Columns: dataset (if there are several), estimator, n (re-partitions), mean, standard_deviation, snr,
        reproducibility, low, high (Wilson), cantelli, normal. With one re-partition: dataset, average, vote,
        standard_error, statistic, degrees_of_freedom, p_value (one-sided), plug_in.
        """
        if name is not None:
            return super().to_frame(name)
        rows = self._of_one() if self.data.single else self._of_many()
        frame = pd.DataFrame(rows)
        return frame.drop(columns="dataset") if len(self.data.resplits) == 1 else frame

    def _of_many(self) -> list[dict[str, Any]]:
        return [
            {
                "dataset": item.dataset,
                "estimator": name,
                "n": result.n,
                "mean": result.mean,
                "standard_deviation": result.standard_deviation,
                "snr": result.snr,
                "reproducibility": result.proportion,
                "low": result.low,
                "high": result.high,
                "cantelli": result.cantelli,
                "normal": result.normal,
            }
            for item in self.data.resplits
            for name, result in item.results.items()
        ]

    def _of_one(self) -> list[dict[str, Any]]:
        return [
            {
                "dataset": item.dataset,
                "average": item.one.average,
                "vote": item.one.vote,
                "standard_error": item.t_test.standard_error,
                "statistic": item.t_test.statistic,
                "degrees_of_freedom": item.t_test.degrees_of_freedom,
                "p_value": item.t_test.p_greater,
                "plug_in": plug_in_reproducibility(item.t_test),
            }
            for item in self.data.resplits
            if item.one is not None and item.t_test is not None
        ]

    @property
    def estimates(self) -> pd.DataFrame:
        """One row per dataset, estimator and re-partition: `dataset, estimator, repeat, difference`."""
        parts = [
            pd.DataFrame(
                {
                    "dataset": item.dataset,
                    "estimator": name,
                    "repeat": range(1, values.size + 1),
                    "difference": values,
                }
            )
            for item in self.data.resplits
            for name, values in item.estimates.items()
        ]
        return pd.concat(parts, ignore_index=True)

    @property
    def performance(self) -> pd.DataFrame:
        """Mean performance of both systems over the re-partitions, as Table 3 of Xue et al. (2023).

        Columns: dataset, estimator, system, n, mean, standard_error, low, high (Student's t).
        """
        names = (self.data.system_a, self.data.system_b)
        parts = [
            pd.DataFrame(
                {
                    "dataset": item.dataset,
                    "estimator": name,
                    **performance_table(dict(zip(names, both.T, strict=True)), confidence_level=self.data.level),
                }
            )
            for item in self.data.resplits
            for name, both in item.by_system.items()
        ]
        return pd.concat(parts, ignore_index=True)

    def _lay_out(self) -> Report:
        return build_reproducibility(self.data, self.appearance)

    def _figure(self, name: str | None) -> Figure:
        if self.data.single:
            raise DesignError(
                "there is one re-partition, and figures show the spread over many",
                remedy="divide the corpus 200 times or more: split_tables(..., repartitions=200)",
            )
        return super()._figure(name or "snr-and-reproducibility")


def reproducibility(
    results: pd.DataFrame | str | Path,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    metric: str | None = None,
    higher_is_better: bool = True,
    confidence_level: float = 0.95,
    appearance: Appearance = DEFAULT_APPEARANCE,
    columns: Mapping[str, str] | None = None,
    workers: Workers = None,
    cluster: str | None = None,
    client: Any = None,
) -> ReproducibilityResult:
    """Say how reproducible the conclusion that A is better than B is when the corpus is split anew.

    Parameters
    ----------
    results : DataFrame, str or Path
        In long form, one row for each

        - prediction: `system, replicate, fold, instance, prediction, gold`, and `token` (a position) where labels are
          those of tokens;
        - or value on a fold: `system, replicate, fold, score`;
        - or finished estimate: `system, repeat, estimator, value`, where the estimator is ST, RS (RS6: of six splits),
          Avg or Vote.

        `repeat` is the independent division of the corpus, `dataset` the corpus, if there are several.
    system_a, system_b : str, optional
        In alphabetical order, if there are two and none is named.
    metric : str, optional
        Of predictions "accuracy" (default) or "chunk-f1"; otherwise what the numbers are called.
    higher_is_better : bool
        Of scores and estimates.
    confidence_level : float
        Of the intervals.
    appearance : Appearance, optional
        How tables and figures are set.
    columns : mapping of str to str, optional
        Role to column name, where names are not recognised.
    workers, cluster, client
        Who does the work, as by `reportkit.compare`.

    Returns
    -------
    ReproducibilityResult
        With 20 re-partitions or more, SNR and reproducibility of each estimator; with one, the t-test of the blocked
        cross-validation and the plug-in value.

    Raises
    ------
    ReportkitError
        If the results do not fit: columns, folds that are no blocked cross-validation, systems on different splits, 2
        to 19 re-partitions; the message says what, where, and what to do.

    Notes
    -----
    This is reproducibility under re-splitting one corpus; it says nothing about new data or other random seeds. Xue et
    al. (2023), "We need to talk about reproducibility in NLP model comparison".

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({
    ...     "system": ["new"] * 6 + ["old"] * 6,
    ...     "replicate": [1, 1, 2, 2, 3, 3] * 2,
    ...     "fold": [1, 2] * 6,
    ...     "score": [0.82, 0.81, 0.83, 0.80, 0.82, 0.83] + [0.80] * 6,
    ... })
    >>> print(reproducibility(scores, "new", "old").summary().partition(". ")[0])
    The corrected t-test of the 6 hold-out differences gives t = 1.45 with 5 degrees of freedom, one-sided p = .10
    """
    given = frame_or_path(results)
    frame, source = (read_resplits(given), given.name) if isinstance(given, Path) else (given, "DataFrame")
    with workers_of({"workers": workers, "cluster": cluster, "client": client}) as where:
        study = resplit_study(
            resplits_from_frame(frame, columns=columns, source=source),
            system_a,
            system_b,
            metric=metric,
            higher_is_better=higher_is_better,
            confidence_level=confidence_level,
            workers=where,
        )
    return ReproducibilityResult(study, appearance)


def against_baseline(
    results: pd.DataFrame | str | Path,
    baseline: str,
    *,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Compare every other system with a baseline, corrected for their number (Xue et al., 2023, section 2).

    Parameters
    ----------
    results : DataFrame, str or Path
        As for `reproducibility`.
    baseline : str
        The system that all others are compared with.
    confidence_level : float
        At which all intervals of a dataset and an estimator hold together.
    columns, **options
        As for `reproducibility`.

    Returns
    -------
    DataFrame
        The columns of `ReproducibilityResult.to_frame` after that of the system. Of re-partitions, all intervals of a
        dataset and an estimator hold together (Bonferroni); of one cross-validation, `adjusted_p_value` is by Holm's
        procedure over the systems on a dataset.

    Raises
    ------
    UnknownNameError
        If there is no such baseline.
    """
    given = frame_or_path(results)
    frame = read_resplits(given) if isinstance(given, Path) else given
    names = {str(name) for name in resplits_from_frame(frame, columns=columns, source="").arrays["system"]}
    if baseline not in names:
        raise UnknownNameError("baseline", baseline, sorted(names))
    others = sorted(names - {baseline})
    level = 1.0 - (1.0 - confidence_level) / max(len(others), 1)
    tables = []
    for name in others:
        data = reproducibility(frame, name, baseline, confidence_level=level, columns=columns, **options).data
        table = ReproducibilityResult(data)
        rows = pd.DataFrame(table._of_one() if data.single else table._of_many())
        tables.append(rows.assign(system=name)[["system", *rows]])
    found = pd.concat(tables, ignore_index=True)
    if "p_value" in found:
        by_dataset = found.groupby("dataset", sort=False)["p_value"]
        found["adjusted_p_value"] = by_dataset.transform(lambda p: list(holm(p.tolist())))
    return found


def read_resplits(path: Path) -> pd.DataFrame:
    """Read a file of predictions, scores of folds or estimates; names and labels stay texts.

    Raises
    ------
    ReadingError
        If the file cannot be read.
    """
    from reportkit.scores.read import read_frame

    return read_frame(path)


__all__ = ["ROLES", "ReproducibilityResult", "reproducibility"]
