"""Samples of every kind, and their posteriors, each sampled once."""

import numpy as np
import pytest

from reportkit.bayes.chains import ChainSettings, extra, sample_posterior
from tests.conftest import needed

SETTINGS = ChainSettings(draws=500, tune=500, seed=7)

TRUTHS = {
    "metric": 0.3,
    "ordinal": 0.6,
}
"""Differences that the simulated data were made with, for the models that are sampled: to compile each takes long."""


@pytest.fixture(scope="session")
def pymc():
    """PyMC is there, or the test is skipped."""
    needed("pymc", "bayes")
    needed("arviz", "bayes")


@pytest.fixture(scope="session")
def answers(paired):
    """Right or wrong, from numbers of instances: both right, only A, only B, both wrong."""

    def make(both, only_a, only_b, neither, **others):
        codes = np.repeat([0, 1, 2, 3], [both, only_a, only_b, neither])
        return paired((codes == 0) | (codes == 1), (codes == 0) | (codes == 2), "binary", **others)

    return make


@pytest.fixture(scope="session")
def samples(paired, unpaired):
    """Simulated data of each model, with a true difference (`TRUTHS`)."""
    rng = np.random.default_rng(20201)
    n = 150
    difference = 0.3 + 0.5 * rng.standard_t(4, n)
    base = rng.normal(0.0, 1.0, n)
    rates = rng.gamma(2.0, 0.5, n)
    common, noise = rng.normal(0.0, 1.0, n), rng.normal(0.0, 0.8, (2, n))
    ratings = [np.clip(np.rint(mu + common + e), 1, 5) for mu, e in zip((3.6, 3.0), noise, strict=True)]
    other = np.clip(np.rint(3.0 + rng.normal(0.0, 1.28, n)), 1, 5)
    difficulty = 3.0 * rng.normal(0.0, 1.0, 600)
    level = difficulty + 1.0
    right = rng.random((2, 600)) < 1.0 / (1.0 + np.exp(-np.stack([level + 0.5, level - 0.5])))
    return {
        "metric": paired(base + difference, base),
        "two-metric": unpaired(0.3 + 0.5 * rng.standard_t(4, n), 0.5 * rng.standard_t(4, n - 20)),
        "count": paired(rng.poisson(2.0 * rates), rng.poisson(3.0 * rates), "count"),
        "two-count": unpaired(
            rng.poisson(2.0 * rng.gamma(2.0, 0.5, n)), rng.poisson(3.0 * rng.gamma(2.0, 0.5, n)), "count"
        ),
        "ordinal": paired(*ratings, "ordinal"),
        "two-ordinal": unpaired(ratings[0], other, "ordinal"),
        "logistic": paired(*right, "binary"),
    }


@pytest.fixture(scope="session")
def posteriors(pymc, samples):
    """The posterior of one of the samples, computed when it is first asked for."""
    known = {}

    def posterior(name):
        if name not in known:
            scale = 0.5 if name.endswith("metric") else None
            known[name] = sample_posterior(samples[name], rope=0.05, scale=scale, settings=SETTINGS)
        return known[name]

    return posterior


def error_of_mean(chains):
    """Monte Carlo standard error of the mean of draws that are not independent, or of a share."""
    worth = float(np.asarray(extra.arviz().ess(chains.astype(np.float64), method="mean")).reshape(-1)[0])
    return chains.std() / np.sqrt(worth)


def error_of_sd(chains):
    """Monte Carlo standard error of the standard deviation of draws, by the delta method from that of the variance."""
    squares = np.square(chains - chains.mean())
    return 0.5 * error_of_mean(squares) / np.sqrt(squares.mean())
