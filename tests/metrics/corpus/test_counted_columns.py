"""Which columns hold counts."""

from reportkit.metrics.corpus.bleu import COLUMNS
from reportkit.metrics.corpus.counted_columns import counted_columns, missing_counts
from reportkit.metrics.corpus.f_measures import F1


def test_spelling_does_not_matter():
    """Case, underscores and the prefix."""
    names = ["Hyp-Len", "stat_ref_len", *(f"STAT_{name}" for name in COLUMNS[2:])]
    assert counted_columns(names) == dict(zip(COLUMNS, names, strict=True))


def test_only_complete_metrics_count():
    """A lone `total` or `tp` is a column like any other."""
    assert counted_columns(["total", "tp", "fn", "score"]) == {}
    assert set(counted_columns(["correct", "total", "errors"])) == {"correct", "total", "errors"}


def test_what_is_missing():
    """In the order of the metric."""
    assert missing_counts(F1, ["fp"]) == ("tp", "fn")
    assert missing_counts(F1, ["stat_tp", "FP", "fn"]) == ()
