"""The result of a comparison: numbers as frames, tables as LaTeX or Markdown, figures, a report."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import pandas as pd

from reportkit.analysis.presentation import Styled
from reportkit.analysis.questions import Questions
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance, Length
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.replicability.comparison import Comparison, discovered, samples_of
from reportkit.replicability.replicability_analysis import OUTCOME_COLUMNS, ReplicabilityAnalysis
from reportkit.report.assemble import REQUESTED_TABLES, assemble, paragraph, requested_table
from reportkit.report.beyond import evidence_facts
from reportkit.report.facts import Facts
from reportkit.report.gather import gather
from reportkit.report.labels import as_printed
from reportkit.report.model import Figure, Report, Table
from reportkit.report.pictures import REQUESTED, requested_figure
from reportkit.report.tokens import plain
from reportkit.report.wording import Wording
from reportkit.significance.assess import interval_for
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.decision_intervals import simultaneous_level
from reportkit.significance.outcome import Interval

if TYPE_CHECKING:
    from reportkit.analysis.power import PowerResult
    from reportkit.bayes.evidence.claims import Evidence
    from reportkit.scores.scores import Results


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Analysis(Styled, Questions):
    """Comparisons of systems over datasets: how many datasets, and which.

    Its frames are of the library that the scores came in: pandas, polars or pyarrow.

    `analysis["new", "old"]` is the comparison of two systems, `analysis["new"]` all outcomes of one.

    Parameters
    ----------
    appearance : Appearance
        How tables, text and figures are set; see `styled`.
    results : Results or None
        The scores that were compared; None where only printed figures are known.
    evidence : Evidence or None
        Four answers to each claim, where the settings ask for them.
    library : {"pandas", "polars", "pyarrow"}
        What the frames that a user asks for are made of: the library that the scores came in.

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

    appearance: Appearance = DEFAULT_APPEARANCE
    results: Results | None = field(default=None, repr=False)
    evidence: Evidence | None = None
    library: str = "pandas"

    further_tables = REQUESTED_TABLES
    further_figures = REQUESTED

    def __dir__(self) -> list[str]:
        return list(_PUBLIC)

    @overload
    def __getitem__(self, key: str) -> pd.DataFrame: ...
    @overload
    def __getitem__(self, key: tuple[str, ...]) -> Comparison: ...
    def __getitem__(self, key: tuple[str, ...] | str) -> Comparison | pd.DataFrame:
        """Return all outcomes of one system, or one comparison: of (better, worse), or (better, worse, metric).

        Raises
        ------
        UnknownNameError
            If there is no such system or comparison.
        SettingsError
            If no metric is named, and there are several.
        """
        if isinstance(key, str):
            own = self.frame[["system_a", "system_b"]].isin([key]).any(axis=1)
            if not own.any():
                raise UnknownNameError("system", key, dict.fromkeys((*self.systems_a, *self.systems_b)))
            return self.given(self.frame.loc[own, OUTCOME_COLUMNS].reset_index(drop=True).infer_objects())
        return self.comparison(*key)

    def given(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame in the library that the scores came in; names of its index become columns there."""
        if self.library == "pandas":
            return frame
        import pyarrow

        rows = frame if frame.index.names == [None] else frame.reset_index()
        table = pyarrow.Table.from_pandas(rows, preserve_index=False).replace_schema_metadata()
        given: Any = importlib.import_module("polars").from_arrow(table) if self.library == "polars" else table
        return given  # type: ignore[no-any-return] # of polars or pyarrow; for a checker, what most have

    @property
    def outcomes(self) -> pd.DataFrame:
        """Return one row per comparison and dataset.

        Columns: dataset, n, score_a, score_b, difference (positive: A is better), ci_low, ci_high, p_value (one-sided
        for A better), test, adjusted_p_value, identified (at the largest alpha, by the correction); with several
        comparisons system_a and system_b come first, and with several metrics metric before them, and
        exploratory, if some are, last.
        """
        frame = self.frame[OUTCOME_COLUMNS].drop(columns=self._needless).reset_index(drop=True).infer_objects()
        return self.given(frame)

    @property
    def k_hat(self) -> pd.DataFrame:
        """Return the number of datasets per alpha: naive count, and the lower bounds.

        Columns: count (no guarantee), bonferroni, fisher (missing unless the datasets are independent, or if there is
        one), recommended. For independent datasets the last is that of the closed test that names them too, and the
        others are next to it for comparison: of several bounds only the one fixed in advance has a guarantee.
        Index: alpha; with several comparisons system_a, system_b, alpha; with several metrics metric before them.
        The column exploratory says which, if some are.

        Raises
        ------
        SettingsError
            If the datasets are the sample (`across_datasets`): then none of them is counted.
        """
        _refuse_across(self, "k_hat")
        numbers = ["count", "bonferroni", "fisher", "recommended"]
        frame = self.counts[["metric", "system_a", "system_b", "alpha", *numbers, "exploratory"]].infer_objects()
        return self.given(frame.drop(columns=self._needless).set_index([*self._keys, "alpha"]))

    @property
    def _keys(self) -> list[str]:
        """Return the columns that tell the comparisons apart."""
        metrics = ["metric"] if len(self.metrics) > 1 else []
        return metrics + (["system_a", "system_b"] if len(self.pairs) > 1 else [])

    @property
    def _needless(self) -> list[str]:
        """Return the columns that would say the same in every row."""
        exploratory = self.frame["exploratory"].any()
        kept = self._keys + (["exploratory"] if exploratory else [])
        return [name for name in ("metric", "system_a", "system_b", "exploratory") if name not in kept]

    @property
    def verdict(self) -> str:
        """Return the result in one sentence."""
        return self._model.summary[0]

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
        wanted = self.appearance if length is None else self.appearance.replace(length=length)
        facts = as_printed(self._facts, wanted)
        return plain(paragraph(Wording(facts), wanted.length), wanted.plain_labels)

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """Return the numbers, `outcomes`; or, by its name, a table as it is printed."""
        return self.outcomes if name is None else self.given(super().to_frame(name))

    # report ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _facts(self) -> Facts:
        return gather(self, evidence_facts(self.evidence))

    def _lay_out(self) -> Report:
        return assemble(self._facts, self.appearance)

    def _table(self, name: str | None) -> Table | None:
        found = super()._table(name)
        return found if found is not None or name is None else requested_table(self._facts, self.appearance, name)

    def _figure(self, name: str | None) -> Figure:
        if name is None or name not in REQUESTED or name in self.figures:
            return super()._figure(name)
        return requested_figure(self._facts, self.appearance, name, self.parts[0])

    # questions ------------------------------------------------------------------------------------------------------

    def discoveries(self, datasets: Sequence[str], *, alpha: float | None = None) -> int | pd.Series[int]:
        """Return on how many of these datasets the claim is true, at least.

        Holds for all subsets at once, so that the subset may be chosen after looking at the results (closed testing;
        Goeman and Solari 2011).

        Parameters
        ----------
        datasets : sequence of str
            Names of datasets.
        alpha : float, optional
            One of the levels of the analysis; the largest by default.

        Returns
        -------
        int, or Series of int by (system_a, system_b) if there are several comparisons, and by metric if there are
        several
        """
        _refuse_across(self, "discoveries")
        chosen, level = [datasets] if isinstance(datasets, str) else datasets, self.alpha[0] if alpha is None else alpha
        bounds = [discovered(item, chosen, level) for item in self.comparisons]
        if not self._keys:
            return bounds[0]
        keys = pd.MultiIndex.from_tuples(
            [tuple(getattr(item, name) for name in self._keys) for item in self.comparisons], names=self._keys
        )
        return pd.Series(bounds, index=keys, dtype="int64")

    def power(self, system_a: str | None = None, system_b: str | None = None, **options: Any) -> PowerResult:
        """Plan more instances from these scores: the smallest difference that they show, or see `reportkit.power`.

        Parameters
        ----------
        system_a, system_b : str, optional
            Which of several comparisons.
        **options
            As for `reportkit.power`: `effect=0.01, power=0.8` for the instances that it takes.
        """
        from reportkit.analysis.plan import power

        if system_a is None and len(self.pairs) == 1:
            system_a, system_b = self.pairs[0]
        return power(self.results, system_a, system_b, **{"settings": self.settings, "alpha": self.alpha[0], **options})

    def interval(
        self,
        system_a: str | None = None,
        system_b: str | None = None,
        dataset: str | None = None,
        *,
        confidence_level: float | None = None,
        simultaneous: bool = False,
    ) -> pd.DataFrame:
        """Return the confidence intervals of the differences, each by the method that belongs to its test.

        An interval at level L excludes 0 exactly where a one-sided p-value of its test, not adjusted, is at most
        (1 - L) / 2. With `simultaneous`, that is where Bonferroni's correction for testing both directions on all
        datasets rejects; Holm's procedure may reject on further datasets.

        Parameters
        ----------
        system_a, system_b, dataset : str, optional
            The comparisons of these systems only, and this dataset only; default all.
        confidence_level : float, optional
            In (0, 1); by default 1 minus the largest level of the analysis.
        simultaneous : bool
            Whether all intervals of a comparison are to hold at once with this confidence, whatever the dependence
            between the datasets (Bonferroni over its datasets); else each holds by itself.

        Returns
        -------
        DataFrame
            One row per comparison and dataset, named as in `outcomes`. Columns: dataset, difference (positive: A is
            better), low, high (missing where the data hold no information on the variance, where they are too few to
            bound the difference at this level, and for tests that are not about the mean), level (of the single
            interval), method.

        Raises
        ------
        UnknownNameError
            If there is no such comparison or dataset.
        SettingsError
            If only printed figures are known, or the level makes no sense.
        """
        if self.results is None:
            raise SettingsError(
                "only printed figures are known, not the scores of instances",
                remedy="give the scores of instances to get intervals",
            )
        if dataset is not None and dataset not in self.datasets:
            raise UnknownNameError("dataset", dataset, self.datasets)
        pairs = [pair for pair in self.pairs if system_a in (None, pair[0]) and system_b in (None, pair[1])]
        if not pairs:
            asked = " > ".join(name or "any system" for name in (system_a, system_b))
            raise UnknownNameError("comparison", asked, [" > ".join(pair) for pair in self.pairs])
        wanted, rows = 1 - self.alpha[0] if confidence_level is None else confidence_level, []
        for one in self.comparisons:
            level = simultaneous_level(wanted, one.n_datasets if simultaneous else 1)
            for index, item in enumerate(one.assessments):
                if (one.system_a, one.system_b) in pairs and dataset in (None, item.dataset):
                    found = self._interval_at(one, index, level)
                    values = (None, None, None, "") if found is None else (found.low, found.high, level, found.title)
                    about = (one.metric, one.system_a, one.system_b, item.dataset, item.score_difference)
                    rows.append((*about, *values))
        columns = ["metric", "system_a", "system_b", "dataset", "difference", "low", "high", "level", "method"]
        frame = pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[4:8], "float64"))
        return self.given(frame.drop(columns=self._needless, errors="ignore"))

    def _interval_at(self, comparison: Comparison, index: int, confidence_level: float) -> Interval | None:
        """Return the interval that belongs to the test, from the scores."""
        if self.results is None:
            return None
        outcome = comparison.assessments[index]
        names = (comparison.system_a, comparison.system_b, comparison.metric)
        (sample,) = samples_of(self.results, *names, self.settings, outcome.dataset)
        return interval_for(SIGNIFICANCE_TESTS[outcome.test], sample, outcome, confidence_level, self.settings.rng)


_PUBLIC = (
    *("assess", "bayes_factor", "discoveries", "figure", "figures", "findings", "hierarchical", "interval"),
    *("k_hat", "outcomes", "paragraph", "posterior", "power", "report", "save", "styled", "table"),
    *("tables", "to_frame", "to_html", "to_latex", "to_markdown", "verdict"),
)
"""Names that completion shows; the other fields hold what was computed."""


def _refuse_across(data: ReplicabilityAnalysis, name: str) -> None:
    if data.across_datasets:
        raise SettingsError(
            f"{name} counts datasets, and with across_datasets the datasets are the sample: none is tested alone",
            where=data.datasets[0],
            remedy="see outcomes, summary() and paragraph(); or give the scores of instances, without across_datasets",
        )
