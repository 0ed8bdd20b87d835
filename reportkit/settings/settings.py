"""Everything a user decides before the results are looked at, in one frozen object."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args, get_type_hints

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import choices_of, meant_by, option, option_of
from reportkit.scores.choices import Kind, Missing, Pairing, Runs

if TYPE_CHECKING:
    from numpy.random import Generator

Dependence = Literal["any", "independent"]
"""Declared dependence of the datasets: `any` assumes nothing, and is valid for any dependence."""

Alternative = Literal["greater", "less", "two-sided"]
"""Reading of one test; claims allow two of them, as their first system is the one claimed to be better."""

ClaimAlternative = Literal["greater", "two-sided"]
Profile = Literal["recommended", "dror2017"]
PrintedReading = Literal["as-printed", "observed-direction", "two-sided"]
Gatekeeping = Literal["none", "serial", "by-dataset", "exploratory"]
MixedScales = Literal["error", "accept"]

DEFAULT_ALPHA = (0.05, 0.01)

_WHAT = "What is compared"
_HOW = "How it is tested and counted"
_BEYOND = "Beyond the p-value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the claims and their tests; the signature of a report prints them.

    Each field is declared here and nowhere else: options of the command, keys of TOML and of `report.json`, and keyword
    arguments follow.

    Parameters
    ----------
    datasets : str or sequence of str, optional
        The datasets to look at instead of all; reports show them in this order. Scores of the others are not judged,
        and of Parquet not even read. Whoever leaves some out should say so: the report does.
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
    alternative : {"greater", "two-sided"}
        `greater`: whether the first system is better, one-sided, which is valid if this direction was chosen before the
        results were seen; `two-sided`: both directions are tested, each at half the level. There is no `less`: a claim
        names the better system first.
    preregistered : bool
        Whether the direction was declared before the results were seen. Changes no number: the report then says so.
    dependence : {"any", "independent"}
        Dependence between the datasets. `any`: nothing is assumed, and statements hold under any dependence.
        `independent`: you declare that no two share instances; more is found then, unless the data contradict it.
    alpha : float or sequence of float
        Levels, strictly between 0 and 0.5, kept from largest to smallest; each has a mark.
    profile : {"recommended", "dror2017"}
        Which decision table chooses the tests.
    test : str, optional
        Name of one test for all datasets instead of the decision table.
    higher_is_better : bool or mapping of str to bool
        Direction of all metrics, or of each.
    kind : {"binary", "continuous", "ordinal", "count"} or mapping of str to these, optional
        Declared kind of scores: for all datasets, or by metric or dataset name.
    missing : {"error", "drop", "worst"}
        What to do where systems were not scored on the same instances: refuse, compare on common instances, or count
        no output as the worst output.
    pairing : {"paired", "unpaired"}
        Whether the systems were scored on the same instances.
    runs : {"random", "fixed"}
        Where there are several training runs of a system: whether the claim is about the system trained again, or about
        the runs at hand.
    across_datasets : bool
        Take the mean scores on the datasets as the data: asks about a typical dataset, not on how many and on which.
    friedman : bool
        Add Friedman's test with pairwise follow-ups to the report: do the systems differ on a typical dataset?
    score_range : tuple of float, optional
        (lowest, highest) possible score.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may be mixed.
    printed_reading : {"as-printed", "observed-direction", "two-sided"}
        How printed p-values are meant, if only those are known.
    rng : int or numpy.random.Generator
        Seed of all random streams. From a generator one whole number is drawn, kept and printed in its place; the same
        report can then be made again.
    n_resamples : int
        Fewest random resamples of a Monte Carlo test; more are drawn where the level asks for more.
    rope : float, optional
        Half-width of the region of practical equivalence, in the unit of the score (of right-or-wrong scores in
        proportions: 0.01 is one percentage point; of ratings, 0.1 is 10% more wins than losses): the largest difference
        that is too small to matter. There is no default. Adds posteriors, Bayes factors and margin claims to the
        report.
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

    datasets: tuple[str, ...] | None = option(
        None,
        "Compare on this dataset only.",
        heading=_WHAT,
        flag="--dataset",
        metavar="D",
        refused={"independent": "datasets selects: write dependence='independent', or ['independent'] for this name"},
    )
    metric: str | tuple[str, ...] | None = option(
        None,
        "Metric to report; from counts: bleu, f1, ...; with gold scores: pearson, spearman, kendall.",
        repeated="repeatable, the primary metric first",
        heading=_WHAT,
        metavar="M",
    )
    primary_metric: str | None = option(
        None, "The primary metric; without --metric, all metrics are compared.", heading=_WHAT, metavar="M"
    )
    gatekeeping: Gatekeeping = option(
        "none", "How several metrics share the level; none: all are in one family.", heading=_WHAT
    )
    alternative: ClaimAlternative = option(
        "greater",
        "two-sided: no direction was chosen before the results were seen; both are tested at half the level.",
        heading=_WHAT,
    )
    preregistered: bool = option(False, "Say that the direction was declared before seeing the results.", heading=_WHAT)
    dependence: Dependence = option(
        "any",
        "independent: no two datasets share instances.",
        heading=_HOW,
        refused=dict.fromkeys(("dependent", "unknown"), "write 'any', which is valid under every dependence"),
    )
    alpha: tuple[float, ...] = option(DEFAULT_ALPHA, "Level.", heading=_HOW, metavar="LEVEL", aliases=("level",))
    profile: Profile = option("recommended", "Which decision table chooses the tests.", heading=_HOW)
    test: str | None = option(
        None, "One test for all datasets, by name, instead of the decision table.", heading=_HOW, metavar="T"
    )
    higher_is_better: bool | Mapping[str, bool] | None = option(
        None, "Metric for which lower is better.", heading=_HOW, flag="--lower-is-better", metavar="M"
    )
    kind: Kind | Mapping[str, Kind] | None = option(None, "Declare the kind of all scores.", heading=_HOW)
    missing: Missing = option(
        "error", "Instances that a system has no score for.", heading=_HOW, aliases=("nan_policy",)
    )
    pairing: Pairing = option("paired", "unpaired: each system has its own instances.", heading=_HOW)
    runs: Runs = option(
        "random", "fixed: the claim is about these runs, not about new ones.", heading=_HOW, aliases=("seeds",)
    )
    across_datasets: bool = option(False, "Take the means of the datasets as the data, as one sample.", heading=_HOW)
    friedman: bool = option(False, "Add Friedman's test: do the systems differ on a typical dataset?", heading=_HOW)
    score_range: tuple[float, float] | None = option(
        None, "Lowest and highest possible score.", heading=_HOW, metavar="LOW HIGH"
    )
    mixed_scales: MixedScales = option("error", "accept: proportions and percentages may be mixed.", heading=_HOW)
    printed_reading: PrintedReading = option("as-printed", "How printed p-values are meant.", heading=_HOW)
    rng: int = option(
        0, "Seed of all random resamples.", heading=_HOW, flag="--seed", metavar="N", aliases=("random_state",)
    )
    n_resamples: int = option(9_999, "Fewest random resamples.", heading=_HOW, metavar="B")
    rope: float | None = option(
        None, "Differences up to R do not matter; adds posteriors.", heading=_BEYOND, metavar="R"
    )
    bayes: bool = option(False, "Add posteriors and Bayes factors.", heading=_BEYOND)
    prior: float | None = option(
        None, "Their prior: a of Beta(a, a), or the scale of a Cauchy prior.", heading=_BEYOND, metavar="P"
    )

    def __post_init__(self) -> None:
        check_alternative(self.alternative)
        for name, refused in REFUSED.items():
            value = getattr(self, name)
            if isinstance(value, str) and value in refused:
                raise SettingsError(f"{name} is {value!r}", remedy=refused[value])
        object.__setattr__(self, "alpha", _levels(self.alpha))
        object.__setattr__(self, "metric", _metrics(self.metric, self.primary_metric))
        if self.datasets is not None:
            object.__setattr__(self, "datasets", tuple(sorted(_names("datasets", self.datasets))))
        object.__setattr__(self, "rng", seed_of(self.rng))
        for name in ("test", "primary_metric"):
            if getattr(self, name) is not None and not (isinstance(getattr(self, name), str) and getattr(self, name)):
                raise SettingsError(f"{name} is {getattr(self, name)!r}", remedy="give a name")
        for name, allowed in CHOICES.items():
            for value in _each(getattr(self, name)):
                if value is not None or DEFAULTS[name] is not None:
                    _choice(name, value, allowed)
        if self.pairing == "unpaired" and self.missing == "worst":
            raise SettingsError(
                f"missing={self.missing!r} is for systems that were to be scored on the same instances, and "
                "pairing='unpaired' takes those of each system as they are",
                remedy="leave out one of the two",
            )
        for name in FLAGS:
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name} is {getattr(self, name)!r}", remedy="give True or False")
        for name in ("rope", "prior"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _positive(name, getattr(self, name)))
        _at_least("n_resamples", self.n_resamples, 99)
        for value in _each(self.higher_is_better):
            if not isinstance(value, bool | None):
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

    @property
    def names_metrics(self) -> bool:
        """Whether a metric is named, if only as the primary one."""
        return self.metric is not None or self.primary_metric is not None

    def metric_higher_is_better(self, metric: str) -> bool:
        """Return the direction of one metric; metrics that are not named count as higher is better."""
        if isinstance(self.higher_is_better, Mapping):
            return self.higher_is_better.get(metric, True)
        return self.higher_is_better is not False

    def declared_kind(self, metric: str, dataset: str) -> Kind | None:
        """Return the kind of scores the user declared for a dataset, by dataset name, metric name, or for all."""
        if isinstance(self.kind, Mapping):
            return self.kind.get(dataset, self.kind.get(metric))
        return self.kind

    def replace(self, **changes: Any) -> Settings:
        """Copy with some values changed, validated again.

        Raises
        ------
        UnknownNameError
            If there is no such setting; the message suggests the nearest.
        """
        for name in changes:
            if name not in SETTING_NAMES:
                raise UnknownNameError("setting", name, SETTING_NAMES, meant=meant_by(name, Settings))
        return dataclasses.replace(self, **changes) if changes else self


SETTING_NAMES: tuple[str, ...] = tuple(item.name for item in dataclasses.fields(Settings))
DEFAULTS: Mapping[str, Any] = {item.name: item.default for item in dataclasses.fields(Settings)}
HINTS: Mapping[str, Any] = get_type_hints(Settings)
CHOICES: Mapping[str, tuple[str, ...]] = {name: found for name in SETTING_NAMES if (found := choices_of(HINTS[name]))}
REFUSED: Mapping[str, Mapping[str, str]] = {
    item.name: refused for item in dataclasses.fields(Settings) if (refused := option_of(item).refused)
}
FLAGS: tuple[str, ...] = tuple(name for name in SETTING_NAMES if HINTS[name] is bool)


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
            remedy=f"swap the two systems and leave out alternative: {swapped}",
        )
    _choice("alternative", value, get_args(ClaimAlternative))


def _names(setting: str, value: object) -> tuple[str, ...]:
    """Return one name or several as a tuple, each once."""
    names = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not names or not all(isinstance(name, str) and name for name in names):
        raise SettingsError(
            f"{setting} is {value!r}", remedy="give a name, or a list of names, or leave it out for all"
        )
    if len(set(names)) < len(names):
        raise SettingsError(f"{setting} names {max(names, key=names.count)!r} twice", remedy="name each once")
    return names


def _metrics(metric: object, primary: str | None) -> str | tuple[str, ...] | None:
    """Return one metric as a name, several as a tuple."""
    if metric is None:
        return None
    names = _names("metric", metric)
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


def _each(value: object) -> Iterable[object]:
    """Return the values of a mapping, or the one value."""
    return value.values() if isinstance(value, Mapping) else [value]


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


_DRAWN = 2**32
"""Seeds drawn from a generator are smaller than this."""


def seed_of(rng: int | Generator) -> int:
    """Return the seed that stands for `rng` in a report, so that everything can be computed again.

    Parameters
    ----------
    rng : int or numpy.random.Generator
        A whole number of at least 0 is its own seed. Of a generator one number is drawn, which moves it on.

    Returns
    -------
    int
        Of at least 0.

    Raises
    ------
    SettingsError
        If it is anything else.

    Notes
    -----
    Scientific Python Ecosystem Coordination, SPEC 7, "Seeding pseudo-random number generation".

    Examples
    --------
    >>> import numpy as np
    >>> seed_of(7), seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))
    (7, True)
    """
    if not isinstance(rng, int) and hasattr(rng, "integers"):  # as a generator has; NumPy need not be there to look
        return int(rng.integers(_DRAWN))
    seed = rng if isinstance(rng, bool) or not hasattr(rng, "__index__") else rng.__index__()
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise SettingsError(f"rng is {rng!r}", remedy="give a whole number of at least 0, or a numpy.random.Generator")
    return seed
