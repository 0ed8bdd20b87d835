"""The numbers that a paper is checked against: results by instance, a summary of them, or a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import stdev
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from reportkit.errors import MissingScoresError, ReportkitError, ScoreValueError, SettingsError
from reportkit.finding import Finding, Severity
from reportkit.report.facts_json import facts_in

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.analysis.analysis import Analysis
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.results import Results
    from reportkit.settings import Settings

Tested = Literal["p-value", "adjusted-p-value", "interval-low", "interval-high"]
Key = tuple[str, str, str]
"""Metric, system, dataset."""
MOST_OUTCOMES, MOST_RESAMPLED = 500, 20
"""Comparisons of a check; those of a corpus metric draw up to a million resamples each."""


class Score(NamedTuple):
    """A score as a table prints it, its number of instances, whether higher is better, and its spread over runs."""

    value: float
    n: int | None
    higher_is_better: bool
    spreads: tuple[float, ...] = ()


class Verdict(NamedTuple):
    """One system against another on a dataset: one-sided p, the level, and whether the correction identifies it."""

    metric: str
    system_a: str
    system_b: str
    dataset: str
    p_value: float
    alpha: float
    identified: bool


class Numbers:
    """Scores, tests and findings to compare a paper with."""

    name: str
    systems: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    scores: Mapping[Key, Score]

    def tested(self, kind: Tested, metric: str, systems: tuple[str, str], dataset: str) -> float | None:
        """Return what the analysis says of one system against another on a dataset; None if it compares others."""
        raise NotImplementedError

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every comparison on one dataset."""
        raise NotImplementedError

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings of the analysis."""
        raise NotImplementedError

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

    def means(self, metric: str, system: str) -> list[float]:
        """Return the mean of a system over its datasets, and that over their instances, as far as they are known."""
        found = [self.scores.get((metric, system, name)) for name in self.dataset_names]
        known = [score for score in found if score is not None]
        if not known or len(known) < len(found):
            return []
        means = [sum(score.value for score in known) / len(known)]
        if all(score.n for score in known):
            sizes = [score.n or 0 for score in known]
            means.append(sum(n * score.value for n, score in zip(sizes, known, strict=True)) / sum(sizes))
        return means


@dataclass(eq=False)
class Data(Numbers):
    """Results by instance or by run, a paper's printed results, or a summary with one score for each dataset.

    A strict reading that is refused is kept as an error in `refusals`; where a lenient reading exists (common
    instances, mixed scales accepted), `results` is that, so that one fault does not keep the others from being found.

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
    >>> data = Data(pd.DataFrame(scores))
    >>> data.scores["score", "a", "d"].value, data.refusals
    (1.0, [])
    """

    source: Path | pd.DataFrame
    settings: Settings = field(default_factory=lambda: _defaults())
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    refusals: list[ReportkitError] = field(default_factory=list)
    summary: bool = False
    results: Results | None = None
    printed: PrintedResults | None = None

    def __post_init__(self) -> None:
        from reportkit.api import read
        from reportkit.scores.read import read_frame
        from reportkit.scores.results import Results
        from reportkit.scores.shapes.block import refuse_unequal_instances

        self.name = self.source.name if isinstance(self.source, Path) else "DataFrame"
        frame = read_frame(self.source) if isinstance(self.source, Path) else self.source
        settings = self.settings
        for _ in range(4):
            try:
                data = read(frame, columns=self.columns, settings=settings)
                if isinstance(data, Results):
                    self.results = data
                    if settings.missing == "error" and settings.pairing == "paired":
                        refuse_unequal_instances(data.datasets)
                else:
                    self.printed = data
                break
            except ReportkitError as error:
                if self._summarise(frame, error):
                    break
                self.refusals.append(error)
                if isinstance(error, MissingScoresError) and settings.missing == "error":
                    settings = settings.replace(missing="drop")
                elif isinstance(error, ScoreValueError) and settings.mixed_scales != "accept":
                    settings = settings.replace(mixed_scales="accept")
                else:
                    break
        self.settings = settings

    def _summarise(self, frame: pd.DataFrame, error: ReportkitError) -> bool:
        """Read one score for each system and dataset, where there is no column for the instance (or the dataset)."""
        import pandas as pd

        from reportkit.api import read
        from reportkit.scores.results import Results

        means = error.problem.startswith("there is one score per system and dataset")
        if not means and not error.problem.startswith("no column for"):
            return False
        constant = {"dataset": "all"} if "dataset" in error.problem and not means else {}
        twice = [frame.assign(instance=number, **constant) for number in (0, 1)]  # which makes no mean another one
        try:
            data = read(pd.concat(twice), columns=self.columns, settings=self.settings)
        except ReportkitError:
            return False
        self.results, self.summary = (data, True) if isinstance(data, Results) else (None, False)
        return self.summary

    @cached_property
    def _compared(self) -> tuple[Analysis | None, ReportkitError | None]:
        from reportkit.api import compare

        data = self.results or self.printed
        if data is None or self.summary:
            return None, None
        if not self.systems and not self.baselines and (number := _too_many(self.results)):
            return None, SettingsError(
                f"all pairs of systems would be {number:,} comparisons, too many for a check",
                where=self.name,
                remedy='name whom the paper compares in reportkit.toml: baseline = "...", or system = "..." with it',
            )
        try:
            return compare(
                data, systems=self.systems, baseline=self.baselines, settings=self.settings, other_profile=False
            ), None
        except ReportkitError as error:
            return None, error

    @property
    def analysis(self) -> Analysis | None:
        """What `reportkit.compare` says of the results, with the settings of the same file."""
        return self._compared[0]

    @property
    def analysis_error(self) -> ReportkitError | None:
        """Why there is no analysis."""
        return self._compared[1]

    @cached_property
    def scores(self) -> dict[Key, Score]:  # type: ignore[override]
        """Scores by metric, system and dataset."""
        from reportkit.scores.shapes.run_scores import DatasetRunScores

        found: dict[Key, Score] = {}
        for block in self.results or ():
            for system in block.systems:
                try:
                    value, n = block.value(system, missing=self.settings.missing, score_range=self.settings.score_range)
                except ReportkitError:
                    continue
                runs = list(block.row(system)) if isinstance(block, DatasetRunScores) else []
                spreads = () if len(runs) < 2 else _spreads([float(run) for run in runs])
                size = None if self.summary or runs else n
                found[block.metric, system, block.dataset] = Score(value, size, block.higher_is_better, spreads)
        if self.printed is not None and self.analysis is not None:
            for (system, dataset), score in self.analysis.system_scores.items():
                found[self.analysis.metrics[0], system, dataset] = Score(score.mean, score.n, score.higher_is_better)
        return found

    def tested(self, kind: Tested, metric: str, systems: tuple[str, str], dataset: str) -> float | None:
        """Return what the analysis says of one system against another on a dataset; None if it compares others."""
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

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every comparison on one dataset."""
        if self.analysis is None:
            return ()
        alpha = self.analysis.alpha[0]
        return tuple(
            Verdict(item.metric, one.system_a, one.system_b, item.dataset, item.p_value, alpha, bool(identified))
            for one in self.analysis.comparisons
            for item, identified in zip(one.assessments, one.identified(alpha), strict=True)
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings of reading and of the analysis; of a summary none."""
        read = () if self.summary else [item for data in (self.results, self.printed) if data for item in data.findings]
        return tuple(dict.fromkeys([*read, *(self.analysis.findings if self.analysis else ())]))


def _spreads(runs: list[float]) -> tuple[float, ...]:
    """Standard deviation with and without Bessel's correction, standard error, and 1.96 of these."""
    m, sd = len(runs), stdev(runs)
    return sd, sd * ((m - 1) / m) ** 0.5, sd / m**0.5, 1.96 * sd / m**0.5


def _defaults() -> Settings:
    from reportkit.settings import Settings

    return Settings()


def _too_many(data: Results | None) -> int:
    """Number of comparisons of all pairs, if these are too many for a check; else 0."""
    pairs: dict[str, int] = {}
    for block in data or ():
        pairs[block.shape] = pairs.get(block.shape, 0) + len(block.systems) * (len(block.systems) - 1) // 2
    too_many = sum(pairs.values()) > MOST_OUTCOMES or pairs.get("corpus", 0) > MOST_RESAMPLED
    return sum(pairs.values()) if too_many else 0


@dataclass(eq=False)
class Reported(Numbers):
    """What a `report.json` says of its data.

    Parameters
    ----------
    content : mapping
        Of the file.
    """

    content: Mapping[str, Any]
    name: str = "report.json"

    def __post_init__(self) -> None:
        pairs = list(dict.fromkeys((a, b) for _, a, b, _ in self._rows))
        if len(pairs) == 1:
            self.systems, self.baselines = pairs[0][:1], pairs[0][1:]

    @cached_property
    def _rows(self) -> dict[tuple[str, str, str, str], dict[str, Any]]:
        """Outcomes by metric, the two systems and dataset; none of a report that is not as it should be."""
        try:
            facts = facts_in(self.content)
            return {
                (item.metric, item.a, item.b, item.dataset): {
                    "score_a": item.score_a,
                    "score_b": item.score_b,
                    "n": item.n,
                    "higher_is_better": facts.sign(item.metric, item.dataset) > 0,
                    "p_value": item.p_value,
                    "adjusted_p_value": item.adjusted,
                    "interval": None if item.low is None or item.high is None else {"low": item.low, "high": item.high},
                }
                for item in facts.outcomes
            }
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            return {}

    @cached_property
    def scores(self) -> dict[Key, Score]:  # type: ignore[override]
        """Scores by metric, system and dataset."""
        found: dict[Key, Score] = {}
        for (metric, a, b, dataset), row in self._rows.items():
            for system, score in ((a, row.get("score_a")), (b, row.get("score_b"))):
                if score is not None:
                    found[metric, system, dataset] = Score(float(score), row["n"], bool(row["higher_is_better"]))
        return found

    def tested(self, kind: Tested, metric: str, systems: tuple[str, str], dataset: str) -> float | None:
        """Return what the report says of one system against another on a dataset."""
        row = self._rows.get((metric, *systems, dataset))
        if row is None:
            return None
        if kind in ("p-value", "adjusted-p-value"):
            return float(row["p_value" if kind == "p-value" else "adjusted_p_value"])
        interval = row.get("interval")
        return None if interval is None else float(interval[kind.removeprefix("interval-")])

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every comparison on one dataset."""
        try:
            alpha = max(float(level) for level in self.content["settings"]["alpha"])
            return tuple(
                Verdict(*key[:3], key[3], float(row["p_value"]), alpha, bool(row["adjusted_p_value"] <= alpha))
                for key, row in self._rows.items()
            )
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            return ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings of the report, as far as they are such."""
        return tuple(self._findings())

    def _findings(self) -> Iterator[Finding]:
        listed = self.content.get("findings", ())
        severities: tuple[Severity, ...] = get_args(Severity)
        for item in listed if isinstance(listed, list) else ():
            if not isinstance(item, Mapping):
                continue
            code, severity, message = (item.get(key) for key in ("code", "severity", "message"))
            if isinstance(code, str) and isinstance(message, str) and severity in severities:
                yield Finding(code, severity, message, str(item.get("where") or ""), str(item.get("remedy") or ""))
