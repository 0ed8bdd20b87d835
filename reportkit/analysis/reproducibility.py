"""Reproducibility of a conclusion when a corpus is split again: the function of a user, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.analysis.pair import two_systems
from reportkit.analysis.presentation import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.parallel import workers_of
from reportkit.replicability.multiple_testing.partial_conjunction import holm
from reportkit.report.model import Report
from reportkit.report.reproducibility.build import build_reproducibility
from reportkit.reproducibility_analysis.reproducibility import plug_in_reproducibility
from reportkit.reproducibility_analysis.study import ResplitStudy, resplit_study
from reportkit.scores.read import frame_or_path, read_frame
from reportkit.scores.resplits import resplits_from_frame

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
        """Return one row per dataset and estimator; or, by its name, a table as it is printed.

        Columns: dataset (if there are several), estimator, n (re-partitions), mean, standard_deviation, snr,
        reproducibility, low, high (Wilson), cantelli, normal. With one re-partition: dataset, average, vote,
        standard_error, statistic, degrees_of_freedom, p_value (one-sided), plug_in.
        """
        if name is not None:
            return super().to_frame(name)
        frame = self._numbers()
        return frame.drop(columns="dataset") if len(self.data.resplits) == 1 else frame

    def _numbers(self) -> pd.DataFrame:
        rows: list[dict[str, Any]] = []
        for item in self.data.resplits:
            rows += [{"dataset": item.dataset, "estimator": key, **one.row} for key, one in item.results.items()]
            if item.one is not None and item.t_test is not None:
                names = ("standard_error", "statistic", "degrees_of_freedom")
                row: dict[str, Any] = {"dataset": item.dataset, "average": item.one.average, "vote": item.one.vote}
                row |= {name: getattr(item.t_test, name) for name in names}
                rows.append(row | {"p_value": item.t_test.p_greater, "plug_in": plug_in_reproducibility(item.t_test)})
        return pd.DataFrame(rows)

    def _lay_out(self) -> Report:
        return build_reproducibility(self.data, self.appearance)


def reproducibility(
    results: pd.DataFrame | str | Path,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    baseline: str | None = None,
    metric: str | None = None,
    higher_is_better: bool = True,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    workers: Workers = None,
    cluster: str | None = None,
    client: Any = None,
) -> ReproducibilityResult | pd.DataFrame:
    """Say how reproducible the conclusion that A is better than B is when the corpus is split again.

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
    baseline : str, optional
        Compare every other system with this one, corrected for their number (Xue et al., 2023, section 2).
    metric : str, optional
        Of predictions "accuracy" (default) or "chunk-f1"; otherwise what the numbers are called.
    higher_is_better : bool
        Whether higher scores and estimates are better.
    confidence_level : float
        Confidence level of the intervals.
    columns : mapping of str to str, optional
        Role to column name, where names are not recognised.
    workers, cluster, client
        Who does the work, as by `reportkit.compare`.

    Returns
    -------
    ReproducibilityResult, or DataFrame
        With 20 re-partitions or more, SNR and reproducibility of each estimator; with one, the t-test of the blocked
        cross-validation and the plug-in value. With a baseline the frames of all comparisons, after a column `system`:
        of re-partitions, all intervals of a dataset and an estimator hold together (Bonferroni); of one
        cross-validation, `adjusted_p_value` is by Holm's procedure over the systems on a dataset.

    Raises
    ------
    ReportkitError
        If the results do not fit: names of systems, columns, folds that are not a blocked cross-validation, systems on
        different splits, 2 to 19 re-partitions; the message says what, where, and what to do.

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
    frame, source = (read_frame(given), given.name) if isinstance(given, Path) else (given, "DataFrame")
    resplits = resplits_from_frame(frame, columns=columns, source=source)
    names = sorted(map(str, set(resplits.arrays["system"])))
    if baseline is not None and baseline not in names:
        raise UnknownNameError("baseline", baseline, names)
    if baseline is not None and (system_a, system_b) != (None, None):
        raise SettingsError("a system and a baseline were named", remedy="name two systems, or a baseline alone")
    pairs = [(one, baseline) for one in names if one != baseline] if baseline else []
    pairs = pairs or [two_systems(names, system_a, system_b)]
    with workers_of({"workers": workers, "cluster": cluster, "client": client}) as where:
        found = [
            ReproducibilityResult(
                resplit_study(
                    resplits,
                    *pair,
                    metric=metric,
                    higher_is_better=higher_is_better,
                    confidence_level=1.0 - (1.0 - confidence_level) / len(pairs),
                    workers=where,
                )
            )
            for pair in pairs
        ]
    if baseline is None:
        return found[0]
    tables = [one._numbers().assign(system=name) for one, (name, _) in zip(found, pairs, strict=True)]
    table = pd.concat(tables, ignore_index=True)
    if "p_value" in table:
        by_dataset = table.groupby("dataset", sort=False)["p_value"]
        table["adjusted_p_value"] = by_dataset.transform(lambda p: list(holm(p.tolist())))
    return table[["system", *table.columns.drop("system")]]
