"""Power, sample sizes and minimum detectable effects: what a user calls, and what comes back."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from reportkit._version import __version__
from reportkit.analysis.report import Styled
from reportkit.appearance.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.appearance.labels import plain_label
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.evidence.samples import samples_of
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text
from reportkit.power_analysis.designs import Design, MeanDifference, paired_accuracy, unpaired_accuracy
from reportkit.power_analysis.k_hat_power import KHatPower
from reportkit.power_analysis.levels import check_count, check_positive, check_probability, one_sided_level
from reportkit.power_analysis.pilot import design_of
from reportkit.power_analysis.plan import PlannedDataset, Question, plan_dataset, plan_k_hat
from reportkit.power_analysis.planned_error import PlannedError, error_of_mean
from reportkit.readers.reading import read_results
from reportkit.rendering.text.escaping import visible
from reportkit.replicability.compare import metrics_for
from reportkit.report.illustrations import for_venue
from reportkit.report.labels import typeset
from reportkit.report.machine.machine import SCHEMA_VERSION
from reportkit.report.model import Paragraph, Report, Section, Signature, Table
from reportkit.report.prose import plain, prose
from reportkit.report.tables.power_table import difference_text, power_table, share_text
from reportkit.scores.printed import PrintedResults
from reportkit.scores.results import Results
from reportkit.settings import ClaimAlternative, Settings
from reportkit.settings.arguments import PerDataset, PowerArguments
from reportkit.settings.settings import seed_of

if TYPE_CHECKING:
    from reportkit.scores.choices import Pairing

DEFAULT_POWER = 0.8
WIDTH = 80
"""Columns of a terminal."""

MOST_ROWS = 30

_TITLES: Mapping[Question, str] = {
    "n": "How many instances are needed",
    "effect": "How small a difference is shown",
    "power": "With which power a difference is shown",
}

_LEGEND = (
    "overstated: how many times as large as the difference a significant estimate is "
    "on average. The more power, the less."
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PowerResult(Styled):
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
    seed : int
        Of the simulation of k-hat.
    source, digest : str
        Name and SHA-256 of the results, if there are any.
    appearance : Appearance
        How the table is set; see `styled`.
    """

    question: Question
    rows: tuple[PlannedDataset, ...]
    alpha: float
    alternative: ClaimAlternative
    n_datasets: int
    k_hat: KHatPower | None
    independent: bool
    seed: int = 0
    source: str = "none"
    digest: str = ""
    appearance: Appearance = DEFAULT_APPEARANCE

    def _lay_out(self) -> Report:
        look = self.appearance
        table = self._power_table
        signature = Signature(
            version=__version__,
            source=self.source,
            digest=self.digest,
            fields={
                "plan": self.question,
                "alt": self._sided,
                "alpha": level_text(self.alpha),
                "datasets": f"{self.n_datasets},{'independent' if self.independent else 'any'}",
                **({} if self.k_hat is None else {"seed": str(self.seed)}),
            },
        )
        words = Paragraph(content=prose("{words}", words=self.summary()))
        section = Section(title=_TITLES[self.question], blocks=(words, table))
        return Report(
            title=section.title,
            sections=for_venue(typeset((section,), look), look),
            signature=signature,
            findings=(),
            data={
                "schema_version": SCHEMA_VERSION,
                "reportkit_version": __version__,
                "kind": "power",
                "power": json.loads(self.to_frame().to_json(orient="records", double_precision=15)),
            },
            summary=(self.summary(),),
            appearance=look,
        )

    @property
    def _named(self) -> tuple[PlannedDataset, ...]:
        """The rows with the names that are printed."""
        labels = {name: plain_label(label) for name, label in self.appearance.labels.items()}
        return tuple(replace(row, dataset=labels.get(row.dataset, row.dataset)) for row in self.rows)

    @property
    def _sided(self) -> str:
        return "one-sided" if self.alternative == "greater" else "two-sided"

    @property
    def _power_table(self) -> Table:
        return power_table(self._named, self.question, alpha=self.alpha, sided=self._sided)

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """One row per dataset, or per supposition on how often the two systems disagree; or, by its name, the table.

        Columns: dataset, disagreement (where they differ), n, effect, power, then the answer at level alpha / N
        (n_in_family, effect_in_family or power_in_family), discordant, type_s, exaggeration. What does not exist is
        missing.
        """
        if name is not None:
            return super().to_frame(name)
        frame = pd.DataFrame(
            {
                "dataset": [row.dataset for row in self.rows],
                "disagreement": [row.disagreement for row in self.rows],
                "n": [row.n for row in self.rows],
                **{
                    key: pd.array([getattr(row, key) for row in self.rows], dtype="Float64")
                    for key in ("effect", "power", "in_family", "discordant", "type_s", "exaggeration")
                },
            }
        )
        if self.question == "n":
            frame["in_family"] = frame["in_family"].astype("Int64")
        frame = frame.rename(columns={"in_family": f"{self.question}_in_family"})
        idle = [key for key in ("dataset", "disagreement") if not frame[key].astype(bool).any()]
        return frame.drop(columns=[*idle, *(["discordant"] if frame["discordant"].isna().all() else [])])

    def summary(self) -> str:
        """Return the answer in a few sentences."""
        if len(self._datasets) > 1:
            sentences = [self._over_datasets()]
        elif len(self.rows) == 1:
            sentences = [f"{_capital(self._answer(self.rows[0]))}."]
        else:
            rarely, often = self.rows[0], self.rows[-1]
            of_rarely, of_often = _onshare_text(rarely), _onshare_text(often)
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
        n, power = counted(row.n, "instance"), share_text(row.power)
        if row.effect is None:
            return f"with {n}, no difference is shown with power {power}"
        if self.question == "n":
            return f"{n} show a difference of {difference_text(row.effect)} with power {share_text(row.power)}"
        if self.question == "effect":
            return f"with {n}, the smallest difference shown with power {power} is {difference_text(row.effect)}"
        return f"with {n}, a difference of {difference_text(row.effect)} is shown with power {power}"

    def _over_datasets(self) -> str:
        rows = [row for row in self._named if row.effect != 0]
        power = share_text(rows[0].power)
        if none := sum(row.effect is None for row in rows):
            return f"On {none} of {len(rows)} datasets no difference is shown with power {power}."
        what = {
            "n": f"Power {power} takes",
            "effect": f"The smallest difference shown with power {power} is",
            "power": "The power is",
        }[self.question]
        ordered = sorted(rows, key=lambda row: getattr(row, self.question))
        least, most = self._value(ordered[0]), self._value(ordered[-1])
        if len(rows) == 1:
            return f"{what} {least} on {rows[0].dataset}."
        if least == most:
            return f"{what} {least} on each of {len(rows)} datasets."
        return f"{what} {least} on {ordered[0].dataset} to {most} on {ordered[-1].dataset}."

    def _value(self, row: PlannedDataset) -> str:
        """The answer alone."""
        if self.question == "n":
            return counted(row.n, "instance")
        if self.question == "power":
            return share_text(row.power)
        return "none" if row.effect is None else difference_text(row.effect)

    def _level(self) -> str:
        said = f"The level is {level_text(self.alpha)}, {self._sided}."
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
            f"{share_text(found.at_least(count))}"
        )
        every = "" if count == n else f"; it is {n} or more with probability {share_text(found.at_least(n))}"
        return f"{said}{every} (simulated, datasets independent)."

    def table_lines(self) -> list[str]:
        """Return a table for a screen of fixed width; numbers stand below each other."""
        table = self._power_table
        texts = [[plain(column.header).lower() for column in table.columns]]
        texts += [[visible(plain(cell.text)) for cell in row.cells] for row in table.rows[:MOST_ROWS]]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        lines = [
            "  ".join(
                text.ljust(width) if column.align == "left" else text.rjust(width)
                for text, width, column in zip(line, widths, table.columns, strict=True)
            ).rstrip()
            for line in texts
        ]
        hidden = len(table.rows) - MOST_ROWS
        return [*lines, f"... {hidden} more rows; all are in to_frame()"] if hidden > 0 else lines

    def __repr__(self) -> str:
        lines = [*_wrapped(self.summary()), "", *self.table_lines()]
        if any(row.exaggeration is not None for row in self.rows):
            lines += ["", *_wrapped(_LEGEND)]
        return "\n".join(lines)


def plan_power(
    results: Results | PrintedResults | pd.DataFrame | str | Path | None,
    system_a: str | None,
    system_b: str | None,
    asked: PowerArguments,
    columns: Mapping[str, str] | None = None,
) -> PowerResult:
    """Plan a comparison from numbers, or from results; see `reportkit.power`.

    Raises
    ------
    ReportkitError
        If numbers are missing or make no sense; the message says which.
    """
    settings, seed = _settings_of(results, system_a, asked, columns), seed_of(asked.rng)
    if results is not None and not isinstance(results, (Results, PrintedResults)):
        results = read_results(results, columns=columns, settings=settings)
    n, effect, alpha, alternative = asked.n, asked.effect, asked.alpha, asked.alternative
    question = _question(n is not None, effect is not None, asked.power is not None, results is not None)
    wanted = DEFAULT_POWER if asked.power is None else asked.power
    check_probability("power", wanted)
    level = one_sided_level(alpha, alternative)
    said = {"accuracy": asked.accuracy, "discordant": asked.discordant, "sd": asked.sd}
    designs: list[tuple[str, str, Design, int]]
    if results is None:
        names = _names({"effect": effect, "n": n, **said}, asked.n_datasets)
        designs = [
            (name, *found)
            for index, name in enumerate(names)
            for found in _from_numbers(
                {key: _of_dataset(key, value, index, names) for key, value in said.items()},
                asked.design_effect,
                settings.pairing,
            )
        ]
        if len(names) > 1 and len(designs) > len(names):
            raise SettingsError(
                "for several datasets it has to be known how often the two systems disagree",
                remedy="give discordant (--discordant): the share of instances on which exactly one of them is right",
            )
    else:
        designs = _from_results(results, system_a, system_b, settings, asked.n_runs)
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
    counted_, independent = question == "power" and len(names) > 1, asked.dependence == "independent"
    return PowerResult(
        question=question,
        rows=tuple(rows),
        alpha=alpha,
        alternative=alternative,
        n_datasets=len(names),
        k_hat=plan_k_hat(rows, level=level, independent=independent, rng=seed) if counted_ else None,
        independent=independent,
        seed=seed,
        source="none" if results is None else results.source,
        digest="" if results is None else results.digest(),
    )


def _settings_of(
    results: object, system_a: str | None, asked: PowerArguments, columns: Mapping[str, str] | None
) -> Settings:
    """How results are read, after refusing what goes with results only, and what they say themselves."""
    if results is None and (
        system_a is not None or asked.metric is not None or columns or asked.settings or asked.n_runs
    ):
        raise SettingsError(
            "systems, a metric, columns or n_runs were named, and there are no results",
            remedy="give the results, or plan from numbers alone",
        )
    if results is not None:
        for key in ("accuracy", "discordant", "sd", "n_datasets"):
            if getattr(asked, key) is not None:
                raise SettingsError(
                    f"{key} was given, and the results say it themselves",
                    remedy=f"leave {key} away, or plan from numbers alone",
                )
    settings = asked.settings or Settings()
    return settings.replace(pairing=asked.pairing or settings.pairing, metric=asked.metric or settings.metric)


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
    given: Mapping[str, float | None], design_effect: float, pairing: Pairing
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


def _from_results(
    found: Results | PrintedResults,
    system_a: str | None,
    system_b: str | None,
    settings: Settings,
    n_runs: int | None,
) -> list[tuple[str, str, Design, int]]:
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
    found = found if settings.names_metrics else found.one_metric_each()
    samples = samples_of(found, system_a, system_b, metrics_for(found, settings)[0], settings)
    if not samples:
        raise DesignError(f"{system_a!r} and {system_b!r} have no dataset in common", remedy="name two that do")
    return [(sample.dataset, "", design_of(sample, n_runs), sample.n) for sample in samples]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False)


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _onshare_text(row: PlannedDataset) -> str:
    return "" if row.discordant is None else f" (on {row.discordant:.1%} of the instances)"
