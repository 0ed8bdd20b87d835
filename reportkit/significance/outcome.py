"""What a significance test found on one dataset, with everything needed to trust it and to write about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from reportkit.language.numerals import p_value_text
from reportkit.settings import Alternative

Method = Literal["exact", "Monte Carlo", "asymptotic", "printed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Result of one test of system A against system B on one dataset.

    Both one-sided p-values are kept, so that the two directional analyses of an undeclared direction, and the swap of
    A and B, are coherent by construction. The two-sided p-value is twice the smaller one, at most 1.

    Parameters
    ----------
    system_a, system_b, dataset : str
        What was compared, where.
    test : str
        Name in the registry, such as "mcnemar".
    title : str
        Name in prose, such as "exact McNemar test".
    p_greater : float
        One-sided p-value of the null hypothesis that A is not better than B, in (0, 1].
    p_less : float
        One-sided p-value of the null hypothesis that B is not better than A, in (0, 1].
    alternative : {"greater", "less", "two-sided"}
        Which of them `p_value` is.
    statistic : float
        Observed test statistic, positive in favour of A; that of B against A is its negative.
    statistic_name : str
        What the statistic is.
    estimand : str
        The quantity the test is about, such as "difference in accuracy".
    estimate : float
        Observed value of it, oriented: positive if A is better.
    n : int
        Instances used.
    n_nonzero : int or None
        Instances (clusters, if there are any) on which A and B differ; None if nothing is paired.
    n_clusters : int, optional
        Number of clusters that were treated as the independent units.
    p_min : float
        Smallest one-sided p-value that this test could have given with this much data.
    method : {"exact", "Monte Carlo", "asymptotic", "printed"}
        How the p-value was computed.
    algorithm : str
        Which way of computing, if there are several: "enumeration", "tilted FFT".
    n_resamples : int, optional
        Number of random resamples, if any.
    relative_error : float
        Bound on the relative error of an exact p-value.
    seed : int, optional
        Seed of the random stream, if one was used.
    null_hypothesis : str
        In words, for one-sided use with A better.
    assumptions : tuple of str
        Conditions under which the p-value is valid, each a clause.
    citation : str
        BibTeX key of the source.
    tested : bool
        Whether there was anything to test: not if the two systems score the same everywhere.
    """

    system_a: str
    system_b: str
    dataset: str
    test: str
    title: str
    p_greater: float
    p_less: float
    alternative: Alternative = "greater"
    statistic: float
    statistic_name: str
    estimand: str
    estimate: float
    n: int
    n_nonzero: int | None
    n_clusters: int | None = None
    p_min: float
    method: Method
    algorithm: str = ""
    n_resamples: int | None = None
    relative_error: float = 0.0
    seed: int | None = None
    null_hypothesis: str
    assumptions: tuple[str, ...]
    citation: str
    tested: bool = True

    def __post_init__(self) -> None:
        for name in ("p_greater", "p_less", "p_min"):
            p = getattr(self, name)
            if not 0 < p <= 1:  # also catches NaN: a mistake of a test, not of the user
                raise ValueError(f"{name} of {self.test!r} is {p!r}, not in (0, 1]")

    @property
    def p_value(self) -> float:
        """p-value of the stated alternative, in (0, 1]."""
        if self.alternative == "greater":
            return self.p_greater
        if self.alternative == "less":
            return self.p_less
        return min(1.0, 2.0 * min(self.p_greater, self.p_less))

    @property
    def standard_error(self) -> float | None:
        """Monte Carlo standard error of `p_value`; None if it was not estimated from random resamples."""
        if self.n_resamples is None:
            return None
        one_sided = {"greater": self.p_greater, "less": self.p_less}.get(
            self.alternative, min(self.p_greater, self.p_less)
        )
        error = math.sqrt(one_sided * (1 - one_sided) / (self.n_resamples + 1))
        return 2 * error if self.alternative == "two-sided" else error

    def towards(self, alternative: Alternative) -> Outcome:
        """Return the same test read with another alternative."""
        return replace(self, alternative=alternative)

    def swapped(self) -> Outcome:
        """Return the outcome of B against A."""
        return replace(
            self,
            system_a=self.system_b,
            system_b=self.system_a,
            p_greater=self.p_less,
            p_less=self.p_greater,
            statistic=-self.statistic,
            estimate=-self.estimate,
        )

    @property
    def sentence(self) -> str:
        """One sentence for the paper: what the p-value says, and no more than that."""
        sides = "two-sided" if self.alternative == "two-sided" else "one-sided"
        first, second = (self.system_b, self.system_a) if self.alternative == "less" else (self.system_a, self.system_b)
        if self.alternative == "two-sided":
            null, event = (
                f"{first} and {second} were equally good",
                "a difference at least this large in either direction",
            )
        else:
            null, event = f"{first} were not better than {second}", "a difference at least this large"
        p = p_value_text(self.p_value)
        return (
            f"If {null} on {self.dataset}, {event} would occur with probability at most "
            f"{p.removeprefix('<')} ({self.title}, {sides}, n = {self.n:,})."
        )
