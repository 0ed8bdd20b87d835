"""Power, sample sizes and minimum detectable effects: what a user holds of a plan."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from reportkit._version import __version__
from reportkit.analysis.report import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance, plain_label
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text
from reportkit.power_analysis.plan import KHatPower, PlannedDataset, Question
from reportkit.rendering.text.escaping import visible
from reportkit.report.facts import VERSION
from reportkit.report.model import Paragraph, Report, Section, Signature, Table
from reportkit.report.power_table import difference_text, power_table, share_text
from reportkit.report.prose import prose
from reportkit.report.tokens import plain
from reportkit.settings import ClaimAlternative

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
        table = self._power_table(look)
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
            sections=(section,),
            signature=signature,
            findings=(),
            data={
                "version": VERSION,
                "reportkit_version": __version__,
                "kind": "power",
                "power": json.loads(self.to_frame().to_json(orient="records", double_precision=15)),
            },
            summary=(self.summary(),),
            appearance=look,
        )

    def _named(self, look: Appearance) -> tuple[PlannedDataset, ...]:
        """The rows with the names that are printed."""
        labels = {name: plain_label(label) for name, label in look.labels.items()}
        return tuple(replace(row, dataset=labels.get(row.dataset, row.dataset)) for row in self.rows)

    @property
    def _sided(self) -> str:
        return "one-sided" if self.alternative == "greater" else "two-sided"

    def _power_table(self, look: Appearance) -> Table:
        return power_table(self._named(look), self.question, alpha=self.alpha, sided=self._sided)

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
        rows = [row for row in self._named(self.appearance) if row.effect != 0]
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
        table = self._power_table(self.appearance)
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


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False)


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _onshare_text(row: PlannedDataset) -> str:
    return "" if row.discordant is None else f" (on {row.discordant:.1%} of the instances)"
