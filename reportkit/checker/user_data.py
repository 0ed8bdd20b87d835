"""The data that a paper is checked against: read once, compared when a rule asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reportkit.errors import (
    DuplicateScoresError,
    MissingScoresError,
    ReportkitError,
    ScoreValueError,
    SettingsError,
)

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.analysis.analysis import Analysis
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.results import Results
    from reportkit.settings import Settings

Tested = Literal["p-value", "adjusted-p-value", "interval-low", "interval-high"]


@dataclass(eq=False)
class Evidence:
    """Results by instance (or a paper's printed results), with everything that follows from them.

    Whatever keeps the results from being read strictly is kept as an error in `refusals`, for the data rules to report;
    where a lenient reading exists (common instances, mixed scales accepted), `results` is that, so that one fault does
    not keep the others from being found.

    Parameters
    ----------
    source : Path or DataFrame
        Where the results are.
    settings : Settings
        How to test and count.
    columns : mapping of str to str
        Role to column name.
    systems, baselines : tuple of str
        Who is compared with whom.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = {"system": ["a", "b"] * 2, "dataset": "d", "instance": [1, 1, 2, 2], "score": [1, 0, 1, 1]}
    >>> frame = pd.DataFrame(scores)
    >>> evidence = Evidence(frame)
    >>> evidence.results.systems, evidence.refusals
    (('a', 'b'), {})
    """

    source: Path | pd.DataFrame
    settings: Settings = field(default_factory=lambda: _defaults())
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the file, or "DataFrame"."""
        return self.source.name if isinstance(self.source, Path) else "DataFrame"

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The rows as they were given.

        Raises
        ------
        ReadingError
            If the file cannot be read.
        """
        if not isinstance(self.source, Path):
            return self.source
        from reportkit.scores.read import read_frame

        return read_frame(self.source)

    @cached_property
    def _read(self) -> tuple[Results | PrintedResults | None, dict[str, ReportkitError]]:
        from reportkit.api import read

        refusals: dict[str, ReportkitError] = {}
        settings = self.settings
        for _ in range(4):
            try:
                data = read(self.frame, columns=self.columns, settings=settings)
            except ReportkitError as error:
                fault = _fault(error)
                if fault in refusals:
                    break
                refusals[fault] = error
                if fault == "RK502":
                    settings = settings.replace(missing="drop")
                elif fault == "RK503":
                    settings = settings.replace(mixed_scales="accept")
                else:
                    break
            else:
                self._refuse_missing(data, settings, refusals)
                return data, refusals
        return None, refusals

    @staticmethod
    def _refuse_missing(
        data: Results | PrintedResults, settings: Settings, refusals: dict[str, ReportkitError]
    ) -> None:
        """Notice instance sets that differ, which reading accepts and comparing does not."""
        from reportkit.scores.results import Results
        from reportkit.scores.shapes.block import refuse_unequal_instances

        if not isinstance(data, Results) or settings.missing != "error" or settings.pairing != "paired":
            return
        try:
            refuse_unequal_instances(data.datasets)
        except MissingScoresError as error:
            refusals.setdefault("RK502", error)

    @property
    def refusals(self) -> dict[str, ReportkitError]:
        """What a strict reading refuses, by the code of the rule that reports it."""
        return self._read[1]

    @property
    def results(self) -> Results | None:
        """Results by instance; None if they cannot be read, or are a paper's printed results."""
        from reportkit.scores.results import Results

        data = self._read[0]
        return data if isinstance(data, Results) else None

    @property
    def printed(self) -> PrintedResults | None:
        """A paper's printed results, if that is what the data are."""
        from reportkit.scores.results import Results

        data = self._read[0]
        return None if data is None or isinstance(data, Results) else data

    @cached_property
    def _compared(self) -> tuple[Analysis | None, ReportkitError | None]:
        from reportkit.api import compare

        data = self._read[0]
        if data is None:
            return None, SettingsError("the results cannot be read")
        settings = self.settings
        if not self.systems and not self.baselines and (number := _too_many(data)):
            return None, SettingsError(
                f"all pairs of systems would be {number:,} comparisons, too many for a check",
                where=self.name,
                remedy='name whom the paper compares in reportkit.toml: baseline = "...", or system = "..." with it',
            )
        if "missing" in self.refusals and settings.missing == "error":
            settings = settings.replace(missing="drop")
        try:
            analysis = compare(
                data, systems=self.systems, baseline=self.baselines, settings=settings, other_profile=False
            )
        except ReportkitError as error:
            return None, error
        return analysis, None

    @property
    def analysis(self) -> Analysis | None:
        """What `reportkit.compare` says of the results, with the settings of the same file; computed when asked for."""
        return self._compared[0]

    @property
    def analysis_error(self) -> ReportkitError | None:
        """Why there is no analysis."""
        return self._compared[1]

    @cached_property
    def scores(self) -> dict[tuple[str, str, str], tuple[float, int | None, bool]]:
        """By (metric, system, dataset): the score as a table prints it, n, and whether higher is better."""
        found: dict[tuple[str, str, str], tuple[float, int | None, bool]] = {}
        if self.results is not None:
            missing = "drop" if "missing" in self.refusals else self.settings.missing
            for block in self.results:
                for system in block.systems:
                    try:
                        value, n = block.value(system, missing=missing, score_range=self.settings.score_range)
                    except ReportkitError:
                        continue
                    found[block.metric, system, block.dataset] = (value, n, block.higher_is_better)
        elif self.analysis is not None:
            metric = self.analysis.metrics[0]
            for (system, dataset), score in self.analysis.system_scores.items():
                found[metric, system, dataset] = (score.mean, score.n, score.higher_is_better)
        return found

    def tested(self, kind: Tested, metric: str, systems: tuple[str, str], dataset: str) -> float | None:
        """What the analysis says of one system against another on a dataset; None if it does not compare them."""
        for comparison in () if self.analysis is None else self.analysis.comparisons:
            if (comparison.system_a, comparison.system_b, comparison.metric) != (*systems, metric):
                continue
            for index, item in enumerate(comparison.assessments):
                if item.dataset != dataset:
                    continue
                if kind == "p-value":
                    return item.p_value
                if kind == "adjusted-p-value":
                    return float(comparison.adjusted_p_values[index])
                if item.interval is not None:
                    return item.interval.low if kind == "interval-low" else item.interval.high
        return None

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics."""
        return tuple(dict.fromkeys(metric for metric, _, _ in self.scores))

    @property
    def system_names(self) -> tuple[str, ...]:
        """All systems."""
        return tuple(dict.fromkeys(system for _, system, _ in self.scores))

    @property
    def dataset_names(self) -> tuple[str, ...]:
        """All datasets."""
        return tuple(dict.fromkeys(dataset for _, _, dataset in self.scores))


def _defaults() -> Settings:
    from reportkit.settings import Settings

    return Settings()


_MOST_OUTCOMES = 500
_MOST_RESAMPLED = 20
"""Comparisons of a corpus metric draw up to a million resamples each."""


def _too_many(data: Results | PrintedResults) -> int:
    """Number of comparisons of all pairs, if these are too many for a check; else 0."""
    from reportkit.scores.results import Results

    if not isinstance(data, Results):
        return 0
    pairs = {block.shape: 0 for block in data}
    for block in data:
        pairs[block.shape] += len(block.systems) * (len(block.systems) - 1) // 2
    too_many = sum(pairs.values()) > _MOST_OUTCOMES or pairs.get("corpus", 0) > _MOST_RESAMPLED
    return sum(pairs.values()) if too_many else 0


def _fault(error: ReportkitError) -> str:
    """Return the code of the rule that reports an error of reading."""
    if isinstance(error, DuplicateScoresError):
        return "RK501"
    if isinstance(error, MissingScoresError):
        return "RK502"
    if isinstance(error, ScoreValueError) and "scale" in str(error):
        return "RK503"
    if "the best of several" in error.problem:
        return "RK510"
    if error.problem.startswith("runs take the place of instances"):
        return "RK511"
    return "RK004"
