"""Where the contour crosses the real axis, and the period with which the distribution is discretised."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reportkit.null_distributions.step_sums import Floats, StepSum

CLOSE = 0.2
"""How near the tilt has to be to the saddlepoint, in standard deviations: any tilt gives the same tail."""

MAIN_LOBE = 8.7
"""Half the width of the main lobe in standard deviations: exp(-8.7^2 / 2) is 4e-17."""

IMAGE_TARGET = -34.0
"""Log of the relative error allowed to images of the period."""


@dataclass(frozen=True, slots=True)
class Saddle:
    """Where the contour crosses the real axis, and how finely it is sampled.

    Parameters
    ----------
    theta : float
        Real part of the contour, positive.
    mean, variance : float
        Of the tilted sum.
    log_mgf : float
        K(theta).
    period : float
        Period P of the discretised distribution; nodes are 2 pi / P apart.
    image_error : float
        Bound on the images of the period, relative to exp(K(theta)).
    subtract_image : bool
        Whether the first image on the left is all of P(X < 0) and is subtracted.
    """

    theta: float
    mean: float
    variance: float
    log_mgf: float
    period: float
    image_error: float
    subtract_image: bool

    @property
    def spacing(self) -> float:
        """Distance of two nodes."""
        return 2.0 * math.pi / self.period


def solve_saddle(problem: StepSum) -> tuple[float, float, float]:
    """Solve K'(theta) = 1 / theta, the saddlepoint of exp(K(z)) / z, to a fraction of a standard deviation.

    Parameters
    ----------
    problem : StepSum
        Sum with E X <= 0 < highest.

    Returns
    -------
    theta, mean, variance : float
        The tilt, and the moments of X under it.
    """
    mean, variance = problem.tilted_moments(0.0)
    theta = (-mean + math.sqrt(mean**2 + 4.0 * variance)) / (2.0 * variance)
    low, high = 0.0, math.inf
    for _ in range(500):
        mean, variance = problem.tilted_moments(theta)
        value = mean - 1.0 / theta
        slope = variance + 1.0 / theta**2
        if abs(value) <= CLOSE * math.sqrt(slope):
            break
        low, high = (theta, high) if value < 0.0 else (low, theta)
        following = theta - value / slope
        if not low < following < high:
            following = 0.5 * (low + high) if math.isfinite(high) else 2.0 * theta
        theta = min(following, 4.0 * theta)
    return theta, mean, variance


def solve_saddles(
    moments: Callable[[Floats], tuple[Floats, Floats]], n_rows: int, most_steps: int
) -> tuple[Floats, Floats, Floats]:
    """Newton's method for K'(theta) = 1 / theta in all rows at once; a tilt that is not found is only less good.

    Parameters
    ----------
    moments : callable
        From tilts, one for each row, to means and variances under them.
    n_rows : int
    most_steps : int

    Returns
    -------
    theta, mean, variance : ndarray of shape (n_rows,)
        Tilts, and the moments under them.
    """
    mean, variance = moments(np.zeros(n_rows))
    theta = (-mean + np.sqrt(np.square(mean) + 4.0 * variance)) / (2.0 * variance)
    for _ in range(most_steps):
        mean, variance = moments(theta)
        error, slope = mean - 1.0 / theta, variance + 1.0 / np.square(theta)
        moving = np.abs(error) > CLOSE * np.sqrt(slope)
        if not moving.any():
            break
        theta = np.where(moving, np.clip(theta - error / slope, 0.5 * theta, 4.0 * theta), theta)
    return theta, mean, variance


def find_saddle(problem: StepSum, step: float | None) -> Saddle:
    """Place the contour, with a period whose images are negligible by Chernoff's inequality at two other tilts."""
    theta, mean, variance = solve_saddle(problem)
    log_mgf = problem.log_mgf(theta)
    deviation = math.sqrt(variance)
    period = MAIN_LOBE * deviation + 1.0 / theta
    # in units of exp(K(theta)) the tail is about 1 / (theta deviation sqrt(2 pi)) or more
    target = IMAGE_TARGET - math.log1p(theta * deviation)
    for _ in range(80):
        if step is not None:
            period = step * math.ceil(period / step)
        wrap = log_gap(theta * period) + log_mgf
        right, _ = _image(problem, theta, period, period / variance, target + wrap)
        left, reach = _image(problem, theta, period, -period / variance, target + wrap)
        images = max(left, right) + math.log1p(math.exp(-abs(left - right))) - wrap
        if images < target:
            break
        period *= 1.2
    return Saddle(
        theta=theta,
        mean=mean,
        variance=variance,
        log_mgf=log_mgf,
        period=period,
        image_error=math.exp(min(images, 50.0)),
        subtract_image=theta + reach < 0.0,
    )


def _image(problem: StepSum, theta: float, period: float, reach: float, target: float) -> tuple[float, float]:
    """Chernoff bound of all images on one side, at the best of a few other tilts, and how far that one is."""
    if reach > 0.0 and period > problem.highest:
        return -math.inf, reach
    best, best_reach = math.inf, reach
    for fraction in (0.95, 0.6, 0.35, 0.2, 0.1):
        other = fraction * reach
        bound = problem.log_mgf(theta + other) - abs(other) * period - log_gap(abs(other) * period)
        if bound < best:
            best, best_reach = bound, other
        if best < target:
            break
    return best, best_reach


def log_gap(x: float) -> float:
    """Return log(1 - exp(-x)), x > 0."""
    return math.log(-math.expm1(-x))
