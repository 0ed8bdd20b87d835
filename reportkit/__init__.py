"""Replicability analysis: on how many datasets, and on which, a new system is really better.

```python
import pandas as pd, reportkit

a = pd.read_csv("results.csv").replic.compare("ours", "baseline", datasets="independent")
a.k_hat          # on how many datasets
a.outcomes       # on which, with p-values and intervals
a.report().save("report/")
```

Data flow one way; each noun is a frozen dataclass, each arrow a function:

```
files ─readers→ frame ─ingest→ Results ─pair→ PairedScores ─assess→ Assessment (one per dataset)
                                                                        │ build_family: k-hat, Holm
files ←write─ text ←rendering─ Report ←build─ ReplicabilityAnalysis ←───┘
```

```
errors, registry, numerals, phrases, finding   what everything stands on
corpus_metrics METRICS OF SUMS: BLEU, F1, accuracy over tokens
correlation    HOW WELL predictions agree with gold scores
results        WHAT WAS MEASURED
readers        how files become frames
settings       what the user decided
resampling     exact and Monte Carlo null distributions
significance   ONE DATASET: is it chance?
bayes          HOW PROBABLE is the claim?
markov         HOW PROBABLE, where only Markov chains can tell (extra `bayes`)
cross_validation   would the conclusion COME OUT THE SAME under another split?
intervals      HOW LARGE is the difference?
replicability  HOW MANY datasets, and WHICH?
calibration    CAN THE P-VALUES BE TRUSTED?
training_resampling   many systems from a few learners
evidence       WHAT DO THE DATA SAY of one claim? Four answers side by side
planning       HOW MUCH DATA is needed?
figures        one figure, one file
report         WHAT THE READER SEES, without a format
rendering      the same report as LaTeX or Markdown
checker        WHAT IS WRONG, in the data or in the paper
analysis, api, accessor, cli   what users touch
```

Names are imported when they are first used, so that `import reportkit` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from reportkit._registration import register_accessor_with_pandas
from reportkit._version import __version__

if TYPE_CHECKING:
    from reportkit.analysis import Analysis
    from reportkit.api import build_report, calibrate, compare, read, update
    from reportkit.calibration_report import CalibrationReport
    from reportkit.checker.engine import CheckReport, check
    from reportkit.corpus_metrics.catalogue import register_corpus_metric
    from reportkit.corpus_metrics.from_texts import statistics_from_texts
    from reportkit.errors import (
        ColumnError,
        DesignError,
        DuplicateScoresError,
        InputError,
        MissingScoresError,
        ReadingError,
        RenderingError,
        ReportkitError,
        ScoreValueError,
        SettingsError,
        UnknownNameError,
    )
    from reportkit.labels import tex
    from reportkit.replicability.adjustment import adjusted_p_values
    from reportkit.replicability.closed_testing import discoveries
    from reportkit.replicability.holm import holm
    from reportkit.replicability.k_hat import k_hat
    from reportkit.replicability.partial_conjunction import partial_conjunction
    from reportkit.replicability.reproduction import PrintedClaim
    from reportkit.resplitting import ReproducibilityResult, reproducibility
    from reportkit.results.printed import PrintedResults
    from reportkit.results.results import Results
    from reportkit.settings import Settings
    from reportkit.training_resampling import resampled_training_sets

_HOMES = {
    "Analysis": "analysis",
    "BuiltReport": "built_report",
    "CalibrationReport": "calibration_report",
    "CheckReport": "checker.engine",
    "ColumnError": "errors",
    "DesignError": "errors",
    "DuplicateScoresError": "errors",
    "InputError": "errors",
    "MissingScoresError": "errors",
    "PrintedClaim": "replicability.reproduction",
    "PrintedResults": "results.printed",
    "ReadingError": "errors",
    "RenderingError": "errors",
    "ReportkitError": "errors",
    "ReproducibilityResult": "resplitting",
    "Results": "results.results",
    "ScoreValueError": "errors",
    "Settings": "settings",
    "SettingsError": "errors",
    "UnknownNameError": "errors",
    "adjusted_p_values": "replicability.adjustment",
    "build_report": "api",
    "calibrate": "api",
    "check": "checker.engine",
    "compare": "api",
    "discoveries": "replicability.closed_testing",
    "holm": "replicability.holm",
    "k_hat": "replicability.k_hat",
    "partial_conjunction": "replicability.partial_conjunction",
    "read": "api",
    "register_corpus_metric": "corpus_metrics.catalogue",
    "resampled_training_sets": "training_resampling",
    "reproducibility": "resplitting",
    "statistics_from_texts": "corpus_metrics.from_texts",
    "tex": "labels",
    "update": "api",
}

__all__ = [
    "Analysis",
    "BuiltReport",
    "CalibrationReport",
    "CheckReport",
    "ColumnError",
    "DesignError",
    "DuplicateScoresError",
    "InputError",
    "MissingScoresError",
    "PrintedClaim",
    "PrintedResults",
    "ReadingError",
    "RenderingError",
    "ReportkitError",
    "ReproducibilityResult",
    "Results",
    "ScoreValueError",
    "Settings",
    "SettingsError",
    "UnknownNameError",
    "__version__",
    "adjusted_p_values",
    "build_report",
    "calibrate",
    "check",
    "compare",
    "discoveries",
    "holm",
    "k_hat",
    "partial_conjunction",
    "read",
    "register_corpus_metric",
    "reproducibility",
    "resampled_training_sets",
    "statistics_from_texts",
    "tex",
    "update",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'reportkit' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"reportkit.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


register_accessor_with_pandas()
