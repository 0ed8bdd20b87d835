"""Which rule reports a finding of the analysis, and which findings are no objection.

A test looks for the codes of all findings in the package and wants each of them in one of the two tables.
"""

from __future__ import annotations

from collections.abc import Mapping

OBJECTIONS: Mapping[str, str] = {
    "clusters-ignored": "RK205",
    "pairing-lost": "RK205",
    "pairing-unknown": "RK205",
    "duplicate-rows": "RK501",
    "datasets-left-out": "RK502",
    "friedman-datasets-left-out": "RK502",
    "scales-differ": "RK503",
    "constant-system": "RK504",
    "identical-systems": "RK504",
    "no-variance": "RK504",
    "same-order": "RK504",
    "not-independent": "RK505",
    "nested-instances": "RK506",
    "few-clusters": "RK507",
    "few-datasets": "RK507",
    "few-repartitions": "RK507",
    "few-resampled-units": "RK507",
    "few-runs": "RK507",
    "few-units": "RK507",
    "small-dataset": "RK507",
    "small-sample": "RK507",
    "two-folds": "RK507",
    "unseen-failures": "RK507",
    "unequal-sizes": "RK508",
    "similar-names": "RK509",
    "seeds-chosen": "RK510",
    "outlying-run": "RK512",
    "single-run": "RK512",
    "unequal-runs": "RK512",
    "unattainable-level": "RK601",
    "too-few-valid-resamples": "RK602",
    "unstable-p-value": "RK603",
    "informative-cluster-sizes": "RK605",
    "large-differences": "RK605",
    "one-sided-differences": "RK605",
    "rank-test-of-mean": "RK605",
    "skewed-differences": "RK605",
    "skewed-scores": "RK605",
    "skewness-unseen": "RK605",
    "contamination-unseen": "RK606",
    "influential-instance": "RK606",
    "normal-theory": "RK606",
    "z-test-off-level": "RK606",
    "printed-zero": "RK607",
    "fisher-not-safe": "RK608",
    "independence-not-audited": "RK608",
    "same-runs": "RK608",
    "printed-k-hat": "RK610",
    "printed-marks": "RK610",
    "wrong-direction": "RK610",
    "friedman-few-datasets": "RK611",
}
"""Code of a finding to the code of the rule that reports it."""

_LAYOUT = "how the report is set, not what it says"
_DECLARED = "declared in the settings, and said in the report"
_READING = "how columns were read: nothing a referee sees"
REMARKS: Mapping[str, str] = {
    "bayes-factor-depends-on-prior": "the report shows it under every prior; RK702 looks at what the paper prints",
    "bootstrap-bias": "the report gives the p-values of both centrings",
    "bounds-not-guaranteed": _DECLARED,
    "characters-without-glyph": _LAYOUT,
    "clusters-unused": _DECLARED,
    "columns": _READING,
    "counts-from-scores": _READING,
    "decimals-beyond-n": "RK305 looks at what the paper prints",
    "different-instances": _DECLARED,
    "doubtful-system": _READING,
    "different-raters": "a matter of the design, said in the report",
    "folds-unused": _READING,
    "gold-unused": _READING,
    "markov-chains-failed": "the report withholds the result; RK704 looks at what the paper prints",
    "metric-chosen": _READING,
    "missing-*": _DECLARED,
    "mixed-scales": _READING,
    "no-interval": "nothing is claimed that would need one",
    "not-calibrated": "the subject of the report on calibration itself",
    "other-profile": "about tests that were not asked for",
    "*-predictive-conflict": "the model checks itself, and says so beside its answer",
    "right-or-wrong-in-percent": _READING,
    "runs-only": "a matter of the design, said in the report",
    "several-modes": "the report shows the equal-tailed interval instead",
    "tests-disagree": "the report gives the p-values of both tests",
    "too-many-for-four-answers": "about answers that were not asked for",
    "wide-table": _LAYOUT,
}
"""Codes of findings (or patterns of codes) that no rule reports, with the reason."""
