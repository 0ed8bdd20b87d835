"""Replicability analysis: on how many datasets, and on which, a new system is really better.

```python
import pandas as pd, reportkit

a = pd.read_csv("results.csv").replic.compare("ours", "baseline", dependence="independent")
a.k_hat          # on how many datasets
a.outcomes       # on which, with p-values and intervals
a.save("report/")
```

Data flow one way; CONTRIBUTING.md has the map and the walk:

```
files ─read→ frame ─build→ Results ─Scores.pair→ Sample ─assess→ outcomes ─family→ Analysis
                           report, tables, paragraph ←templates─ Facts ←gather──────┘
paper and data ─check→ findings
```

Names are imported when they are first used, so that `import reportkit` costs little more than pandas, with which it
registers `df.replic`.
"""

from __future__ import annotations

import importlib
from typing import Any

from reportkit._registration import register_accessors
from reportkit._version import __version__

_NAMES = {
    "analysis.analysis": ("Analysis",),
    "analysis.calibration": ("CalibrationReport", "calibrate"),
    "analysis.judged": ("JudgedDifference", "judged_difference"),
    "analysis.plan": ("power",),
    "analysis.power": ("PowerResult",),
    "analysis.presentation": ("BuiltReport",),
    "analysis.reproducibility": ("ReproducibilityResult", "reproducibility"),
    "analysis.training": ("resampled_training_sets",),
    "api": ("compare", "inspect", "read"),
    "appearance": ("tex",),
    "checker.catalogue": ("register_rule",),
    "checker.engine": ("CheckReport", "check"),
    "errors": (
        *("ColumnError", "DesignError", "DuplicateScoresError", "InputError", "MissingScoresError", "ReadingError"),
        *("RenderingError", "ReportkitError", "ScoreValueError", "SettingsError", "UnknownNameError"),
    ),
    "metrics.corpus": ("register_metric",),
    "metrics.from_texts": ("statistics_from_texts",),
    "rendering.paper_update": ("update_paper",),
    "replicability.multiple_testing.partial_conjunction": ("discoveries", "holm", "k_hat", "partial_conjunction"),
    "replicability.printed": ("PrintedClaim",),
    "scores.printed": ("PrintedResults",),
    "scores.scores": ("Results",),
    "settings": ("Settings",),
    "significance.catalogue": ("register_test",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'reportkit' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"reportkit.{_HOMES[name]}"), name)
    globals()[name] = value
    register_accessors()
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


register_accessors()
