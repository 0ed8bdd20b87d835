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
files ─read→ frame ─ingest→ Results ─Block.pair→ Sample ─assess→ outcomes ─family→ Analysis
                            report, tables, paragraph ←templates─ Facts ←gather──────┘
paper and data ─check→ findings
```

Names are imported when they are first used, so that `import reportkit` costs little more than pandas, with which it
registers `df.replic`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any

from reportkit._registration import register_accessors
from reportkit._version import __version__

if TYPE_CHECKING:
    from reportkit.analysis.analysis import Analysis
    from reportkit.analysis.calibrate import calibrate
    from reportkit.analysis.calibration import CalibrationReport
    from reportkit.analysis.judged import JudgedDifference, judged_difference
    from reportkit.analysis.plan import power
    from reportkit.analysis.power import PowerResult
    from reportkit.analysis.reproducibility import ReproducibilityResult, reproducibility
    from reportkit.api import compare, inspect, read, update_paper
    from reportkit.appearance import tex
    from reportkit.calibration.training import resampled_training_sets
    from reportkit.checker.catalogue import register_rule
    from reportkit.checker.engine import CheckReport, check
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
    from reportkit.metrics.corpus import register_metric
    from reportkit.metrics.from_texts import statistics_from_texts
    from reportkit.replicability.multiple_testing.adjustment import adjusted_p_values
    from reportkit.replicability.multiple_testing.closed_testing import discoveries
    from reportkit.replicability.multiple_testing.partial_conjunction import holm, k_hat, partial_conjunction
    from reportkit.replicability.printed.reproduction import PrintedClaim
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.results import Results
    from reportkit.settings import Settings
    from reportkit.significance.catalogue import register_test

_HOMES = {
    "Analysis": "analysis.analysis",
    "BuiltReport": "analysis.report",
    "CalibrationReport": "analysis.calibration",
    "CheckReport": "checker.engine",
    "ColumnError": "errors",
    "DesignError": "errors",
    "DuplicateScoresError": "errors",
    "InputError": "errors",
    "JudgedDifference": "analysis.judged",
    "MissingScoresError": "errors",
    "PowerResult": "analysis.power",
    "PrintedClaim": "replicability.printed.reproduction",
    "PrintedResults": "scores.printed",
    "ReadingError": "errors",
    "RenderingError": "errors",
    "ReportkitError": "errors",
    "ReproducibilityResult": "analysis.reproducibility",
    "Results": "scores.results",
    "ScoreValueError": "errors",
    "Settings": "settings",
    "SettingsError": "errors",
    "UnknownNameError": "errors",
    "adjusted_p_values": "replicability.multiple_testing.adjustment",
    "calibrate": "analysis.calibrate",
    "check": "checker.engine",
    "compare": "api",
    "discoveries": "replicability.multiple_testing.closed_testing",
    "holm": "replicability.multiple_testing.partial_conjunction",
    "inspect": "api",
    "judged_difference": "analysis.judged",
    "k_hat": "replicability.multiple_testing.partial_conjunction",
    "partial_conjunction": "replicability.multiple_testing.partial_conjunction",
    "power": "analysis.plan",
    "read": "api",
    "register_metric": "metrics.corpus",
    "register_rule": "checker.catalogue",
    "register_test": "significance.catalogue",
    "resampled_training_sets": "calibration.training",
    "reproducibility": "analysis.reproducibility",
    "statistics_from_texts": "metrics.from_texts",
    "tex": "appearance",
    "update_paper": "api",
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
    "JudgedDifference",
    "MissingScoresError",
    "PowerResult",
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
    "calibrate",
    "check",
    "compare",
    "discoveries",
    "holm",
    "inspect",
    "judged_difference",
    "k_hat",
    "partial_conjunction",
    "power",
    "read",
    "register_metric",
    "register_rule",
    "register_test",
    "reproducibility",
    "resampled_training_sets",
    "statistics_from_texts",
    "tex",
    "update_paper",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        if name in _rooms():
            return importlib.import_module(f"reportkit.{name}")
        raise AttributeError(f"module 'reportkit' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"reportkit.{_HOMES[name]}"), name)
    globals()[name] = value
    register_accessors()
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


@cache
def _rooms() -> tuple[str, ...]:
    return tuple(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


register_accessors()
