"""What tests of a difference against a margin find."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginTest:
    """Both one-sided tests of a difference between A and B against one margin.

    Parameters
    ----------
    margin : float
        In units of the score, oriented: .01 is one point of an accuracy given as a proportion.
    estimate : float
        Observed difference, oriented.
    statistic : float
        Positive where the difference is above the margin: z, t, or the difference minus the margin.
    p_greater : float
        Of the null hypothesis that the difference is at most the margin, in (0, 1].
    p_less : float
        Of the null hypothesis that the difference is at least the margin, in (0, 1].
    title : str
        Name in prose, such as "Tango score test".
    citation : str
        BibTeX key of the source.

    Raises
    ------
    ValueError
        If a p-value is not in (0, 1].
    """

    margin: float
    estimate: float
    statistic: float
    p_greater: float
    p_less: float
    title: str
    citation: str

    def __post_init__(self) -> None:
        for p in (self.p_greater, self.p_less):
            if not 0 < p <= 1:
                raise ValueError(f"{self.title}: {p!r} is no p-value")

    def swapped(self) -> MarginTest:
        """Return the test of B against A at the negative margin: the same two statements."""
        return replace(
            self,
            margin=0.0 - self.margin,
            estimate=0.0 - self.estimate,
            statistic=0.0 - self.statistic,
            p_greater=self.p_less,
            p_less=self.p_greater,
        )
