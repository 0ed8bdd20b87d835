"""WOULD THE CONCLUSION COME OUT THE SAME under another split? Blocked m x 2 cross-validation and reproducibility.

```
blocks.py                BlockedCV, the splitter; scikit-learn's protocol without scikit-learn
split_files.py           splits as tables and CSV, for people who train elsewhere
blocked_predictions.py   predictions of one system, from long form, and their checks
label_metrics.py         accuracy and chunk F1 as sums of counts
majority_vote.py         the vote, and its ties
hold_out.py              hold-out and repeated hold-out
estimators.py            average, vote, mixture
reproducibility.py       SNR, reproducibility with its interval, Cantelli's bound, the normal plug-in value
blocked_t.py             the t-test with the factor 1 / (2 m) + 1
resplit_estimates.py     estimates of two systems from every re-partition, paired and checked
estimator_names.py       ST, RS6, Avg, Vote, mixtures: their names and order
study.py                 all of them side by side, by dataset
wording.py               what re-splitting one corpus tells, and what it does not
codes.py                 labels of any type as numbers
```

Arrays in, records out: numpy and scipy alone. Xue et al. (2023), "We need to talk about reproducibility in NLP model
comparison", with what its Table 4 and Eq. (8) do and do not show.
"""

from __future__ import annotations

from reportkit.reproducibility_analysis.blocked_predictions import (
    BlockedPredictions,
    check_folds,
    predictions_from_long_form,
)
from reportkit.reproducibility_analysis.blocked_t import BlockedT, blocked_t
from reportkit.reproducibility_analysis.blocks import BlockedCV
from reportkit.reproducibility_analysis.estimators import (
    PairEstimates,
    SystemEstimates,
    compare_estimates,
    estimate_system,
    estimates_by_method,
    estimates_from_scores,
    mixture,
)
from reportkit.reproducibility_analysis.hold_out import hold_out, repeated_hold_out
from reportkit.reproducibility_analysis.reproducibility import (
    Reproducibility,
    cantelli_bound,
    plug_in_reproducibility,
    reproducibility,
    reproducibility_table,
)
from reportkit.reproducibility_analysis.split_files import SplitTable, split_tables, write_splits
from reportkit.reproducibility_analysis.wording import (
    SCOPE,
    mixture_sentences,
    plug_in_sentences,
    reproducibility_sentences,
)

__all__ = [
    "SCOPE",
    "BlockedCV",
    "BlockedPredictions",
    "BlockedT",
    "PairEstimates",
    "Reproducibility",
    "SplitTable",
    "SystemEstimates",
    "blocked_t",
    "cantelli_bound",
    "check_folds",
    "compare_estimates",
    "estimate_system",
    "estimates_by_method",
    "estimates_from_scores",
    "hold_out",
    "mixture",
    "mixture_sentences",
    "plug_in_reproducibility",
    "plug_in_sentences",
    "predictions_from_long_form",
    "repeated_hold_out",
    "reproducibility",
    "reproducibility_sentences",
    "reproducibility_table",
    "split_tables",
    "write_splits",
]
