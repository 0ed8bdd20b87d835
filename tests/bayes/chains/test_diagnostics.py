"""Whether chains may be believed."""

import numpy as np
import pytest

from reportkit.bayes.chains.diagnostics import Diagnostics, ParameterDiagnostics, diagnose
from reportkit.bayes.chains.sampling import Chains, ChainSettings


def parameter(name="mu", r_hat=1.0, ess_bulk=2000.0, ess_tail=2000.0):
    """One parameter whose chains are fine, unless said."""
    return ParameterDiagnostics(name=name, mean=0.0, sd=1.0, r_hat=r_hat, ess_bulk=ess_bulk, ess_tail=ess_tail)


def diagnostics(*parameters, n_divergences=0, bfmi=(1.0, 1.0, 1.0, 1.0)):
    """Diagnostics of four chains of 1,000 draws."""
    return Diagnostics(
        parameters=parameters or (parameter(),),
        n_divergences=n_divergences,
        bfmi=bfmi,
        n_deepest=0,
        n_chains=4,
        n_draws=1000,
    )


def test_chains_without_fault_pass():
    """Just inside of each limit."""
    found = diagnostics(parameter(r_hat=1.0099, ess_bulk=400.1, ess_tail=400.1), bfmi=(0.3, 1.0))
    assert found.passed
    assert found.failures == found.remedies == ()


@pytest.mark.parametrize(
    ("found", "failure", "remedy"),
    [
        (diagnostics(parameter(), parameter("nu", r_hat=1.01)), "R-hat is 1.010 for nu", "draws=4000"),
        (diagnostics(parameter(r_hat=float("nan"))), "R-hat is nan for mu", "draws=4000"),
        (diagnostics(parameter(ess_bulk=400.0)), "the bulk of mu", "draws=4000"),
        (diagnostics(parameter(ess_tail=399.0)), "the tail of mu", "draws=4000"),
        (diagnostics(parameter(ess_tail=float("nan"))), "the tail of mu", "draws=4000"),
        (diagnostics(n_divergences=1), "1 of 4000 steps diverged", "target_accept=0.99"),
        (diagnostics(bfmi=(1.0, 0.29)), "missing information is 0.29", "tune=4000"),
        (diagnostics(bfmi=(float("nan"),)), "missing information is nan", "tune=4000"),
    ],
)
def test_each_limit_is_held_and_said(found, failure, remedy):
    """One failure each, with figures, and what to do about it."""
    (said,) = found.failures
    assert failure in said
    assert remedy in found.remedies[0]
    message = str(found.withheld("'a' v 'b'"))
    assert failure in message
    assert remedy in message


def chains_of(values):
    """Chains with one parameter, and sampler statistics without fault."""
    rng = np.random.default_rng(1)
    return Chains(
        values={"mu": values},
        statistics={"energy": rng.normal(size=values.shape), "diverging": np.zeros(values.shape)},
        settings=ChainSettings(),
        versions={},
    )


@pytest.mark.usefixtures("pymc")
def test_independent_draws_pass_and_chains_that_disagree_fail():
    """One chain a standard deviation away from the others is seen; so are random walks."""
    rng = np.random.default_rng(2)
    good = rng.normal(size=(4, 1000))
    assert diagnose(chains_of(good), good).passed
    shifted = good + np.array([[0.0], [0.0], [0.0], [1.0]])
    assert "R-hat" in diagnose(chains_of(shifted), shifted).failures[0]
    walks = rng.normal(size=(4, 1000)).cumsum(axis=1)
    assert len(diagnose(chains_of(walks), walks).failures) == 3
    constant = np.ones((4, 1000))
    assert isinstance(diagnose(chains_of(good), constant).failures, tuple)
