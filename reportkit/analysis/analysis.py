"""What a user holds after comparing: numbers as frames, tables as LaTeX or Markdown, figures, a report."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pandas as pd

from reportkit.analysis.claims import Questions
from reportkit.analysis.report import BuiltReport
from reportkit.appearance.appearance import Appearance, AppearanceOptions, Length
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import with_options
from reportkit.replicability.family import discovered
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.build import build
from reportkit.report.model import SHOWN, Report, Table
from reportkit.report.text.across_wording import across_datasets
from reportkit.report.text.wording import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reportkit.analysis.posteriors import FriedmanResult
    from reportkit.evidence.asked import Evidence
    from reportkit.figures.drawing.style import Span
    from reportkit.rendering.numbers.number_text import TextFormat
    from reportkit.rendering.paper.paper_update import PaperUpdate
    from reportkit.replicability.friedman import FollowUp
    from reportkit.scores.results import Results


@dataclass(frozen=True, eq=False)
class Analysis(Questions):
    """Comparisons of systems over datasets: how many datasets, and which.

    Parameters
    ----------
    data : ReplicabilityAnalysis
        Everything that was computed.
    appearance : Appearance
        How tables, text and figures are set; see `styled`.
    results : Results or None
        The scores that were compared; None where only printed figures are known.
    evidence : Evidence or None
        Four answers to each claim, and effect sizes, where the settings ask for them.

    Examples
    --------
    >>> import pandas as pd, reportkit
    >>> frame = pd.DataFrame(
    ...     {
    ...         "system": ["new"] * 20 + ["old"] * 20,
    ...         "dataset": (["easy"] * 10 + ["hard"] * 10) * 2,
    ...         "instance": list(range(20)) * 2,
    ...         "score": [1] * 10 + [1] * 5 + [0] * 5 + [0] * 8 + [1] * 2 + [1] * 4 + [0] * 6,
    ...     }
    ... )
    >>> a = frame.replic.compare("new", "old", alpha=0.05)
    >>> a.k_hat
           count  bonferroni fisher  recommended
    alpha
    0.05       1           1   <NA>            1
    >>> a.discoveries(["easy"])
    1
    """

    data: ReplicabilityAnalysis
    appearance: Appearance = field(default_factory=Appearance)
    results: Results | None = field(default=None, repr=False)
    evidence: Evidence | None = None

    @with_options(AppearanceOptions, Appearance)
    def styled(self, **changes: Unpack[AppearanceOptions]) -> Analysis:
        """Copy that is set in another way, with the same numbers.

        Raises
        ------
        UnknownNameError, SettingsError
            If a field or its value is not known.

        Examples
        --------
        `a.styled(venue="acl", marks="daggers").to_latex()`
        """
        return dataclasses.replace(self, appearance=self.appearance.replace(**changes))

    @cached_property
    def _model(self) -> Report:
        return build(self.data, self.appearance, self.evidence)

    @property
    def outcomes(self) -> pd.DataFrame:
        """One row per comparison and dataset.

        Columns: dataset, n, score_a, score_b, difference (positive: A is better), ci_low, ci_high, p_value (one-sided
        for A better), test, adjusted_p_value, identified (at the largest alpha, by the correction); with several
        comparisons system_a and system_b come first, and with several metrics metric before them, and
        exploratory, if some are, last.
        """
        alpha = self.data.family.alpha[0]
        rows = []
        for comparison in self.data.family.comparisons:
            identified = comparison.identified(alpha)
            for index, item in enumerate(comparison.assessments):
                rows.append(
                    {
                        "metric": comparison.metric,
                        "system_a": comparison.system_a,
                        "system_b": comparison.system_b,
                        "dataset": item.dataset,
                        "n": item.n,
                        "score_a": item.score_a,
                        "score_b": item.score_b,
                        "difference": item.difference,
                        "ci_low": None if item.interval is None else item.interval.low,
                        "ci_high": None if item.interval is None else item.interval.high,
                        "p_value": item.p_value,
                        "test": item.outcome.test,
                        "adjusted_p_value": float(comparison.adjusted_p_values[index]),
                        "identified": bool(identified[index]),
                        "exploratory": comparison.exploratory,
                    }
                )
        frame = pd.DataFrame(rows).astype({"n": "Int64", "ci_low": "float64", "ci_high": "float64"})
        return frame.drop(columns=self._needless)

    @property
    def k_hat(self) -> pd.DataFrame:
        """Number of datasets per alpha: naive count, and the lower bounds.

        Columns: count (no guarantee), bonferroni, fisher (missing unless the datasets are independent, or if there is
        one), recommended. For independent datasets the last is that of the closed test that names them too, and the
        others stand beside it for comparison: of several bounds only the one fixed in advance has a guarantee.
        Index: alpha; with several comparisons system_a, system_b, alpha; with several metrics metric before them.
        The column exploratory says which, if some are.

        Raises
        ------
        SettingsError
            If the datasets are the sample (`across_datasets`): then none of them is counted.
        """
        _refuse_across(self.data, "k_hat")
        rows = [
            {
                "metric": comparison.metric,
                "system_a": comparison.system_a,
                "system_b": comparison.system_b,
                "alpha": alpha,
                "count": k.count,
                "bonferroni": k.bonferroni,
                "fisher": k.fisher,
                "recommended": k.recommended,
                "exploratory": comparison.exploratory,
            }
            for comparison in self.data.family.comparisons
            for alpha, k in comparison.k_hat.items()
        ]
        frame = pd.DataFrame(rows).astype({"fisher": "Int64"})
        return frame.drop(columns=self._needless).set_index([*self._keys, "alpha"])

    @property
    def _keys(self) -> list[str]:
        """What tells the comparisons apart."""
        family = self.data.family
        metrics = ["metric"] if family.several_metrics else []
        return metrics + (["system_a", "system_b"] if len(family.pairs) > 1 else [])

    @property
    def _needless(self) -> list[str]:
        """Columns that would say the same in every row."""
        exploratory = any(item.exploratory for item in self.data.family.comparisons)
        kept = self._keys + (["exploratory"] if exploratory else [])
        return [name for name in ("metric", "system_a", "system_b", "exploratory") if name not in kept]

    def discoveries(
        self, datasets: Sequence[str], *, alpha: float | None = None, method: str | None = None
    ) -> int | pd.Series[int]:
        """Lower bound for the number of these datasets on which the claim is true.

        Holds for all subsets at once, so that the subset may be chosen after looking at the results (closed testing;
        Goeman and Solari 2011).

        Parameters
        ----------
        datasets : sequence of str
            Names of datasets.
        alpha : float, optional
            One of the levels of the analysis; the largest by default.
        method : {"bonferroni", "fisher", "fisher-bonferroni", "simes"}, optional
            Local tests; by default those behind the recommended k-hat.

        Returns
        -------
        int, or Series of int by (system_a, system_b) if there are several comparisons, and by metric if there are
        several
        """
        _refuse_across(self.data, "discoveries")
        if isinstance(datasets, str):
            datasets = [datasets]
        family = self.data.family
        level = family.alpha[0] if alpha is None else alpha
        names = self._keys
        if not names:
            return discovered(family.comparisons[0], datasets, level, family.audit, method)
        rows = [
            {
                **{name: getattr(item, name) for name in names},
                "bound": discovered(item, datasets, level, family.audit, method),
            }
            for item in family.comparisons
        ]
        series: pd.Series[int] = pd.DataFrame(rows).set_index(names)["bound"].astype("int64").rename(None)
        return series

    def friedman(self, follow_up: FollowUp = "sign-flip", alpha: float | None = None) -> FriedmanResult:
        """Test whether the systems differ on a typical dataset, from their mean scores by dataset.

        Friedman's test with the correction of Iman and Davenport, then all pairs over the datasets, adjusted by Holm's
        procedure. It answers another question than k-hat: not on how many of these datasets, and not on which.

        Parameters
        ----------
        follow_up : {"sign-flip", "wilcoxon"}
            Test of the pairs.
        alpha : float, optional
            Level of the pairs; the largest of the analysis by default.

        Raises
        ------
        DesignError
            If there are fewer than three systems or two datasets, or if a system lacks a dataset.
        """
        from reportkit.analysis.posteriors import FriedmanResult
        from reportkit.replicability.score_matrix import friedman_of

        return FriedmanResult(friedman_of(self.data.parts[0], follow_up=follow_up, alpha=alpha))

    def report(self) -> BuiltReport:
        """Lay out the report."""
        return BuiltReport(self._model)

    def table(self, name: str = "results") -> Table:
        """One table of the report, without a format: "results", "replicability", "p-values" or "reproduction"."""
        tables = {table.name: table for table in self._model.tables}
        if name not in tables:
            raise UnknownNameError("table", name, tables)
        return tables[name]

    def to_latex(self, name: str = "results") -> str:
        """One table as LaTeX; needs only booktabs."""
        from reportkit.rendering.latex.latex import latex_table

        return latex_table(self.table(name), self._model.signature, appearance=self.appearance)

    def to_markdown(self, name: str = "results") -> str:
        """One table as Markdown."""
        from reportkit.rendering.markdown.markdown import markdown_table

        return markdown_table(self.table(name), flavour=self.appearance.markdown)

    def to_json(self, name: str = "results") -> str:
        """One table as JSON, with numbers beside their text; see docs/table-json.md."""
        from reportkit.rendering.table_json import json_table

        return json_table(self.table(name), self._model.signature)

    def to_html(self, name: str = "results") -> str:
        """One table as HTML."""
        from reportkit.rendering.html.html import html_table

        return html_table(self.table(name))

    def figure(self, name: str = "forest", *, width: float | Span | None = None, **appearance: Any) -> Figure:
        """One figure, as a matplotlib figure.

        Parameters
        ----------
        name : str
            Of the report: "forest", "partial-conjunction", "k-hat-matrix". Or on request, too: "p-values", with the
            thresholds of Holm's procedure; "all-pairs", the matrix of all pairs; "critical-difference", average ranks
            with the groups that are not told apart.
        width : float or {"column", "text"}, optional
            TeX points, or that of a column or of the text of the venue; by default what suits the figure.
        **appearance
            Fields of `Appearance` such as venue and labels, for this figure only.

        Raises
        ------
        UnknownNameError
            If there is no such figure, or no such field; the message lists the figures.
        DesignError
            If the analysis does not allow the figure.

        Examples
        --------
        `a.figure("forest", venue="neurips")`
        """
        from reportkit.report.requested_figures import REQUESTED, requested_figure

        styled = self.styled(**appearance) if appearance else self
        if name in REQUESTED:
            return requested_figure(styled.data, styled.appearance, name).draw(width)
        figures = {figure.name: figure for figure in styled._model.figures}
        if name not in figures:
            raise UnknownNameError("figure", name, dict.fromkeys([*figures, *REQUESTED]))
        return figures[name].draw(width)

    def save(self, path: str | Path, name: str = "results") -> Path:
        """Write one table to a file, in the format of its ending: .tex, .md, .html, .json or .csv.

        Every format holds the table as it is printed, but for `.csv` of "results": that is `outcomes`, one row per
        comparison and dataset with unrounded numbers. The printed one is `tables/results.csv` of a report.

        Raises
        ------
        SettingsError
            If the ending is none of these.
        UnknownNameError
            If there is no such table.
        """
        target = Path(path)
        formats = {".tex": self.to_latex, ".md": self.to_markdown, ".html": self.to_html, ".json": self.to_json}
        if target.suffix == ".csv" and name == "results":
            content = self.outcomes.to_csv(index=False, lineterminator="\n")
        elif target.suffix == ".csv":
            from reportkit.rendering.plain import csv_table

            content = csv_table(self.table(name))
        elif target.suffix in formats:
            content = formats[target.suffix](name)
        else:
            raise SettingsError(
                f"a table cannot be written as {target.suffix or 'a file without ending'!r}",
                where=str(target),
                remedy=f"use one of {', '.join([*formats, '.csv'])}",
            )
        target.write_bytes((content.rstrip("\n") + "\n").encode("utf-8", "backslashreplace"))
        return target

    def update(
        self,
        paper: str | Path,
        *,
        label: str | None = None,
        table: str = "results",
        keep_caption: bool = False,
        dry_run: bool = False,
    ) -> PaperUpdate:
        """Put a table of the report into a paper, in the place of the one with a label; see `reportkit.update`.

        Examples
        --------
        `a.update("paper.tex", label="tab:main", dry_run=True)` shows what would change.
        """
        return self.report().update(
            paper, labels=None if label is None else {label: table}, keep_caption=keep_caption, dry_run=dry_run
        )

    def text(self, template: str, *, format: TextFormat = "plain") -> str:  # noqa: A002
        r"""Fill numbers of the report into a sentence.

        Parameters
        ----------
        template : str
            Words with fields: `{k_hat}`, `{n_datasets}`, `{identified}`, `{alpha}`, `{score:sst2/ours}`, `{p:sst2}`, or
            any key of `rknumbers.tex`. What there is only one of need not be named.
        format : {"plain", "latex", "markdown"}
            How values are written and escaped; the words stay as they are.

        Raises
        ------
        UnknownNameError
            If there is no such field; the nearest are said.
        SettingsError
            If a field may be any of several numbers.

        Examples
        --------
        `a.text("{k_hat} of {n_datasets} at level {alpha}")` is "3 of 4 at level .05".
        """
        from reportkit.rendering.numbers.number_text import comparisons_in, filled
        from reportkit.report.build import all_numbers

        return filled(template, all_numbers(self.data, self.appearance, comparisons_in(template)), format)

    def summary(self) -> str:
        """Return k-hat in words."""
        return "\n".join(self._model.summary)

    def paragraph(self, length: Length | None = None) -> str:
        """Return the recommended-practice paragraph as plain text.

        Parameters
        ----------
        length : {"short", "standard", "full"}, optional
            By default that of the appearance. `short`: three or four sentences for a section of results; `full`: with
            every assumption, mismatch and limit, for an appendix.

        Raises
        ------
        UnknownNameError
            If there is no such length.
        """
        from reportkit.report.build import sign
        from reportkit.report.score_format import scale_for
        from reportkit.report.shown_analysis import dressed
        from reportkit.report.text.paragraph import recommended_paragraph

        wanted = self.appearance if length is None else self.appearance.replace(length=length)
        data, _ = dressed(self.data, wanted)
        scale = scale_for(item for comparison in data.family.comparisons for item in comparison.assessments)
        return plain(recommended_paragraph(data, scale, wanted.length, sign(self.data)))

    def __repr__(self) -> str:
        return self.summary()

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from reportkit.rendering.html.notebook import mimebundle, table_formats

        formats = table_formats(self._model.tables[0], self.appearance)
        return mimebundle({**formats, "text/plain": self.__repr__}, include, exclude)

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_(["text/html"])["text/html"]

    def _repr_latex_(self) -> str:
        return self._repr_mimebundle_(["text/latex"])["text/latex"]

    def _repr_markdown_(self) -> str:
        return self._repr_mimebundle_(["text/markdown"])["text/markdown"]


def _table_formats(table: Table) -> dict[str, Callable[[], str]]:
    from reportkit.rendering.html.notebook import table_formats

    return table_formats(table)


SHOWN["table"] = _table_formats


def _refuse_across(data: ReplicabilityAnalysis, name: str) -> None:
    if across_datasets(data.family):
        raise SettingsError(
            f"{name} counts datasets, and with across_datasets the datasets are the sample: none of them is tested",
            where=data.family.datasets[0],
            remedy="see outcomes, summary() and paragraph(); or give the scores of instances, without across_datasets",
        )
