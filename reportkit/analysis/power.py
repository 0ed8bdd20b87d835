"""The plan of a comparison, as a user holds it: power, sample sizes and minimum detectable effects."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from reportkit._version import __version__
from reportkit.analysis.presentation import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance, plain_label
from reportkit.language import counted, level_text, p_value_text
from reportkit.power_analysis.plan import KHatPower, PlannedDataset, Question
from reportkit.report.facts import VERSION
from reportkit.report.model import Align, Column, Paragraph, Report, Section, Signature
from reportkit.report.wording import table_of, text_environment
from reportkit.settings import ClaimAlternative

DEFAULT_POWER = 0.8
WIDTH = 80
"""Columns of a terminal."""

_COLUMNS = (*("dataset", "disagreement", "discordant", "n", "effect", "power", "type_s", "exaggeration", "in_family"),)

_SELDOM = 1e-3
"""The table has a column of wrong signs only if some are at least this frequent."""


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
        Seed of the simulation of k-hat.
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
        plan, words, title = self._plan(), _words(), _words().titles[self.question]
        heads = {**words.heads, "in_family": f"{words.heads[self.question].capitalize()} at α/{self.n_datasets}"}
        sides: dict[str, Align] = {"dataset": "left", "disagreement": "left"}
        columns = [Column(header=heads[name], align=sides.get(name, "right")) for name in plan["columns"]]
        rows = [[row[name] or "–" for name in plan["columns"]] for row in plan["shown"]]
        said = {"power": words.caption(plan), "power_legend": words.legend(plan)}
        table = table_of("power", rows, said.__getitem__, columns=columns)
        fields = {
            "plan": self.question,
            "alt": plan["sided"],
            "alpha": plan["level"],
            "datasets": f"{self.n_datasets},{'independent' if self.independent else 'any'}",
            **({} if self.k_hat is None else {"seed": str(self.seed)}),
        }
        numbers = json.loads(self.to_frame().to_json(orient="records", double_precision=15))
        return Report(
            title=title,
            sections=(Section(title=title, blocks=(Paragraph(content=self.summary()), table)),),
            signature=Signature(version=__version__, source=self.source, digest=self.digest, fields=fields),
            findings=(),
            data={"version": VERSION, "reportkit_version": __version__, "kind": "power", "power": numbers},
            summary=(self.summary(),),
            appearance=self.appearance,
        )

    def _plan(self) -> dict[str, Any]:
        """Return the plan as text, for the template."""
        labels = {name: plain_label(label) for name, label in self.appearance.labels.items()}
        named = [replace(row, dataset=labels.get(row.dataset, row.dataset)) for row in self.rows]
        texts = [self._texts(row) for row in named]
        order = sorted(range(len(named)), key=lambda place: getattr(named[place], self.question) or 0)
        several = self.n_datasets > 1
        alike = several and len({replace(row, dataset="") for row in named}) == 1
        frequent = any((row.type_s or 0) >= _SELDOM for row in named)
        kept = {"dataset": several, "type_s": frequent, "in_family": several}
        kept |= {name: any(row[name] for row in texts) for name in ("disagreement", "discordant")}
        return {
            "question": self.question,
            "several": len({row.dataset for row in named}) > 1,
            "rows": texts,
            "ordered": [texts[place] for place in order if named[place].effect != 0],
            "shown": [{**texts[0], "dataset": "each"}] if alike else texts,
            "columns": [name for name in _COLUMNS if kept.get(name, True)],
            "level": level_text(self.alpha),
            "level_in_family": f"{self.alpha / self.n_datasets:.3g}".removeprefix("0"),
            "sided": "one-sided" if self.alternative == "greater" else "two-sided",
            "n_datasets": self.n_datasets,
            "k_hat": None if self.k_hat is None else self._k_hat(self.k_hat),
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
        write = {"n": lambda x: f"{int(x):,}", "effect": lambda x: f"{x:.3g}", "power": _share}[self.question]
        planned = row.effect != 0
        return {
            "dataset": row.dataset,
            "disagreement": row.disagreement,
            "discordant": "" if row.discordant is None else f"{row.discordant:.1%}",
            "n": f"{row.n:,}",
            "instances": counted(row.n, "instance"),
            "effect": "none" if row.effect is None else f"{row.effect:.3g}",
            "power": _share(row.power) if planned else "",
            "type_s": "" if row.type_s is None else _share(row.type_s),
            "exaggeration": "" if row.exaggeration is None else f"{row.exaggeration:.2f}x",
            "in_family": "" if not planned else "none" if row.in_family is None else write(row.in_family),
        }

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """Return one row per dataset, or per supposition on how often two systems disagree; or, by its name, the table.

        Columns: dataset, disagreement (where they differ), n, effect, power, then the answer at level alpha / N
        (n_in_family, effect_in_family or power_in_family), discordant, type_s, exaggeration. What does not exist is
        missing.
        """
        if name is not None:
            return super().to_frame(name)
        numbers = ("effect", "power", "in_family", "discordant", "type_s", "exaggeration")
        frame = pd.DataFrame(list(map(asdict, self.rows))).astype(dict.fromkeys(numbers, "Float64"))
        if self.question == "n":
            frame["in_family"] = frame["in_family"].astype("Int64")
        idle = [key for key in ("dataset", "disagreement") if not frame[key].astype(bool).any()]
        idle += ["discordant"] if frame["discordant"].isna().all() else []
        order = ["dataset", "disagreement", "n", *numbers]
        return frame[order].drop(columns=idle).rename(columns={"in_family": f"{self.question}_in_family"})

    def summary(self) -> str:
        """Return the answer in a few sentences."""
        return str(_words().summary(self._plan()))

    def __repr__(self) -> str:
        from reportkit.rendering.exports import plain_table

        lines = [_wrapped(self.summary()), "", plain_table(self.table())]
        if any(row.exaggeration is not None for row in self.rows):
            lines += ["", _wrapped(str(_words().overstated))]
        return "\n".join(lines)


def _words() -> Any:
    return text_environment().get_template("text/power.jinja").module


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False)


def _share(value: float) -> str:
    """Write a probability as p-values are written; 0 where it is 0."""
    return p_value_text(value) if value > 0 else "0"
