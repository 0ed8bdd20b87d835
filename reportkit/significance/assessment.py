"""One dataset, assessed: the scores of two systems, the test that was chosen and why, what it found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from reportkit.finding import Finding
from reportkit.intervals.interval import Interval
from reportkit.language.short_repr import short_repr
from reportkit.scores.shapes.sample import Details, Shape
from reportkit.significance.outcome import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """Everything a table row needs to know about A against B on one dataset.

    Parameters
    ----------
    dataset, metric : str
        Names.
    kind : str
        Kind of scores: "binary", "continuous", "ordinal", "count", or "printed" where only a paper's figures are known.
    shape : str
        What there was of each system; see `reportkit.scores.shapes.sample`.
    unit : str
        Noun for one of the `n`: "instance", "run", "fold", ...
    n : int or None
        Instances (runs, folds) compared; None if a paper does not print it.
    score_a, score_b : float
        (Weighted) mean scores, BLEU, correlations, ..., as given: not negated where lower is better.
    higher_is_better : bool
        Direction of the metric.
    standard_error : float or None
        Of the difference, for the choice of decimals; None if unknown.
    outcome : Outcome
        The test, read one-sided in favour of A.
    interval : Interval or None
        For the difference, oriented.
    reason : str
        Why this test, as a clause: "scores are right or wrong, and paired".
    decimals : int or None
        Decimals of the scores, where a paper prints them.
    n_dropped, n_imputed : int
        Instances left out, scores filled with the worst one.
    in_percent : bool
        Whether the scores are proportions, printed in percent.
    details : Details
        Further numbers that belong to the test or the design, such as the design effect of clusters.
    findings : tuple of Finding
        What limits this outcome.
    """

    dataset: str
    metric: str
    kind: str
    n: int | None
    score_a: float
    score_b: float
    higher_is_better: bool
    standard_error: float | None
    outcome: Outcome
    interval: Interval | None
    reason: str
    decimals: int | None = None
    n_dropped: int = 0
    n_imputed: int = 0
    shape: Shape = "paired"
    unit: str = "instance"
    in_percent: bool = False
    details: Details = field(default_factory=Details)
    findings: tuple[Finding, ...] = ()

    __repr__ = short_repr

    @property
    def difference(self) -> float:
        """Observed value of what the test is about, oriented: positive in favour of A; mostly the mean difference."""
        return self.outcome.estimate

    @property
    def score_difference(self) -> float:
        """Difference of the mean scores, oriented: positive if A scores better than B."""
        return self.score_a - self.score_b if self.higher_is_better else self.score_b - self.score_a

    @property
    def p_value(self) -> float:
        """One-sided p-value for A better than B."""
        return self.outcome.p_value

    def swapped(self) -> Assessment:
        """Return the assessment of B against A."""
        return replace(
            self,
            score_a=self.score_b,
            score_b=self.score_a,
            outcome=self.outcome.swapped(),
            interval=None if self.interval is None else self.interval.swapped(),
            details=self.details.swapped(),
        )
