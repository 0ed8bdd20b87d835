"""Power, sample sizes and minimum detectable effects: what a user calls, and what comes back."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.evidence.samples import samples_of
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text, p_value_text
from reportkit.power_analysis.designs import Design, MeanDifference, paired_accuracy, unpaired_accuracy
from reportkit.power_analysis.k_hat_power import KHatPower
from reportkit.power_analysis.levels import check_count, check_positive, check_probability, one_sided_level
from reportkit.power_analysis.pilot import design_of
from reportkit.power_analysis.plan import PlannedDataset, Question, plan_dataset, plan_k_hat
from reportkit.power_analysis.planned_error import PlannedError, error_of_mean
from reportkit.rendering.text.escaping import visible
from reportkit.replicability.compare import metrics_for
from reportkit.scores.printed import PrintedResults
from reportkit.settings import ClaimAlternative, Settings

if TYPE_CHECKING:
    from reportkit.scores.choices import Pairing
    from reportkit.scores.results import Results

DEFAULT_POWER = 0.8
WIDTH = 80
"""Columns of a terminal."""

PerDataset = float | Sequence[float] | Mapping[str, float]
"""One number for all datasets, or one for each: in order, or by name."""

MOST_ROWS = 30

_SELDOM = 1e-3
"""Wrong signs that are rarer are no column of the table."""

_LEGEND = (
    "overstated: how many times as large as the difference a significant estimate is "
    "on average. The more power, the less."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerResult:
    """The plan of a comparison on one dataset or several.

    Parameters
    ----------
    question : {"n", "effect", "power"}
        What was asked for: how many instances, how small a difference, or how much power.
    rows : tuple of PlannedDataset
        One for each dataset; three if it is not known how often two systems disagree.
    alpha : float
        Level of the tests.
    alternative : {"greater", "two-sided"}
        One-sided, for the claim that A is better; or each direction at half the level.
    n_datasets : int
        Number N of datasets, for the level alpha / N.
    k_hat : KHatPower or None
        How k-hat will come out, if the power on several datasets was asked for.
    independent : bool
        Whether the datasets are independent: k-hat is then counted by Fisher's method, otherwise by Bonferroni's.
    """

    question: Question
    rows: tuple[PlannedDataset, ...]
    alpha: float
    alternative: ClaimAlternative
    n_datasets: int
    k_hat: KHatPower | None
    independent: bool

    def to_frame(self) -> pd.DataFrame:
        """One row per dataset, or per supposition on how often the two systems disagree.

        Columns: dataset, disagreement (where they differ), n, effect, power, then the answer at level alpha / N
        (n_in_family, effect_in_family or power_in_family), discordant, type_s, exaggeration. What does not exist is
        missing.
        """
        frame = pd.DataFrame(
            {
                "dataset": [row.dataset for row in self.rows],
                "disagreement": [row.disagreement for row in self.rows],
                "n": [row.n for row in self.rows],
                **{
                    name: pd.array([getattr(row, name) for row in self.rows], dtype="Float64")
                    for name in ("effect", "power", "in_family", "discordant", "type_s", "exaggeration")
                },
            }
        )
        if self.question == "n":
            frame["in_family"] = frame["in_family"].astype("Int64")
        frame = frame.rename(columns={"in_family": f"{self.question}_in_family"})
        idle = [name for name in ("dataset", "disagreement") if not frame[name].astype(bool).any()]
        return frame.drop(columns=[*idle, *(["discordant"] if frame["discordant"].isna().all() else [])])

    def summary(self) -> str:
        """Return the answer in a few sentences."""
        if len(self._datasets) > 1:
            sentences = [self._over_datasets()]
        elif len(self.rows) == 1:
            sentences = [f"{_capital(self._answer(self.rows[0]))}."]
        else:
            rarely, often = self.rows[0], self.rows[-1]
            of_rarely, of_often = _on_share(rarely), _on_share(often)
            answer = (
                f"{_capital(self._answer(often))} if the two systems disagree as often as they can{of_often}, "
                f"and {self._value(rarely)} if they do so as rarely as they can{of_rarely}."
            )
            sentences = [answer]
        sentences.append(self._level())
        if self.k_hat is not None:
            sentences.append(self._k_hat(self.k_hat))
        return " ".join(sentences)

    @property
    def _datasets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.dataset for row in self.rows))

    def _answer(self, row: PlannedDataset) -> str:
        n, power = counted(row.n, "instance"), _share(row.power)
        if row.effect is None:
            return f"with {n}, no difference is shown with power {power}"
        if self.question == "n":
            return f"{n} show a difference of {_number(row.effect)} with power {_share(row.power)}"
        if self.question == "effect":
            return f"with {n}, the smallest difference shown with power {power} is {_number(row.effect)}"
        return f"with {n}, a difference of {_number(row.effect)} is shown with power {power}"

    def _over_datasets(self) -> str:
        rows = [row for row in self.rows if row.effect != 0]
        power = _share(rows[0].power)
        if none := sum(row.effect is None for row in rows):
            return f"On {none} of {len(rows)} datasets no difference is shown with power {power}."
        what = {
            "n": f"Power {power} takes",
            "effect": f"The smallest difference shown with power {power} is",
            "power": "The power is",
        }[self.question]
        ordered = sorted(rows, key=lambda row: getattr(row, self.question))
        least, most = self._value(ordered[0]), self._value(ordered[-1])
        if least == most:
            return f"{what} {least} on each of {len(rows)} datasets."
        return f"{what} {least} on {ordered[0].dataset} to {most} on {ordered[-1].dataset}."

    def _value(self, row: PlannedDataset) -> str:
        """The answer alone."""
        if self.question == "n":
            return counted(row.n, "instance")
        if self.question == "power":
            return _share(row.power)
        return "none" if row.effect is None else _number(row.effect)

    def _level(self) -> str:
        sided = "one-sided" if self.alternative == "greater" else "two-sided"
        said = f"The level is {level_text(self.alpha)}, {sided}."
        if self.n_datasets == 1:
            return said
        worst = f"{level_text(self.alpha)} / {self.n_datasets} = {self.alpha / self.n_datasets:.3g}".replace(
            " 0.", " ."
        )
        return f"{said} The last column holds at {worst}, the most that Holm's procedure asks of a dataset to name it."

    def _k_hat(self, found: KHatPower) -> str:
        n = found.n_better
        count = next((k for k in range(n, 1, -1) if found.at_least(k) >= DEFAULT_POWER), 1)
        method = "Fisher" if self.independent else "Bonferroni"
        said = (
            f"If the difference is there on {'all ' if n == self.n_datasets else ''}{counted(n, 'dataset')}, k-hat "
            f"({method}) is {found.mean:.1f} on average and at least {count} with probability "
            f"{_share(found.at_least(count))}"
        )
        every = "" if count == n else f"; it is {n} or more with probability {_share(found.at_least(n))}"
        return f"{said}{every} (simulated, datasets independent)."

    def table_lines(self) -> list[str]:
        """Return a table for a screen of fixed width; numbers stand below each other."""
        several = len(self._datasets) > 1
        supposed = any(row.disagreement for row in self.rows)
        family = self.n_datasets > 1
        alike = several and len({_line(row) for row in self.rows}) == 1
        shown = self.rows[:1] if alike else self.rows[:MOST_ROWS]
        columns: list[tuple[str, Callable[[PlannedDataset], str]]] = []
        if several:
            columns.append(("dataset", lambda row: "each" if alike else visible(row.dataset)))
        if supposed:
            columns.append(("if they disagree", lambda row: row.disagreement))
        if any(row.discordant is not None for row in self.rows):
            columns.append(("disagree", lambda row: "–" if row.discordant is None else f"{row.discordant:.1%}"))
        columns += [
            ("n", lambda row: f"{row.n:,}"),
            ("effect", lambda row: "none" if row.effect is None else _number(row.effect)),
            ("power", lambda row: _share(row.power) if row.effect != 0 else "–"),
        ]
        if any((row.type_s or 0) >= _SELDOM for row in self.rows):
            columns.append(("wrong sign", lambda row: "–" if row.type_s is None else _share(row.type_s)))
        columns.append(("overstated", lambda row: "–" if row.exaggeration is None else f"{row.exaggeration:.2f}x"))
        if family:
            columns.append((f"{self.question} at α/{self.n_datasets}", self._worst))
        texts = [[name for name, _ in columns], *([write(row) for _, write in columns] for row in shown)]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        left = int(several) + int(supposed)
        lines = [
            "  ".join(
                text.ljust(width) if index < left else text.rjust(width)
                for index, (text, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in texts
        ]
        hidden = 0 if alike else len(self.rows) - len(shown)
        return [*lines, f"... {hidden} more rows; all are in to_frame()"] if hidden else lines

    def _worst(self, row: PlannedDataset) -> str:
        if row.effect == 0:
            return "–"
        if row.in_family is None:
            return "none"
        return {"n": lambda x: f"{int(x):,}", "effect": _number, "power": _share}[self.question](row.in_family)

    def __repr__(self) -> str:
        lines = [*_wrapped(self.summary()), "", *self.table_lines()]
        if any(row.exaggeration is not None for row in self.rows):
            lines += ["", *_wrapped(_LEGEND)]
        return "\n".join(lines)


def power(
    results: Results | pd.DataFrame | str | Path | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    effect: PerDataset | None = None,
    n: PerDataset | None = None,
    power: float | None = None,
    accuracy: PerDataset | None = None,
    discordant: PerDataset | None = None,
    sd: PerDataset | None = None,
    design_effect: float = 1.0,
    pairing: Pairing | None = None,
    runs: int | None = None,
    n_datasets: int | None = None,
    alpha: float = 0.05,
    alternative: ClaimAlternative = "greater",
    dependence: Literal["any", "independent"] = "any",
    metric: str | None = None,
    columns: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    rng: int | np.random.Generator = 0,
) -> PowerResult:
    """Plan a comparison: how many instances, how small a difference, or how much power.

    Of `n`, `effect` and `power`, leave out the one that you ask for; if only one is given, the power is 0.8. Results at
    hand give `n`, unless `effect` and `power` are both given, and say how much scores vary.

    - `power(effect=0.01, accuracy=0.85)`: how many instances show one point more than an accuracy of .85.
    - `power(n=1000, accuracy=0.85)`: the smallest difference that 1,000 instances show.
    - `power(results, "new", "old")`: the smallest difference that each dataset shows.
    - `power(results, "new", "old", effect=0.01)`: the power on each dataset, and how k-hat will come out.
    - `power(results, "new", "old", effect=0.01, power=0.8)`: the instances that each dataset needs.

    Parameters
    ----------
    results : Results, DataFrame, str or Path, optional
        Earlier results, of any form that `reportkit.compare` takes but printed ones. Never the difference is read from
        them, only how well it is known.
    system_a, system_b : str, optional
        The two systems, if the results hold more than two.
    effect : float, sequence of float, or mapping of str to float, optional
        Planned difference in units of the score (1 point of accuracy is 0.01), above 0: the smallest one that matters,
        or one known from other data. One for all datasets, or one for each; 0 where none is expected.
    n : int, sequence of int, or mapping of str to int, optional
        Planned instances on each dataset; of each system, if they have different ones.
    power : float, optional
        Wanted probability to show the difference.
    accuracy : float, sequence or mapping, optional
        Right-or-wrong scores: the share of instances on which the baseline is right.
    discordant : float, sequence or mapping, optional
        Right-or-wrong scores on the same instances: the share on which exactly one system is right. If it is not given,
        the answer is given for the lowest rate that is possible, for independent errors, and for the highest.
    sd : float, sequence or mapping, optional
        Other scores: standard deviation of the differences on single instances; of single scores, if unpaired.
    design_effect : float
        With `sd`: by how much clusters multiply the variance of the mean.
    pairing : {"paired", "unpaired"}, optional
        Whether the systems are scored on the same instances; paired, if nothing is said.
    runs : int, optional
        Planned runs of each system, for results with several runs of each.
    n_datasets : int, optional
        Number N of datasets, if all are planned alike.
    alpha : float
        Level of the tests, and of k-hat.
    alternative : {"greater", "two-sided"}
        One-sided, as for a declared claim; or each direction at half the level.
    dependence : {"any", "independent"}
        Between the datasets: decides between Bonferroni's and Fisher's method for k-hat.
    metric : str, optional
        Which metric of the results.
    columns : mapping of str to str, optional
        Role to column name, where names are not recognised.
    settings : Settings, optional
        Other decisions on how the results are read: missing scores, kind, direction.
    rng : int or numpy.random.Generator
        Seed of the simulation of k-hat.

    Returns
    -------
    PowerResult

    Raises
    ------
    ReportkitError
        If numbers are missing or make no sense; the message says which.

    Notes
    -----
    Null hypothesis: A is not better than B. Right-or-wrong scores: exact McNemar test (same instances), Boschloo's or
    Fisher's exact test (different ones), their power summed over all outcomes. Others: power of the t test, assuming a
    near normal mean. Instances are independent, or clusters are. Type S and type M: Gelman and Carlin (2014). "Observed
    power", at the difference that the results show, is a function of the p-value and is not offered: Hoenig and Heisey
    (2001).

    Examples
    --------
    >>> import reportkit
    >>> print(reportkit.power(effect=0.02, discordant=0.1).summary())
    1,629 instances show a difference of 0.02 with power .80. The level is .05, one-sided.
    """
    question = _question(n is not None, effect is not None, power is not None, results is not None)
    wanted = DEFAULT_POWER if power is None else power
    check_probability("power", wanted)
    level = one_sided_level(alpha, alternative)
    given = {"effect": effect, "n": n, "accuracy": accuracy, "discordant": discordant, "sd": sd}
    designs: list[tuple[str, str, Design, int]]
    if results is None:
        if system_a is not None or metric is not None or columns or settings is not None or runs is not None:
            raise SettingsError(
                "systems, a metric, columns or runs were named, and there are no results",
                remedy="give the results, or plan from numbers alone",
            )
        names = _names(given, n_datasets)
        designs = [
            (name, *found)
            for index, name in enumerate(names)
            for found in _from_numbers(
                {key: _of_dataset(key, given[key], index, names) for key in ("accuracy", "discordant", "sd")},
                design_effect,
                pairing,
            )
        ]
        if len(names) > 1 and len(designs) > len(names):
            raise SettingsError(
                "for several datasets it has to be known how often the two systems disagree",
                remedy="give discordant (--discordant): the share of instances on which exactly one of them is right",
            )
    else:
        _refuse_numbers({**given, "n_datasets": n_datasets})
        changes: dict[str, Any] = {"pairing": pairing, "metric": metric}
        settings = (settings or Settings()).replace(
            **{key: value for key, value in changes.items() if value is not None}
        )
        designs = _from_results(results, system_a, system_b, columns, settings, runs)
        names = tuple(name for name, *_ in designs)
    rows = [
        plan_dataset(
            design,
            question,
            n=int(_of_dataset("n", n, names.index(name), names) or realised),
            effect=_of_dataset("effect", effect, names.index(name), names) or 0.0,
            power=wanted,
            level=level,
            n_datasets=len(names),
            two_sided=alternative == "two-sided",
            dataset=name if results is not None or len(names) > 1 else "",
            disagreement=disagreement,
        )
        for name, disagreement, design, realised in designs
    ]
    counted_ = question == "power" and len(names) > 1
    return PowerResult(
        question=question,
        rows=tuple(rows),
        alpha=alpha,
        alternative=alternative,
        n_datasets=len(names),
        k_hat=plan_k_hat(rows, level=level, independent=dependence == "independent", rng=rng) if counted_ else None,
        independent=dependence == "independent",
    )


def _question(has_n: bool, has_effect: bool, has_power: bool, has_results: bool) -> Question:
    if has_effect and has_power and has_n:
        raise SettingsError(
            "n, effect and power are all given, and nothing is left to compute",
            remedy="leave one of them away: n (--n), effect (--effect) or power (--power)",
        )
    if has_effect:
        return "n" if has_power or not (has_n or has_results) else "power"
    if has_n or has_results:
        return "effect"
    raise SettingsError(
        "there is nothing to plan from",
        remedy="give the difference that matters, effect (--effect), to get the number of instances; n (--n) to get "
        "the smallest difference; both to get the power; or results",
    )


def _names(given: Mapping[str, PerDataset | None], n_datasets: int | None) -> tuple[str, ...]:
    """Name the datasets of a plan: by the mappings, or counted."""
    several = {key: value for key, value in given.items() if isinstance(value, (Sequence, Mapping))}
    if n_datasets is not None:
        check_count("n_datasets", n_datasets)
    counts = {key: len(value) for key, value in several.items()} | (
        {} if n_datasets is None else {"n_datasets": n_datasets}
    )
    if len(set(counts.values())) > 1 or 0 in counts.values():
        said = ", ".join(f"{key} {number}" for key, number in counts.items())
        raise SettingsError(f"these are plans for different numbers of datasets: {said}", remedy="give one for each")
    for value in several.values():
        if isinstance(value, Mapping):
            return tuple(value)
    return tuple(str(number + 1) for number in range(next(iter(counts.values()), 1)))


def _of_dataset(key: str, given: PerDataset | None, index: int, names: Sequence[str]) -> float | None:
    if isinstance(given, Mapping):
        if set(given) != set(names):
            missing = [name for name in names if name not in given]
            unknown = [name for name in given if name not in names]
            if unknown:
                raise UnknownNameError("dataset", unknown[0], names, where=key)
            raise SettingsError(f"{key} lacks dataset {missing[0]!r}", remedy="give one number for each dataset")
        return given[names[index]]
    if isinstance(given, Sequence):
        if len(given) != len(names):
            raise SettingsError(
                f"{key} holds {counted(len(given), 'number')} for {counted(len(names), 'dataset')}",
                remedy="give one number for all datasets, or one for each",
            )
        return given[index]
    return given


def _from_numbers(
    given: Mapping[str, float | None], design_effect: float, pairing: Pairing | None
) -> list[tuple[str, Design, int]]:
    accuracy, discordant, sd = given["accuracy"], given["discordant"], given["sd"]
    unpaired = pairing == "unpaired"
    if sd is not None:
        if accuracy is not None or discordant is not None:
            raise SettingsError(
                "sd is for scores that are not right or wrong, and accuracy or discordant for those that are",
                remedy="give sd (--sd) or the others",
            )
        check_positive("sd", sd)
        check_positive("design_effect", design_effect)
        return [("", MeanDifference(_unpaired_error(sd, design_effect) if unpaired else _error(sd, design_effect)), 0)]
    if design_effect != 1:
        raise SettingsError("design_effect goes with sd", remedy="give sd (--sd), or leave it away")
    if unpaired and (accuracy is None or discordant is not None):
        raise SettingsError(
            "unpaired right-or-wrong scores are planned from the accuracy of the baseline",
            remedy="give accuracy (--accuracy), and not discordant",
        )
    if unpaired and accuracy is not None:
        return [("", unpaired_accuracy(accuracy), 0)]
    if accuracy is None and discordant is None:
        raise SettingsError(
            "it is not said how much the scores vary",
            remedy="right-or-wrong scores: give accuracy (--accuracy), the accuracy of the baseline, or discordant "
            "(--discordant), the share of instances on which exactly one system is right; other scores: give sd "
            "(--sd), the standard deviation of the differences; or give results",
        )
    return [(name, design, 0) for name, design in paired_accuracy(accuracy, discordant).items()]


def _error(sd: float, design_effect: float) -> Callable[[int], PlannedError]:
    return lambda n: error_of_mean(sd, n, design_effect=design_effect)


def _unpaired_error(sd: float, design_effect: float) -> Callable[[int], PlannedError]:
    return lambda n: PlannedError(error_of_mean(sd, n, design_effect=2 * design_effect).standard_error, 2 * n - 2)


def _refuse_numbers(given: Mapping[str, object]) -> None:
    for key in ("accuracy", "discordant", "sd", "n_datasets"):
        if given[key] is not None:
            raise SettingsError(
                f"{key} was given, and the results say it themselves",
                remedy=f"leave {key} away, or plan from numbers alone",
            )


def _from_results(
    results: Results | pd.DataFrame | str | Path,
    system_a: str | None,
    system_b: str | None,
    columns: Mapping[str, str] | None,
    settings: Settings,
    runs: int | None,
) -> list[tuple[str, str, Design, int]]:
    from reportkit.api import read
    from reportkit.scores.results import Results

    found = results if isinstance(results, Results) else read(results, columns=columns, settings=settings)
    if isinstance(found, PrintedResults):
        raise DesignError(
            "printed figures do not say how much scores vary",
            remedy="give one score per system, dataset and instance, or plan from numbers",
        )
    if system_a is None and system_b is None and len(found.systems) == 2:
        system_a, system_b = found.systems
    if system_a is None or system_b is None:
        raise SettingsError(
            f"the results hold {counted(len(found.systems), 'system')}, and it is not said which two are compared",
            remedy="name both: power(results, 'new', 'old', ...) (command: --system new --baseline old)",
        )
    samples = samples_of(found, system_a, system_b, metrics_for(found, settings)[0], settings)
    if not samples:
        raise DesignError(f"{system_a!r} and {system_b!r} have no dataset in common", remedy="name two that do")
    return [(sample.dataset, "", design_of(sample, runs), sample.n) for sample in samples]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False)


def _number(value: float | None) -> str:
    return f"{value or 0.0:.3g}"


def _share(value: float) -> str:
    return p_value_text(value) if value > 0 else "0"


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _on_share(row: PlannedDataset) -> str:
    return "" if row.discordant is None else f" (on {row.discordant:.1%} of the instances)"


def _line(row: PlannedDataset) -> PlannedDataset:
    return replace(row, dataset="")
