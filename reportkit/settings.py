"""Everything a user decides before the results are looked at, in one frozen object."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.scores.kinds import KINDS, Kind
from reportkit.scores.shapes.block import Missing, Pairing, Seeds

Dependence = Literal["independent", "dependent", "unknown"]
Alternative = Literal["greater", "less", "two-sided"]
"""How one test is read; a claim knows two of them only, as its first system is the one claimed to be better."""

ClaimAlternative = Literal["greater", "two-sided"]
Profile = Literal["recommended", "dror2017"]
PrintedReading = Literal["as-printed", "observed-direction", "two-sided"]
Gatekeeping = Literal["none", "serial", "by-dataset", "exploratory"]

DEFAULT_ALPHA = (0.05, 0.01)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is claimed and how it is tested; the signature of a report prints it.

    Parameters
    ----------
    alpha : float or tuple of float
        Levels, strictly between 0 and 0.5, kept from largest to smallest; the first is marked `*`, the second `+`.
    datasets : {"unknown", "independent", "dependent"}
        Dependence between the datasets. Unknown is treated as dependent.
    alternative : {"greater", "two-sided"}
        `greater`: whether the first system is better, one-sided, which is valid if this direction was chosen before the
        results were seen; `two-sided`: both directions are tested, each at half the level. There is no `less`: a claim
        names the better system first.
    preregistered : bool
        Whether the direction was declared before the results were seen. Changes no number: the report then says so.
    profile : {"recommended", "dror2017"}
        Which decision table chooses the tests.
    test : str, optional
        Name of one test for all datasets instead of the decision table.
    n_resamples : int
        Fewest random resamples of a Monte Carlo test; more are drawn where the level asks for more.
    seed : int
        Seed of all random streams.
    missing : {"error", "drop", "worst", "bounds"}
        What to do where systems were not scored on the same instances: refuse, compare on common instances, count no
        output as the worst output, or say what holds whatever the missing scores were.
    higher_is_better : bool or dict of str to bool
        Direction of all metrics, or of each.
    kind : str or dict of str to str
        Declared kind of scores: for all datasets, or by metric or dataset name.
    score_range : tuple of float, optional
        (lowest, highest) possible score.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may stand side by side.
    printed_reading : {"as-printed", "observed-direction", "two-sided"}
        How printed p-values are meant, if only those are known.
    metric : str or sequence of str, optional
        Which metric: one of the column of metrics; a corpus metric such as "bleu" or "f1", to be computed from columns
        of counts; or "pearson", "spearman" or "kendall" (in any case), the correlation of the scores with the column of
        gold scores; of distances, say `higher_is_better=False`.
        Several are corrected together, as `gatekeeping` says; the first is the primary metric.
    primary_metric : str, optional
        The primary one of several metrics, if it is not the first; without `metric`, all metrics of the column of
        metrics are taken.
    gatekeeping : {"none", "serial", "by-dataset", "exploratory"}
        Where there are several metrics. `none`: all hypotheses of all metrics are one family. `serial`: the secondary
        metrics are tested if every hypothesis of the primary one is rejected. `by-dataset`: they are tested on the
        datasets on which the primary one is rejected. `exploratory`: the primary metric has the whole level, and the
        others are shown without marks, each corrected by itself.
    pairing : {"paired", "unpaired"}
        Whether the systems were scored on the same instances.
    seeds : {"random", "fixed"}
        Where there are several runs of a system: whether the claim is about the system trained anew, or about these
        very runs.
    across_datasets : bool
        Take the mean scores on the datasets as the data: asks about a typical dataset, not on how many and on which.
    friedman : bool
        Add Friedman's test with pairwise follow-ups to the report: do the systems differ on a typical dataset?
    rope : float, optional
        Half-width of the region of practical equivalence, in the unit of the score (of right-or-wrong scores in
        proportions: 0.01 is one percentage point): the largest difference that is too small to matter. There is no
        default. Adds posteriors, Bayes factors and margin claims to the report.
    bayes : bool
        Add posteriors and Bayes factors to the report, without such a region.
    prior : float, optional
        Of posteriors and Bayes factors: a of a Beta(a, a) prior for right-or-wrong scores (1 if it is not given), the
        scale of a Cauchy prior of the difference for other scores (which have no Bayes factor without it).

    Raises
    ------
    SettingsError
        If a value makes no sense; the message says which and what is allowed.

    Examples
    --------
    >>> Settings(alpha=(0.01, 0.05)).alpha
    (0.05, 0.01)
    """

    alpha: tuple[float, ...] = DEFAULT_ALPHA
    datasets: Dependence = "unknown"
    alternative: ClaimAlternative = "greater"
    preregistered: bool = False
    profile: Profile = "recommended"
    test: str | None = None
    n_resamples: int = 9_999
    seed: int = 0
    missing: Missing = "error"
    higher_is_better: bool | Mapping[str, bool] = True
    kind: Kind | Mapping[str, Kind] | None = None
    score_range: tuple[float, float] | None = None
    mixed_scales: Literal["error", "accept"] = "error"
    printed_reading: PrintedReading = "as-printed"
    metric: str | tuple[str, ...] | None = None
    primary_metric: str | None = None
    gatekeeping: Gatekeeping = "none"
    pairing: Pairing = "paired"
    seeds: Seeds = "random"
    across_datasets: bool = False
    friedman: bool = False
    rope: float | None = None
    bayes: bool = False
    prior: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", _levels(self.alpha))
        object.__setattr__(self, "metric", _metrics(self.metric, self.primary_metric))
        for name in ("test", "primary_metric"):
            if getattr(self, name) is not None and not (isinstance(getattr(self, name), str) and getattr(self, name)):
                raise SettingsError(f"{name} is {getattr(self, name)!r}", remedy="give a name")
        _choice("gatekeeping", self.gatekeeping, get_args(Gatekeeping))
        _choice("datasets", self.datasets, get_args(Dependence))
        check_alternative(self.alternative)
        _choice("profile", self.profile, get_args(Profile))
        _choice("missing", self.missing, get_args(Missing))
        _choice("mixed_scales", self.mixed_scales, ("error", "accept"))
        _choice("printed_reading", self.printed_reading, get_args(PrintedReading))
        _choice("pairing", self.pairing, get_args(Pairing))
        _choice("seeds", self.seeds, get_args(Seeds))
        if self.pairing == "unpaired" and self.missing in ("worst", "bounds"):
            raise SettingsError(
                f"missing={self.missing!r} is for systems that were to be scored on the same instances, and "
                "pairing='unpaired' takes those of each system as they are",
                remedy="leave one of the two away",
            )
        if self.across_datasets is True and self.missing == "bounds":
            raise SettingsError(
                "missing='bounds' is for the scores of instances, not for means of datasets",
                remedy="leave across_datasets away, or choose missing='drop'",
            )
        if not isinstance(self.across_datasets, bool):
            raise SettingsError(f"across_datasets is {self.across_datasets!r}", remedy="give True or False")
        if not isinstance(self.friedman, bool):
            raise SettingsError(f"friedman is {self.friedman!r}", remedy="give True or False")
        for name in ("bayes", "preregistered"):
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name} is {getattr(self, name)!r}", remedy="give True or False")
        for name in ("rope", "prior"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _positive(name, getattr(self, name)))
        _at_least("n_resamples", self.n_resamples, 99)
        _at_least("seed", self.seed, 0)
        for kind in self.kind.values() if isinstance(self.kind, Mapping) else [self.kind]:
            if kind is not None:
                _choice("kind", kind, KINDS)
        for value in (
            self.higher_is_better.values() if isinstance(self.higher_is_better, Mapping) else [self.higher_is_better]
        ):
            if not isinstance(value, bool):
                raise SettingsError(
                    f"higher_is_better is {value!r}", remedy="give True or False, or {metric: True or False}"
                )
        if self.score_range is not None:
            object.__setattr__(self, "score_range", _range(self.score_range))

    @property
    def primary_alpha(self) -> float:
        """The largest level: that of the first mark and of k-hat in words."""
        return self.alpha[0]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are asked for, the primary one first; empty if none is named."""
        if self.metric is None:
            return ()
        named = (self.metric,) if isinstance(self.metric, str) else self.metric
        return tuple(sorted(named, key=lambda name: name != (self.primary_metric or named[0])))

    def metric_higher_is_better(self, metric: str) -> bool:
        """Direction of one metric; metrics that are not named count as higher is better."""
        if isinstance(self.higher_is_better, Mapping):
            return self.higher_is_better.get(metric, True)
        return self.higher_is_better

    def declared_kind(self, metric: str, dataset: str) -> Kind | None:
        """Kind of scores the user declared for a dataset, by dataset name, metric name, or for all."""
        if isinstance(self.kind, Mapping):
            return self.kind.get(dataset, self.kind.get(metric))
        return self.kind

    def replace(self, **changes: Any) -> Settings:
        """Copy with some values changed, validated again.

        Raises
        ------
        UnknownNameError
            If there is no such setting; the nearest names are said.
        """
        for name in changes:
            if name not in SETTING_NAMES:
                raise UnknownNameError("setting", name, SETTING_NAMES)
        return dataclasses.replace(self, **changes)


SETTING_NAMES: tuple[str, ...] = tuple(item.name for item in dataclasses.fields(Settings))


def read_config(path: Path) -> dict[str, Any]:
    """Read `reportkit.toml`, or the table `[tool.reportkit]` of a `pyproject.toml`.

    Returns
    -------
    dict
        As written; the caller takes what it knows and refuses the rest.

    Raises
    ------
    ReadingError
        If the file is absent, a folder or a pipe, cannot be read, or is not TOML; the message says the line.
    SettingsError
        If `tool` or `tool.reportkit` of a `pyproject.toml` is no table.
    """
    if path.exists() and not path.is_file():
        raise ReadingError(
            f"{str(path)!r} is " + ("a folder" if path.is_dir() else "a pipe or a device") + ", not a file of settings",
            remedy="name the file itself, such as reportkit.toml",
        )
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise ReadingError(f"there is no file {str(path)!r}", remedy="check the path given to --config") from None
    except OSError as error:
        raise ReadingError(f"{str(path)!r} cannot be read: {error.strerror}", remedy="check its permissions") from None
    except RecursionError:
        raise ReadingError(f"{str(path)!r} is nested too deeply to be read", remedy="see https://toml.io") from None
    except ValueError as error:  # also what is not UTF-8, and numbers of thousands of digits
        raise ReadingError(f"{str(path)!r} is not TOML: {error}", remedy="see https://toml.io") from None
    if path.name == "pyproject.toml":
        for name in ("tool", "reportkit"):
            content = content.get(name, {})
            if not isinstance(content, dict):
                raise SettingsError(f"{name} is {content!r}", where=str(path), remedy="write a table: [tool.reportkit]")
    return content


def check_alternative(value: object, *, swapped: str = "the one that is claimed to be better comes first") -> None:
    """Refuse an alternative that no claim has.

    Parameters
    ----------
    value : object
        As given.
    swapped : str
        How they are named then, in the form in which the user works.

    Raises
    ------
    SettingsError
        For "less": the two systems have to be swapped.
    UnknownNameError
        For anything else that is not known.
    """
    if value == "less":
        raise SettingsError(
            "alternative is 'less', and the claim is always that the first system is better",
            remedy=f"swap the two systems and leave alternative away: {swapped}",
        )
    _choice("alternative", value, get_args(ClaimAlternative))


def _metrics(metric: object, primary: str | None) -> str | tuple[str, ...] | None:
    """One metric as a name, several as a tuple."""
    if metric is None:
        return None
    names = tuple(metric) if isinstance(metric, (list, tuple)) else (metric,)
    if not names or not all(isinstance(name, str) and name for name in names):
        raise SettingsError(f"metric is {metric!r}", remedy="give a name, or a list of names, the primary metric first")
    if len(set(names)) < len(names):
        raise SettingsError(f"metric names {max(names, key=names.count)!r} twice", remedy="name each metric once")
    if primary is not None and primary not in names:
        raise SettingsError(
            f"the primary metric {primary!r} is not among the metrics {', '.join(map(repr, names))}",
            remedy="name it there, or leave metric out to take all metrics of the results",
        )
    return names[0] if len(names) == 1 else names


def _levels(alpha: object) -> tuple[float, ...]:
    values = alpha if isinstance(alpha, (tuple, list)) else (alpha,)
    levels = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not (0 < value < 0.5) or math.isnan(value):
            raise SettingsError(f"alpha is {value!r}", remedy="give a level strictly between 0 and 0.5, such as 0.05")
        levels.append(float(value))
    if not levels:
        raise SettingsError("alpha is empty", remedy="give at least one level, such as 0.05")
    return tuple(sorted(set(levels), reverse=True))


def _choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UnknownNameError(f"value for {name}:", value, allowed)


def _at_least(name: str, value: object, lowest: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
        raise SettingsError(f"{name} is {value!r}", remedy=f"give a whole number of at least {lowest}")


def _positive(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not (math.isfinite(value) and value > 0):
        raise SettingsError(
            f"{name} is {value!r}", remedy="give a positive number, such as 0.01 for one point of accuracy"
        )
    return float(value)


def _range(value: object) -> tuple[float, float]:
    if isinstance(value, (tuple, list)) and len(value) == 2:
        low, high = value
        numbers = all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in (low, high))
        if numbers and math.isfinite(low) and math.isfinite(high) and low < high:
            return float(low), float(high)
    raise SettingsError(f"score_range is {value!r}", remedy="give (lowest, highest), such as (0, 100)")
