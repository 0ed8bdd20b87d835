"""The interval and the margin of a test, by its name."""

from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.choose import choose


def interval_of(test):
    """Return the interval of a test: (sample, level) -> interval."""
    return lambda sample, level=0.95: SIGNIFICANCE_TESTS[test].interval.interval(sample, level, 0, (1.0, 1.0))


def margin_test(sample, margin, *, seed=0):
    """Test a difference against a margin by the test of the decision table."""
    return SIGNIFICANCE_TESTS[choose(sample).test].interval.margin(sample, margin, seed)
