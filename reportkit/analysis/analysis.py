"""What a user holds after comparing: numbers as frames, tables as LaTeX or Markdown, figures, a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.analysis.claims import Questions
from reportkit.analysis.report import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance, Length
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import discovered
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.assemble import assemble, paragraph, requested_table, signature_of
from reportkit.report.beyond import evidence_facts
from reportkit.report.facts import Facts
from reportkit.report.gather import gather
from reportkit.report.labels import as_printed
from reportkit.report.model import Figure, Report, Signature, Table
from reportkit.report.pictures import REQUESTED, requested_figure
from reportkit.report.tokens import plain
from reportkit.report.wording import Wording
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.interval import Interval

if TYPE_CHECKING:
    from reportkit.analysis.posteriors import FriedmanResult
    from reportkit.analysis.power import PowerResult
    from reportkit.bayes.evidence.asked import Evidence
    from reportkit.replicability.friedman import FollowUp
    from reportkit.scores.results import Results


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Analysis(Styled, Questions):
    """Comparisons of systems over datasets: how many datasets, and which.

    Parameters
    ----------
    appearance : Appearance
        How tables, text and figures are set; see `styled`.
    results : Results or None
        The scores that were compared; None where only printed figures are known.
    evidence : Evidence or None
        Four answers to each claim, where the settings ask for them.

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

    def _interval_at(self, comparison: Comparison, index: int, confidence_level: float) -> Interval | None:
        """Return the interval that belongs to the test, from the scores."""
        from reportkit.replicability.samples import samples_of

        if self.results is None:
            return None
        in_data = {label: name for name, label in self.labels.items()}
        a, b, metric, dataset = (
            in_data.get(name, name)
            for name in (comparison.system_a, comparison.system_b, comparison.metric, comparison.datasets[index])
        )
        outcome = comparison.assessments[index]
        samples = samples_of(self.results, a, b, metric, self.settings, dataset)
        if not samples:
            return None
        (sample,) = samples
        entry = SIGNIFICANCE_TESTS[outcome.test]
        return entry.interval_beside(sample, outcome, confidence_level, self.settings.rng)

    def __dir__(self) -> list[str]:
        return list(_PUBLIC)

    @property
    def verdict(self) -> str:
        """What was found, in one sentence."""
        return self._model.summary[0]

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

    @cached_property
    def _facts(self) -> Facts:
        return gather(self, evidence_facts(self.evidence))

    def interval(
        self,
        system_a: str,
        system_b: str,
        dataset: str,
        *,
        metric: str | None = None,
        confidence_level: float | None = None,
    ) -> Interval | None:
        """Return the confidence interval of one difference, by the method that belongs to its test.

        Parameters
        ----------
        system_a, system_b, dataset : str
            Names of a comparison and of one of its datasets.
        metric : str, optional
            Its name, where there are several.
        confidence_level : float, optional
            By default 1 minus the largest level of the analysis.

        Returns
        -------
        Interval or None
            None if none belongs to the test, or the data allow none.

        Raises
        ------
        UnknownNameError
            If there is no such comparison, or the dataset is none of its.
        SettingsError
            If only printed figures are known, or no metric is named and there are several.
        """
        comparison = self[(system_a, system_b) if metric is None else (system_a, system_b, metric)]
        if dataset not in comparison.datasets:
            raise UnknownNameError("dataset", dataset, comparison.datasets)
        if self.results is None:
            raise SettingsError(
                "only printed figures are known, not the scores of instances",
                remedy="give the scores of instances to get intervals",
            )
        level = 1 - self.alpha[0] if confidence_level is None else confidence_level
        return self._interval_at(comparison, comparison.datasets.index(dataset), level)

    def _lay_out(self) -> Report:
        return assemble(self._facts, self.appearance)

    @property
    def _signature(self) -> Signature:
        return signature_of(self._facts)

    def _table(self, name: str | None) -> Table | None:
        found = super()._table(name)
        return found if found is not None or name is None else requested_table(self._facts, self.appearance, name)

    @property
    def outcomes(self) -> pd.DataFrame:
        """One row per comparison and dataset.

        Columns: dataset, n, score_a, score_b, difference (positive: A is better), ci_low, ci_high, p_value (one-sided
        for A better), test, adjusted_p_value, identified (at the largest alpha, by the correction); with several
        comparisons system_a and system_b come first, and with several metrics metric before them, and
        exploratory, if some are, last.
        """
        return self.frame[_OUTCOME_COLUMNS].drop(columns=self._needless).reset_index(drop=True).infer_objects()

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
        _refuse_across(self, "k_hat")
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
            for comparison in self.comparisons
            for alpha, k in comparison.k_hat.items()
        ]
        frame = pd.DataFrame(rows).astype({"fisher": "Int64"})
        return frame.drop(columns=self._needless).set_index([*self._keys, "alpha"])

    @property
    def _keys(self) -> list[str]:
        """Return the columns that tell the comparisons apart."""
        metrics = ["metric"] if self.several_metrics else []
        return metrics + (["system_a", "system_b"] if len(self.pairs) > 1 else [])

    @property
    def _needless(self) -> list[str]:
        """Columns that would say the same in every row."""
        exploratory = any(item.exploratory for item in self.comparisons)
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
        method : {"bonferroni", "fisher", "fisher-bonferroni"}, optional
            Local tests; by default those behind the recommended k-hat.

        Returns
        -------
        int, or Series of int by (system_a, system_b) if there are several comparisons, and by metric if there are
        several
        """
        _refuse_across(self, "discoveries")
        if isinstance(datasets, str):
            datasets = [datasets]
        level = self.alpha[0] if alpha is None else alpha
        names = self._keys
        if not names:
            return discovered(self.comparisons[0], datasets, level, self.audit, method)
        rows = [
            {
                **{name: getattr(item, name) for name in names},
                "bound": discovered(item, datasets, level, self.audit, method),
            }
            for item in self.comparisons
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

        outcome = friedman_of(self.parts[0], follow_up=follow_up, alpha=alpha)
        return FriedmanResult(outcome, self, self.appearance)

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """The numbers: `outcomes`; or, by its name, a table as it is printed."""
        return self.outcomes if name is None else super().to_frame(name)

    def _figure(self, name: str | None, system_a: str | None, system_b: str | None) -> Figure:
        if name is None or name not in REQUESTED or name in self.figures or system_a or system_b:
            return super()._figure(name, system_a, system_b)
        return requested_figure(self._facts, self.appearance, name, self.parts[0])

    @property
    def _known_tables(self) -> tuple[str, ...]:
        further = (name for name in ("replicability", "pairs", "p-values") if self._table(name) is not None)
        return tuple(dict.fromkeys((*self.tables, *further)))

    @property
    def _known_figures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.figures, *REQUESTED)))

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


_PUBLIC = (
    *("assess", "bayes_factor", "discoveries", "figure", "figures", "findings", "friedman", "hierarchical", "interval"),
    *("intervals", "k_hat", "outcomes", "paragraph", "posterior", "power", "report", "save", "styled", "table"),
    *("tables", "to_frame", "to_html", "to_latex", "to_markdown", "verdict"),
)
"""What completion shows: what a user asks for. The fields hold what was computed."""

_OUTCOME_COLUMNS = [
    *("metric", "system_a", "system_b", "dataset", "n", "score_a", "score_b", "difference", "ci_low", "ci_high"),
    *("p_value", "test", "adjusted_p_value", "identified", "exploratory"),
]


def _refuse_across(data: ReplicabilityAnalysis, name: str) -> None:
    if data.across_datasets:
        raise SettingsError(
            f"{name} counts datasets, and with across_datasets the datasets are the sample: none is tested alone",
            where=data.datasets[0],
            remedy="see outcomes, summary() and paragraph(); or give the scores of instances, without across_datasets",
        )
