"""Power, sample sizes and minimum detectable effects: what a user holds of a plan."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from reportkit._version import __version__
from reportkit.analysis.report import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance, plain_label
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text, p_value_text
from reportkit.power_analysis.plan import KHatPower, PlannedDataset, Question
from reportkit.rendering.text.escaping import visible
from reportkit.report.facts import VERSION
from reportkit.report.model import Cell, Column, Paragraph, Report, Row, Section, Signature, Table
from reportkit.report.tokens import plain
from reportkit.report.wording import text_environment
from reportkit.settings import ClaimAlternative

DEFAULT_POWER = 0.8
WIDTH = 80
"""Columns of a terminal."""

MOST_ROWS = 30

_SELDOM = 1e-3
"""Wrong signs that are rarer are no column of the table."""


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
        plan, words = self._plan(), _words()
        table = self._table_of(plan)
        fields = {
            "plan": self.question,
            "alt": plan["sided"],
            "alpha": plan["level"],
            "datasets": f"{self.n_datasets},{'independent' if self.independent else 'any'}",
        }
        if self.k_hat is not None:
            fields["seed"] = str(self.seed)
        title = words.titles[self.question]
        return Report(
            title=title,
            sections=(Section(title=title, blocks=(Paragraph(content=self.summary()), table)),),
            signature=Signature(version=__version__, source=self.source, digest=self.digest, fields=fields),
            findings=(),
            data={
                "version": VERSION,
                "reportkit_version": __version__,
                "kind": "power",
                "power": json.loads(self.to_frame().to_json(orient="records", double_precision=15)),
            },
            summary=(self.summary(),),
            appearance=self.appearance,
        )

    def _plan(self) -> dict[str, Any]:
        """Return the plan as text, for the template."""
        labels = {name: plain_label(label) for name, label in self.appearance.labels.items()}
        named = [replace(row, dataset=labels.get(row.dataset, row.dataset)) for row in self.rows]
        several = self.n_datasets > 1
        alike = several and len({replace(row, dataset="") for row in named}) == 1
        found = self.k_hat
        columns = [*(["dataset"] if several else []), *(["disagreement"] if any(r.disagreement for r in named) else [])]
        columns += ["discordant"] if any(row.discordant is not None for row in named) else []
        columns += ["n", "effect", "power"]
        columns += ["type_s"] if any((row.type_s or 0) >= _SELDOM for row in named) else []
        planned = sorted((row for row in named if row.effect != 0), key=lambda row: getattr(row, self.question) or 0)
        return {
            "question": self.question,
            "several": len(dict.fromkeys(row.dataset for row in named)) > 1,
            "rows": [self._texts(row) for row in named],
            "ordered": [self._texts(row) for row in planned],
            "shown": [
                {**self._texts(row), **({"dataset": "each"} if alike else {})} for row in named[: 1 if alike else None]
            ],
            "columns": [*columns, "exaggeration", *(["in_family"] if several else [])],
            "level": level_text(self.alpha),
            "level_in_family": f"{self.alpha / self.n_datasets:.3g}".removeprefix("0"),
            "sided": "one-sided" if self.alternative == "greater" else "two-sided",
            "n_datasets": self.n_datasets,
            "k_hat": None if found is None else self._k_hat(found),
        }

    def _k_hat(self, found: KHatPower) -> dict[str, Any]:
        n = found.n_better
        likely = next((k for k in range(n, 1, -1) if found.at_least(k) >= DEFAULT_POWER), 1)
        return {
            "n": n,
            "everywhere": n == self.n_datasets,
            "method": "Fisher" if self.independent else "Bonferroni",
            "mean": f"{found.mean:.1f}",
            "likely": likely,
            "p_likely": _share(found.at_least(likely)),
            "p_all": _share(found.at_least(n)),
        }

    def _texts(self, row: PlannedDataset) -> dict[str, str]:
        write = {"n": lambda x: f"{int(x):,}", "effect": _difference, "power": _share}[self.question]
        planned = row.effect != 0
        return {
            "dataset": row.dataset,
            "disagreement": row.disagreement,
            "discordant": "" if row.discordant is None else f"{row.discordant:.1%}",
            "n": f"{row.n:,}",
            "instances": counted(row.n, "instance"),
            "effect": "none" if row.effect is None else _difference(row.effect),
            "power": _share(row.power) if planned else "",
            "type_s": "" if row.type_s is None else _share(row.type_s),
            "exaggeration": "" if row.exaggeration is None else f"{row.exaggeration:.2f}x",
            "in_family": "" if not planned else "none" if row.in_family is None else write(row.in_family),
        }

    def _table_of(self, plan: Mapping[str, Any]) -> Table:
        words, columns = _words(), plan["columns"]
        heads = {**words.heads, "in_family": f"{words.heads[self.question].capitalize()} at α/{self.n_datasets}"}
        return Table(
            name="power",
            caption=words.caption(plan),
            legend=words.legend(plan),
            columns=tuple(
                Column(header=heads[name], align="left" if name in ("dataset", "disagreement") else "right")
                for name in columns
            ),
            rows=tuple(Row(cells=tuple(Cell(text=row[name] or "–") for name in columns)) for row in plan["shown"]),
        )

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
        return str(_words().summary(self._plan()))

    def table_lines(self) -> list[str]:
        """Return a table for a screen of fixed width; numbers stand below each other."""
        plan = self._plan()
        table = self._table_of(plan)
        texts = [[plain(column.header).lower() for column in table.columns]]
        texts += [[visible(row[name] or "–") for name in plan["columns"]] for row in plan["shown"][:MOST_ROWS]]
        padded = [
            [f"{text:{'<' if column.align == 'left' else '>'}{max(map(len, texts_of))}}" for text in texts_of]
            for texts_of, column in zip(zip(*texts, strict=True), table.columns, strict=True)
        ]
        lines = ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]
        hidden = len(plan["shown"]) - MOST_ROWS
        return [*lines, f"... {hidden} more rows; all are in to_frame()"] if hidden > 0 else lines

    def __repr__(self) -> str:
        lines = [*_wrapped(self.summary()), "", *self.table_lines()]
        if any(row.exaggeration is not None for row in self.rows):
            lines += ["", *_wrapped(str(_words().overstated))]
        return "\n".join(lines)


def _words() -> Any:
    return text_environment().get_template("text/power.jinja").module


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False)


def _difference(value: float) -> str:
    return f"{value:.3g}"


def _share(value: float) -> str:
    """Write a probability as p-values are written; 0 where it is 0."""
    return p_value_text(value) if value > 0 else "0"
