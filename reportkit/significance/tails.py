"""Both one-sided p-values of one test, with what is known about their accuracy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scipy.special import stdtr

from reportkit.null_distributions.tail_probability import SMALLEST_P_VALUE, TailProbability
from reportkit.significance.outcome import Method

ACCEPTED_ERROR = 1e-2
"""Relative error up to which a p-value counts as exact: less than the standard error of 10,000 random resamples."""

NEGLIGIBLE_ERROR = 1e-9
"""A bound on the relative error below this needs no allowance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tails:
    """The two one-sided p-values of A against B.

    Parameters
    ----------
    p_greater, p_less : float
        For A better, and for B better, in [0, 1]; values below `p_min` are raised to it.
    p_min : float
        Smallest one-sided p-value that the test could have given, in [0, 1]; 0 stands for a number too small for a
        float and becomes `SMALLEST_P_VALUE`.
    method : {"exact", "Monte Carlo", "asymptotic", "printed"}
        How they were computed.
    algorithm : str
        Which way of computing, if there are several.
    n_resamples : int, optional
        Number of random resamples, if any.
    seed : int, optional
        Seed of the random stream, if one was used.
    relative_error : float
        Bound on the relative error of exact p-values.

    Examples
    --------
    >>> Tails(p_greater=0.0, p_less=1.0, p_min=0.0, method="exact").p_greater
    2.2250738585072014e-308
    """

    p_greater: float
    p_less: float
    p_min: float
    method: Method
    algorithm: str = ""
    n_resamples: int | None = None
    seed: int | None = None
    relative_error: float = 0.0

    def __post_init__(self) -> None:
        lowest = max(float(self.p_min), SMALLEST_P_VALUE)
        object.__setattr__(self, "p_min", lowest)
        for name in ("p_greater", "p_less"):
            object.__setattr__(self, name, max(float(getattr(self, name)), lowest))

    @classmethod
    def of_no_difference(cls, method: Method = "exact", algorithm: str = "", *, seed: int | None = None) -> Tails:
        """Return p = 1 in both directions, where nothing differs or nothing is known of the variance.

        Examples
        --------
        >>> Tails.of_no_difference().p_less
        1.0
        """
        return cls(p_greater=1.0, p_less=1.0, p_min=1.0, method=method, algorithm=algorithm, seed=seed)

    @classmethod
    def of_t(
        cls, t: float | None, freedom: float, *, identical: bool = False, digits: int = 0, seed: int | None = None
    ) -> Tails:
        """Take both tails of Student's t distribution.

        Parameters
        ----------
        t : float or None
            Positive in favour of A; None where there is no variance, and p = 1.
        freedom : float
            Degrees of freedom, shown with so many `digits`.
        identical : bool
            Whether A and B differ nowhere, so that p = 1.
        digits, seed
            For the outcome.

        Examples
        --------
        >>> round(Tails.of_t(6.314, 1).p_greater, 4)
        0.05
        >>> Tails.of_t(None, 1).algorithm
        'no variance'
        """
        if t is None:
            return cls.of_no_difference("asymptotic", "no variance", seed=seed)
        algorithm = f"t with {freedom:,.{digits}f} degrees of freedom"
        if identical:
            return cls.of_no_difference("asymptotic", algorithm, seed=seed)
        return cls(
            p_greater=float(stdtr(freedom, -t)),
            p_less=float(stdtr(freedom, t)),
            p_min=0.0,
            method="asymptotic",
            algorithm=algorithm,
            seed=seed,
        )

    @classmethod
    def computed(cls, tail: TailProbability, *, p_min: float) -> Tails:
        """Take both tails of an exact distribution.

        Where the bound on their error is not negligible, the p-values are the upper ends: never below the true ones.

        Examples
        --------
        >>> from reportkit.null_distributions import sign_flip_tail
        >>> round(Tails.computed(sign_flip_tail([1.0, 2.0, 4.0]), p_min=0.125).p_greater, 12)
        0.125
        """
        raised = 1.0 + tail.relative_error if tail.relative_error > NEGLIGIBLE_ERROR else 1.0
        return cls(
            p_greater=min(1.0, tail.p_greater * raised),
            p_less=min(1.0, tail.p_less * raised),
            p_min=p_min,
            method="exact",
            algorithm=tail.method,
            relative_error=tail.relative_error,
        )

    @classmethod
    def estimated(cls, for_a: int, for_b: int, n_resamples: int, *, seed: int, p_min: float) -> Tails:
        """Estimate both tails from counts of random resamples, the observed data being one more of them.

        Parameters
        ----------
        for_a, for_b : int
            Resamples at least as far in favour of A, and of B, as the observed value.
        n_resamples : int
            All resamples, b.
        seed : int
            Seed of the stream.
        p_min : float
            Smallest p-value of the distribution that is sampled; the estimate cannot be below 1 / (b + 1) either.

        Notes
        -----
        Phipson and Smyth (2010), "Permutation p-values should never be zero", section 4.

        Examples
        --------
        >>> Tails.estimated(49, 951, 999, seed=0, p_min=0.0).p_greater
        0.05
        """
        return cls(
            p_greater=(for_a + 1) / (n_resamples + 1),
            p_less=(for_b + 1) / (n_resamples + 1),
            p_min=max(p_min, 1 / (n_resamples + 1)),
            method="Monte Carlo",
            n_resamples=n_resamples,
            seed=seed,
        )

    def swapped(self) -> Tails:
        """Return the tails of B against A."""
        return replace(self, p_greater=self.p_less, p_less=self.p_greater)
