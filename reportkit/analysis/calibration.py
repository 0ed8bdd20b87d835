"""What a user holds after `calibrate`: frames, words, figures, a report that is saved as every other one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.analysis.presentation import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.calibration.study import CalibrationStudy
from reportkit.report.calibration.build import build_calibration, overall_status
from reportkit.report.calibration.rows import COLUMNS, records
from reportkit.report.model import Report

if TYPE_CHECKING:
    from reportkit.calibration.verdict import Status
    from reportkit.scores.results import Results


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationReport(Styled):
    """Whether the p-values of these results can be trusted, and what a gain on these datasets is worth.

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
    >>> found = frame.replic.calibrate("a", "b", parts=("null",), n_replicates=1000)
    >>> found.status, found.null["size"].round(3).tolist()
    ('calibrated', [0.06, 0.049, 0.064])
    """

    study: CalibrationStudy
    results: Results = field(repr=False)
    appearance: Appearance = DEFAULT_APPEARANCE

    @property
    def status(self) -> Status | None:
        """Worst verdict on the p-values without an effect; None if none were simulated."""
        return overall_status(self.study.nulls) if self.study.nulls else None

    @property
    def null(self) -> pd.DataFrame:
        """Sizes under the null hypothesis, one row per dataset, pair, way to make it true and direction.

        Columns: dataset, system_a, system_b, null, test, n, n_clusters, in_favour_of, size, low, high, n_replicates,
        n_independent, verdict, reasons.
        """
        return self._frame("null")

    @property
    def p_values(self) -> pd.DataFrame:
        """Simulated one-sided p-values; columns dataset, system_a, system_b, null, replicate, p_greater, p_less."""
        parts = [
            pd.DataFrame(
                {
                    "dataset": item.dataset,
                    "system_a": item.system_a,
                    "system_b": item.system_b,
                    "null": item.null,
                    "replicate": range(item.n_replicates),
                    "p_greater": item.p_greater,
                    "p_less": item.p_less,
                }
            )
            for item in self.study.nulls
        ]
        names = ["dataset", "system_a", "system_b", "null", "replicate", "p_greater", "p_less"]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=names)

    @property
    def joint_null(self) -> pd.DataFrame:
        """How often k-hat is above 0 where no dataset has an effect, one row per pair and way of counting.

        Columns: system_a, system_b, method, n_datasets, n_shared, error, low, high, largest_k_hat, level_kept,
        n_families.
        """
        return self._frame("joint_null")

    @property
    def pairs(self) -> pd.DataFrame:
        """All pairs of systems on each dataset.

        Columns: dataset, winner, loser, gain, p_value, and same_family if families are known.
        """
        return self._frame("pairs")

    @property
    def thresholds(self) -> pd.DataFrame:
        """Gains above which few p-values are as large as .05, one row per dataset and group of pairs.

        Columns: dataset, group, n, n_pairs, n_in_window, threshold, low, high (interval over systems).
        """
        return self._frame("thresholds")

    @property
    def sizes(self) -> pd.DataFrame:
        """P-values on parts of the test sets, and the smallest difference that each size detects.

        Columns: dataset, system_a, system_b, unit, size, median_p, lower_quartile, upper_quartile, detectable.
        """
        return self._frame("sizes")

    @property
    def bins(self) -> pd.DataFrame:
        """Share of winners that are better, by bins of p-values; the share of a hidden bin is missing.

        Columns: dataset, above, up_to, n, n_pairs, share, low, high.
        """
        return self._frame("bins")

    @property
    def domains(self) -> pd.DataFrame:
        """Share of winners that win on another dataset too: rows by source and target at the level, then by bins.

        Columns: source, target, above, up_to, n, share, low, high, n_tied; bins over all pairs of datasets have neither
        source nor target.
        """
        return self._frame("domains")

    @property
    def toy(self) -> pd.DataFrame:
        """Simulations of Dror et al. (2017), section 5: probabilities of a k-hat above 0, and above 1.

        Columns: design, method, exact_above_zero, simulated_above_zero, exact_above_one, simulated_above_one, printed,
        n_families.
        """
        return self._frame("toy")

    @cached_property
    def _records(self) -> dict[str, list[dict[str, Any]]]:
        return records(self.study)

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """The first part that was looked at, such as `null`; or, by its name, a table as it is printed."""
        if name is not None:
            return super().to_frame(name)
        return self._frame(next((part for part, rows in self._records.items() if rows), "null"))

    def _frame(self, name: str) -> pd.DataFrame:
        rows = self._records[name]
        return pd.DataFrame(rows) if rows else pd.DataFrame(columns=list(COLUMNS[name]))

    def _lay_out(self) -> Report:
        return build_calibration(
            self.study,
            source=self.results.source,
            digest=self.results.digest(),
            n_rows=self.results.n_rows,
            columns=self.results.columns,
            findings=self.results.findings,
            names={
                "system": self.results.systems,
                "dataset": tuple(dict.fromkeys(block.dataset for block in self.results.datasets)),
                "metric": self.results.metrics,
            },
            appearance=self.appearance,
        )

    def __repr__(self) -> str:
        return repr(self.report())

    def _formats(self) -> dict[str, Callable[[], str]]:
        return self.report()._formats()
