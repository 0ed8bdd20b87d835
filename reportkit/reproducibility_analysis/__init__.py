"""WOULD THE CONCLUSION COME OUT THE SAME under another split? Blocked m x 2 cross-validation and reproducibility.

```
splits.py            BlockedCV, the splitter; scikit-learn's protocol without scikit-learn; splits as tables and CSV
predictions.py       predictions of one system, from long form, and their checks
label_metrics.py     accuracy and chunk F1 as sums of counts
estimators.py        average, vote, mixture
reproducibility.py   SNR, reproducibility with its interval, Cantelli's bound, t-test with the factor 1 / (2 m) + 1
estimator_names.py   how estimators are written, and their order
tables.py            several estimators, or systems, side by side
study.py             all estimators side by side, by dataset
codes.py             labels of any type as numbers
```

Arrays in, records out: numpy and scipy alone. Xue et al. (2023), "We need to talk about reproducibility in NLP model
comparison", with what its Table 4 and Eq. (8) do and do not show.
"""

from __future__ import annotations

from reportkit.reproducibility_analysis.estimators import compare_estimates, estimate_system, estimates_from_scores
from reportkit.reproducibility_analysis.predictions import BlockedPredictions, predictions_from_long_form
from reportkit.reproducibility_analysis.reproducibility import (
    blocked_t,
    cantelli_bound,
    plug_in_reproducibility,
    reproducibility,
)
from reportkit.reproducibility_analysis.splits import BlockedCV, split_tables
from reportkit.reproducibility_analysis.tables import against_one, performance_table, reproducibility_table

__all__ = [
    "BlockedCV",
    "BlockedPredictions",
    "against_one",
    "blocked_t",
    "cantelli_bound",
    "compare_estimates",
    "estimate_system",
    "estimates_from_scores",
    "performance_table",
    "plug_in_reproducibility",
    "predictions_from_long_form",
    "reproducibility",
    "reproducibility_table",
    "split_tables",
]
