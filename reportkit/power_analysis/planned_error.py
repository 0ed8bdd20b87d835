"""The standard error that a planned comparison will have, and checks of the numbers of a plan."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

from reportkit.errors import SettingsError
from reportkit.significance.tests.two_way_t import TwoWayEstimate, satterthwaite


def check_probability(name: str, value: float) -> None:
    """Refuse a number that is not strictly between 0 and 1.

    Raises
    ------
    SettingsError
        Says the name and the value.
    """
    if not 0 < value < 1:
        raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} strictly between 0 and 1")


def check_positive(name: str, value: float) -> None:
    """Refuse anything but a finite number above 0.

    Raises
    ------
    SettingsError
        Says the name and the value.
    """
    if not (value > 0 and math.isfinite(value)):
        raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} as a finite number above 0")


def check_count(name: str, value: int, least: int = 1) -> None:
    """Refuse anything but a whole number of at least `least`.

    Raises
    ------
    SettingsError
        Says the name and the value.
    """
    if isinstance(value, bool) or value != int(value) or value < least:
        raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} as a whole number of at least {least}")


@dataclass(frozen=True, slots=True)
class PlannedError:
    """Standard error of the difference between A and B in a planned comparison.

    Parameters
    ----------
    standard_error : float
        In units of the score, above 0.
    degrees_of_freedom : float
        Degrees of freedom of the t distribution that goes with it; inf for a normal one.

    Raises
    ------
    SettingsError
        If one of them is not above 0.
    """

    standard_error: float
    degrees_of_freedom: float = math.inf

    def __post_init__(self) -> None:
        check_positive("standard_error", self.standard_error)
        if not self.degrees_of_freedom > 0:
            raise SettingsError(
                f"degrees_of_freedom is {self.degrees_of_freedom!r}", remedy="give a number above 0, or math.inf"
            )

    def scaled(self, factor: float) -> PlannedError:
        """Return the error with `factor` times the units: se / sqrt(factor), and factor times the degrees of freedom.

        Holds for means; for a corpus metric or a correlation, as far as it is near linear in the units.

        Examples
        --------
        >>> PlannedError(0.6, 500).scaled(4)
        PlannedError(standard_error=0.3, degrees_of_freedom=2000)
        """
        return PlannedError(self.standard_error / math.sqrt(factor), self.degrees_of_freedom * factor)


def error_of_mean(sd: float, n: int, *, design_effect: float = 1.0) -> PlannedError:
    """Return the standard error of a mean difference over n instances: sd sqrt(design_effect / n).

    Parameters
    ----------
    sd : float
        Standard deviation of the differences of single instances, from earlier results.
    n : int
        Planned instances, at least 2.
    design_effect : float
        By how much clusters multiply the variance: se^2 with clusters / se^2 without; 1 for independent instances. It
        grows with the size of the clusters: take it from clusters as large as the planned ones.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Kish (1965), "Survey Sampling", for the design effect; Miller (2024), "Adding error bars to evals:
    a statistical approach to language model evaluations", for clustered questions.

    Examples
    --------
    >>> planned = error_of_mean(0.4, 100, design_effect=2.25)
    >>> round(planned.standard_error, 6), planned.degrees_of_freedom
    (0.06, 99)
    """
    check_positive("sd", sd)
    check_positive("design_effect", design_effect)
    check_count("n", n, least=2)
    return PlannedError(sd * math.sqrt(design_effect / n), n - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComponents:
    """Variance components of a comparison over instances and runs.

    Parameters
    ----------
    instances : float
        Variance of the true difference between instances.
    runs_a, runs_b : float
        Variance of the mean score of a run of A, and of B, over all instances.
    residual_a, residual_b : float
        Variance of a score of A, and of B, that neither instance nor run explains.

    Raises
    ------
    SettingsError
        If one is negative or not finite, or all are 0.
    """

    instances: float
    runs_a: float
    runs_b: float
    residual_a: float
    residual_b: float

    def __post_init__(self) -> None:
        values = astuple(self)
        if not all(0 <= value < math.inf for value in values) or not any(values):
            raise SettingsError(
                f"the variances {values} are not variance components",
                remedy="give finite numbers of at least 0, not all of them 0",
            )


def run_components(estimate: TwoWayEstimate, n: int, m_a: int, m_b: int) -> RunComponents:
    """Return the variance components behind an estimate from n instances (clusters), m_a runs of A and m_b of B.

    Parameters
    ----------
    estimate : TwoWayEstimate
        From earlier results with several runs of each system.
    n : int
        Instances (clusters) of these results.
    m_a, m_b : int
        Runs of these results, at least 2 each: a single run says nothing about how runs vary.

    Returns
    -------
    RunComponents
        Components that come out negative are 0.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Method of moments: E v_I = (s_D^2 + s_eA^2 / m_A + s_eB^2 / m_B) / n, E v_A = s_A^2 / m_A + s_eA^2 / (n m_A),
    e_A = s_eA^2 / (n m_A). Searle, Casella and McCulloch (1992), "Variance Components", chapter 4.
    """
    for name, value in (("n", n), ("m_a", m_a), ("m_b", m_b)):
        check_count(name, value, least=2)
    residual_a, residual_b = estimate.residual_a**2, estimate.residual_b**2
    return RunComponents(
        instances=n * max(0.0, estimate.instances**2 - residual_a - residual_b),
        runs_a=m_a * max(0.0, estimate.runs_a**2 - residual_a),
        runs_b=m_b * max(0.0, estimate.runs_b**2 - residual_b),
        residual_a=n * m_a * residual_a,
        residual_b=n * m_b * residual_b,
    )


def error_over_runs(components: RunComponents, n: int, m_a: int, m_b: int) -> PlannedError:
    """Return the standard error of the difference over n instances, m_a runs of A and m_b of B, all of them samples.

    With v_I = (s_D^2 + s_eA^2 / m_A + s_eB^2 / m_B) / n and v_A = s_A^2 / m_A + s_eA^2 / (n m_A) (v_B likewise), the
    planned variance is v_I + v_A + v_B - e_A - e_B, and the degrees of freedom are those of the test; see
    `estimate_two_way`.

    Parameters
    ----------
    components : RunComponents
        From earlier results, or assumed.
    n, m_a, m_b : int
        Planned instances (clusters) and runs, at least 2 each.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    More runs take only v_A and v_B down, more instances only v_I and the residual: which of them pays is what the
    components say. Sources as for `estimate_two_way`.

    Examples
    --------
    >>> components = RunComponents(instances=0.2, runs_a=1e-4, runs_b=1e-4, residual_a=0.05, residual_b=0.05)
    >>> few, many = (error_over_runs(components, n=1000, m_a=m, m_b=m) for m in (3, 10))
    >>> round(few.standard_error, 5), round(many.standard_error, 5)
    (0.01732, 0.01517)
    """
    for name, value in (("n", n), ("m_a", m_a), ("m_b", m_b)):
        check_count(name, value, least=2)
    e_a, e_b = components.residual_a / (n * m_a), components.residual_b / (n * m_b)
    v_instances = components.instances / n + e_a + e_b
    v_a, v_b = components.runs_a / m_a + e_a, components.runs_b / m_b + e_b
    parts = [(v_instances, n - 1.0), (v_a, m_a - 1.0), (v_b, m_b - 1.0)]
    return PlannedError(math.sqrt(v_instances + v_a + v_b - e_a - e_b), satterthwaite(parts))
