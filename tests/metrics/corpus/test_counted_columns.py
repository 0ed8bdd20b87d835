"""Which columns hold counts."""

from reportkit.metrics.corpus.bleu import COLUMNS
from reportkit.metrics.corpus.counted_columns import counted_columns, counts_remedy, missing_counts
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


def test_remedy():
    """The metric that was asked for, else the one that is nearest to complete; nothing where none is begun."""
    assert counts_remedy(["tp"]) == ""
    assert counts_remedy(["correct"]).startswith("to compute accuracy, add the counts 'total'")
    assert counts_remedy(list(COLUMNS[:-1])).startswith("to compute bleu, add the counts 'total4'")
    assert counts_remedy(["x"], "BLEU").startswith("to compute bleu, add the counts 'hyp_len', 'ref_len'")
    assert counts_remedy(["tp", "fp", "fn"], "f1") == ""
