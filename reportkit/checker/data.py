"""The numbers that a paper is checked against: results by instance, or a summary of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import stdev
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from reportkit.api import compare, read
from reportkit.errors import MissingScoresError, ReportkitError, ScoreValueError, SettingsError
from reportkit.finding import Finding
from reportkit.scores.designs import refuse_unequal_instances
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import frame_or_path, read_frame
from reportkit.scores.scores import Results
from reportkit.settings import Settings

if TYPE_CHECKING:
    from reportkit.analysis.analysis import Analysis
    from reportkit.checker.config import CheckConfig

Key = tuple[str, str, str]
"""Metric, system, dataset."""
MOST_OUTCOMES, MOST_RESAMPLED = 500, 20
"""Most comparisons of a check; each of a corpus metric draws up to a million resamples."""


class Score(NamedTuple):
    """A score as a table prints it, its number of instances, whether higher is better, and its spread over runs."""

    value: float
    n: int | None
    higher_is_better: bool
    spreads: tuple[float, ...] = ()


@dataclass(kw_only=True)
class Numbers:
    """Scores, tests and findings to compare a paper with.

    Parameters
    ----------
    name : str
        Name of the file.
    systems, baselines : tuple of str
        Who is compared with whom.
    scores : mapping
        By metric, system and dataset.
    supported : mapping
        By metric and the two systems: k-hat, and the number of datasets.
    tests : mapping
        By metric, the two systems and dataset: the p-value, adjusted for all comparisons.
    alpha : float
        Level of the tests.
    findings : tuple of Finding
        Findings of reading and of the analysis.
    refusals : list of ReportkitError
        Why a strict reading refuses the data. The other fields then come from a lenient reading, if one is possible
        (common instances, mixed scales accepted), so that one fault does not hide the others.
    not_compared : ReportkitError or None
        Why there is no analysis.
    summary : bool
        Whether there is one score for each system and dataset, and nothing to be tested.
    """

    name: str
    systems: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    scores: dict[Key, Score] = field(default_factory=dict)
    supported: dict[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)
    tests: dict[tuple[str, ...], float] = field(default_factory=dict)
    alpha: float = 0.05
    findings: tuple[Finding, ...] = ()
    refusals: list[ReportkitError] = field(default_factory=list)
    not_compared: ReportkitError | None = None
    summary: bool = False

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

    def means(self, metric: str, system: str, dataset: str = "") -> list[float]:
        """Return the mean of a system over one dataset or all, and that over instances, as far as they are known."""
        found = [self.scores.get((metric, system, name)) for name in self.dataset_names if dataset in ("", name)]
        known = [score for score in found if score is not None]
        if not known or len(known) < len(found):
            return []
        means = [sum(score.value for score in known) / len(known)]
        sizes = [score.n or 0 for score in known]
        if all(sizes):
            means.append(sum(n * score.value for n, score in zip(sizes, known, strict=True)) / sum(sizes))
        return means


def numbers_of_data(source: str | Path | pd.DataFrame, config: CheckConfig) -> Numbers:
    """Read results by instance or by run, a paper's printed results, or a summary, and compare the systems.

    Examples
    --------
    >>> from reportkit.checker.config import CheckConfig
    >>> scores = {"system": ["a", "b"] * 2, "dataset": "d", "instance": [1, 1, 2, 2], "score": [1, 0, 1, 1]}
    >>> numbers = numbers_of_data(pd.DataFrame(scores), CheckConfig())
    >>> numbers.scores["score", "a", "d"].value, numbers.refusals
    (1.0, [])
    """
    source = frame_or_path(source)
    name = source.name if isinstance(source, Path) else "DataFrame"
    numbers = Numbers(name=name, systems=config.systems, baselines=config.baselines)
    frame = read_frame(source) if isinstance(source, Path) else source
    data, settings = _read(frame, config, numbers)
    analysis = None
    if data is not None and not numbers.summary:
        analysis = _analysis(data, settings, numbers)
    if isinstance(data, Results):
        numbers.scores = _scores(data, settings, summary=numbers.summary)
    elif analysis is not None:
        (metric,) = analysis.metrics
        for (system, dataset), score in analysis.system_scores.items():
            numbers.scores[metric, system, dataset] = Score(score.mean, score.n, score.higher_is_better)
    found = [] if numbers.summary or data is None else [*data.findings]
    numbers.findings = tuple(dict.fromkeys([*found, *(analysis.findings if analysis else ())]))
    return numbers


def _read(
    frame: pd.DataFrame, config: CheckConfig, numbers: Numbers
) -> tuple[Results | PrintedResults | None, Settings]:
    """Read strictly, else as leniently as it takes; note what was refused."""
    data, settings = None, config.settings or Settings()
    for _ in range(4):
        try:
            data = read(frame, columns=config.columns, settings=settings)
            if isinstance(data, Results) and settings.missing == "error" and settings.pairing == "paired":
                refuse_unequal_instances(data.datasets)
            break
        except ReportkitError as error:
            summary = _summary(frame, config.columns, settings, error)
            if summary is not None:
                numbers.summary = True
                return summary, settings
            numbers.refusals.append(error)
            if isinstance(error, MissingScoresError) and settings.missing == "error":
                settings = settings.replace(missing="drop")
            elif isinstance(error, ScoreValueError) and settings.mixed_scales != "accept":
                settings = settings.replace(mixed_scales="accept")
            else:
                break
    return data, settings


def _summary(
    frame: pd.DataFrame, columns: Mapping[str, str], settings: Settings, error: ReportkitError
) -> Results | None:
    """Read one score for each system and dataset, where there is no column for the instance (or the dataset)."""
    means = error.problem.startswith("there is one score per system and dataset")
    if not means and not error.problem.startswith("no column for"):
        return None
    constant = {"dataset": "all"} if "dataset" in error.problem and not means else {}
    twice = [frame.assign(instance=number, **constant) for number in (0, 1)]  # doubling the rows changes no mean
    try:
        data = read(pd.concat(twice), columns=columns, settings=settings)
    except ReportkitError:
        return None
    return data if isinstance(data, Results) else None


def _scores(data: Results, settings: Settings, *, summary: bool) -> dict[Key, Score]:
    found: dict[Key, Score] = {}
    for block in data:
        for system in block.systems:
            try:
                value, n = block.value(system, missing=settings.missing, score_range=settings.score_range)
            except ReportkitError:
                continue
            runs = [float(run) for run in block.row(system)] if block.shape == "run-scores" else []
            size = None if summary or runs else n
            found[block.metric, system, block.dataset] = Score(value, size, block.higher_is_better, _spreads(runs))
    return found


def _spreads(runs: list[float]) -> tuple[float, ...]:
    """Return the standard deviation with and without Bessel's correction, the standard error and 1.96 of it."""
    m = len(runs)
    if m < 2:
        return ()
    sd = stdev(runs)
    return sd, sd * ((m - 1) / m) ** 0.5, sd / m**0.5, 1.96 * sd / m**0.5


def _analysis(data: Results | PrintedResults, settings: Settings, numbers: Numbers) -> Analysis | None:
    """Compare the systems; None, and the reason in the numbers, where that cannot be done."""
    try:
        if isinstance(data, Results) and not numbers.systems and not numbers.baselines:
            _refuse_too_many(data, numbers.name)
        analysis = compare(data, systems=numbers.systems, baseline=numbers.baselines, settings=settings)
    except ReportkitError as error:
        numbers.not_compared = error
        return None
    numbers.alpha = analysis.alpha[0]
    for one in analysis.comparisons:
        key = one.metric, one.system_a, one.system_b
        numbers.supported[key] = one.k_hat[max(analysis.alpha)].recommended, one.n_datasets
        for dataset, adjusted in zip(one.datasets, one.adjusted_p_values, strict=True):
            numbers.tests[*key, dataset] = float(adjusted)
    return analysis


def _refuse_too_many(data: Results, name: str) -> None:
    """Raise if all pairs of systems are too many comparisons for a check."""
    pairs: dict[str, int] = {}
    for block in data:
        pairs[block.shape] = pairs.get(block.shape, 0) + len(block.systems) * (len(block.systems) - 1) // 2
    if sum(pairs.values()) > MOST_OUTCOMES or pairs.get("corpus", 0) > MOST_RESAMPLED:
        raise SettingsError(
            f"all pairs of systems would be {sum(pairs.values()):,} comparisons, too many for a check",
            where=name,
            remedy='name whom the paper compares in reportkit.toml: baseline = "...", or system = "..." with it',
        )
