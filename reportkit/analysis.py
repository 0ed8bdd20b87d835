"""What a user holds after comparing: numbers as frames, tables as LaTeX or Markdown, figures, a report."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.appearance import Appearance
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.family import discovered
from reportkit.report.across_wording import across_datasets
from reportkit.report.build import build
from reportkit.report.friedman_section import friedman_words
from reportkit.report.model import Report, Table
from reportkit.report.wording import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reportkit.replicability.friedman import FollowUp, FriedmanOutcome
    from reportkit.results.results import Results


@dataclass(frozen=True, eq=False)
class BuiltReport:
    """A report, ready to be shown or saved.

    Parameters
    ----------
    model : Report
        Its content, without a format.
    """

    model: Report

    def save(self, folder: str | Path, *, templates: Sequence[str | Path] = ()) -> tuple[Path, ...]:
        """Write LaTeX, Markdown, JSON, CSV and figures to a folder.

        Everything is rendered before the first file is replaced: a failure leaves an older report as it was.

        Parameters
        ----------
        folder : str or Path
            Made if it is not there. Files of an older report are replaced, other files are left alone.
        templates : sequence of str or Path
            Folders with templates of your own, looked into first.

        Returns
        -------
        tuple of Path
            The files written.

        Raises
        ------
        RenderingError
            If a template fails or the folder cannot be written.
        """
        from reportkit.rendering.write import write_report

        return write_report(self.model, Path(folder), templates=[Path(item) for item in templates])

    def to_latex(self) -> str:
        """Return the whole report as one LaTeX document."""
        from reportkit.rendering.latex import latex_document

        return latex_document(self.model, inline=True)

    def to_markdown(self) -> str:
        """Return the whole report as Markdown."""
        from reportkit.rendering.markdown import markdown_document

        return markdown_document(self.model)

    def to_dict(self) -> dict[str, Any]:
        """Return the content of `report.json`."""
        return dict(self.model.data)

    def __repr__(self) -> str:
        return "\n".join((self.model.title, *self.model.summary))

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_latex_(self) -> str:
        return self.to_latex()


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """Friedman's test with pairwise follow-ups.

    Parameters
    ----------
    data : FriedmanOutcome
        Statistics, p-values, average ranks and pairs.
    """

    data: FriedmanOutcome

    @property
    def average_ranks(self) -> pd.Series[float]:
        """Average rank by system, best first."""
        return pd.Series(dict(self.data.average_ranks), name="average_rank").rename_axis("system")

    def to_frame(self) -> pd.DataFrame:
        """One row per pair, smallest p-value first.

        Columns: system_a, system_b (the better average rank first), mean_difference (positive if A is better),
        rank_difference, p_value (two-sided), adjusted_p_value (Holm), differs.
        """
        rows = [{**dataclasses.asdict(pair), "differs": pair in self.data.differing} for pair in self.data.pairs]
        return pd.DataFrame(rows)

    def critical_difference(self, alpha: float | None = None) -> float:
        """Nemenyi's critical difference of average ranks, a number that depends on the other systems' presence."""
        return self.data.critical_difference(alpha)

    def words(self) -> str:
        """Return the result in words, as the report has it."""
        return plain(friedman_words(self.data))

    def __repr__(self) -> str:
        ranks = "\n".join(f"  {rank:5.2f}  {name}" for name, rank in self.data.average_ranks.items())
        return f"{self.words()}\naverage ranks:\n{ranks}"


@dataclass(frozen=True, eq=False)
class Analysis:
    """Comparisons of systems over datasets: how many datasets, and which.

    Parameters
    ----------
    data : ReplicabilityAnalysis
        Everything that was computed.
    appearance : Appearance
        How tables, text and figures are set; see `styled`.
    results : Results or None
        The scores that were compared; None where only printed figures are known.

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

    def styled(self, **changes: Any) -> Analysis:
        """Copy that is set in another way, with the same numbers.

        Parameters
        ----------
        **changes
            Fields of `Appearance`: venue, marks, bold, cell, rows, average, labels, length, ...

        Raises
        ------
        UnknownNameError, SettingsError
            If a field or its value is not known.

        Examples
        --------
        `a.styled(venue="acl", marks="daggers").to_latex()`
        """
        return dataclasses.replace(self, appearance=self.appearance.replace(**changes))

    @property
    def _model(self) -> Report:
        return build(self.data, self.appearance)

    @property
    def outcomes(self) -> pd.DataFrame:
        """One row per comparison and dataset.

        Columns: dataset, n, score_a, score_b, difference (positive: A is better), ci_low, ci_high, p_value (one-sided
        for A better), test, adjusted_p_value, identified (at the largest alpha, by Holm's procedure); with several
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

        Columns: count (no guarantee), bonferroni, fisher (missing unless the datasets are independent), recommended.
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
        method : {"bonferroni", "fisher", "simes"}, optional
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
        from reportkit.rendering.latex import latex_table

        return latex_table(self.table(name), self._model.signature)

    def to_markdown(self, name: str = "results") -> str:
        """One table as Markdown."""
        from reportkit.rendering.markdown import markdown_table

        return markdown_table(self.table(name))

    def to_html(self, name: str = "results") -> str:
        """One table as HTML."""
        from reportkit.rendering.html import html_table

        return html_table(self.table(name))

    def figure(self, name: str = "forest") -> Figure:
        """One figure of the report, such as "forest" or "partial-conjunction", as a matplotlib figure."""
        figures = {figure.name: figure for figure in self._model.figures}
        if name not in figures:
            raise UnknownNameError("figure", name, figures)
        return figures[name].draw()

    def save(self, path: str | Path, name: str = "results") -> Path:
        """Write one table to a file, in the format of its ending: .tex, .md, .html or .csv.

        Raises
        ------
        SettingsError
            If the ending is none of these.
        """
        target = Path(path)
        formats = {".tex": self.to_latex, ".md": self.to_markdown, ".html": self.to_html}
        if target.suffix == ".csv":
            content = self.outcomes.to_csv(index=False, lineterminator="\n")
        elif target.suffix in formats:
            content = formats[target.suffix](name)
        else:
            raise SettingsError(
                f"a table cannot be written as {target.suffix or 'a file without ending'!r}",
                where=str(target),
                remedy=f"use one of {', '.join([*formats, '.csv'])}",
            )
        target.write_text(content if content.endswith("\n") else content + "\n", encoding="utf-8")
        return target

    def summary(self) -> str:
        """Return k-hat in words."""
        return "\n".join(self._model.summary)

    def paragraph(self) -> str:
        """Return the recommended-practice paragraph as plain text."""
        from reportkit.report.paragraph import recommended_paragraph
        from reportkit.report.scores import scale_for

        scale = scale_for(item for comparison in self.data.family.comparisons for item in comparison.assessments)
        return plain(recommended_paragraph(self.data, scale))

    def __repr__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def _refuse_across(data: ReplicabilityAnalysis, name: str) -> None:
    if across_datasets(data.family):
        raise SettingsError(
            f"{name} counts datasets, and with across_datasets the datasets are the sample: none of them is tested",
            where=data.family.datasets[0],
            remedy="see outcomes, summary() and paragraph(); or give the scores of instances, without across_datasets",
        )
