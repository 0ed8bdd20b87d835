"""The corpus metrics by name, and those of users."""

import pytest

from reportkit.errors import SettingsError
from reportkit.metrics.corpus.catalogue import (
    CORPUS_METRICS,
    corpus_metric_named,
    fitting_metrics,
    register_metric,
)
from reportkit.report.references import REFERENCES


@pytest.fixture
def _own_metrics():
    """Leave the registry as it was."""
    before = dict(CORPUS_METRICS.items())
    yield
    CORPUS_METRICS._entries = before


def test_names():
    """The names that users type; the example of a docstring may have added one."""
    assert list(CORPUS_METRICS.built_in) == [
        *("accuracy", "exact-match", "uas", "las", "error-rate", "wer", "cer"),
        *("f1", "f0.5", "f2", "precision", "recall", "mcc", "aer"),
        *("bleu", "bleu-floor", "bleu-unsmoothed", "chrf", "chrf++", "ter"),
    ]
    assert all(metric.name == name for name, metric in CORPUS_METRICS.items())
    assert all(metric.citation in REFERENCES for metric in CORPUS_METRICS.values() if metric.citation)


def test_titles_are_found_as_names():
    """Tables print titles, and users type them; a title that is not a name is not looked up."""
    for metric in CORPUS_METRICS.values():
        assert corpus_metric_named(metric.name.upper().replace("-", "_")) is metric
    assert corpus_metric_named("chrF") is CORPUS_METRICS["chrf"]
    assert corpus_metric_named("spearman") is None


def test_which_metrics_fit():
    """All columns have to be there; more do no harm."""
    assert [m.name for m in fitting_metrics(["tp", "fp", "fn", "x"])] == ["f1", "f0.5", "f2", "precision", "recall"]
    assert [m.name for m in fitting_metrics(["edits", "ref_len"])] == ["ter"]
    assert fitting_metrics(["tp", "fn"]) == ()


@pytest.mark.usefixtures("_own_metrics")
def test_a_metric_of_ones_own():
    """It is found by its name, and a second registration replaces the first (a cell of a notebook is run twice)."""
    first = register_metric("Yield per Try", lambda sums: sums[..., 0] / sums[..., 1], ["gain", "tries"])
    assert corpus_metric_named("yield_per_try") is first
    assert (first.name, first.title, first.columns) == ("yield-per-try", "Yield per Try", ("gain", "tries"))
    second = register_metric("yield per try", lambda sums: 2 * sums[..., 0] / sums[..., 1], ["gain", "tries"])
    assert corpus_metric_named("Yield per Try") is second


@pytest.mark.usefixtures("_own_metrics")
@pytest.mark.parametrize(
    ("name", "function", "columns", "message"),
    [
        ("BLEU", lambda sums: sums[..., 0], ["x"], "there is a corpus metric 'bleu' already"),
        ("mine", lambda sums: sums[..., 0], [], r"columns of 'mine' are \[\]"),
        ("mine", lambda sums: sums[..., 0], ["x", "x"], "columns of 'mine'"),
        ("mine", lambda sums: sums[..., 0], "xy", "columns of 'mine' are 'xy'"),
        ("mine", lambda sums: sums[0] / sums[1], ["x", "y"], "does not return one value per row of sums"),
        ("mine", lambda sums: float(sums[..., 0]), ["x", "y"], r"cannot be called with sums of shape \(2, 3, 2\)"),
        ("mine", lambda sums: sums.sum(axis=0), ["x", "y", "z"], "does not return one value per row"),
    ],
)
def test_what_is_refused(name, function, columns, message):
    """Names that are taken, columns that are none, functions that are not vectorised."""
    with pytest.raises(SettingsError, match=message):
        register_metric(name, function, columns)
    assert "mine" not in CORPUS_METRICS
