"""One content of each kind of figure about calibration, from small simulated results."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from reportkit.calibration.study import CalibrationStudy, StudyPlan, carry_out
from reportkit.figures.calibration_bins import calibration_bins_content
from reportkit.figures.domain_shift import domain_shift_content
from reportkit.figures.gain_confidence import gain_confidence_content
from reportkit.figures.k_hat_histogram import k_hat_histogram_content
from reportkit.figures.null_p_values import null_p_value_content
from reportkit.figures.size_curve import size_curve_content
from reportkit.scores.scores import Results, Scores


@lru_cache(maxsize=1)
def small_study() -> CalibrationStudy:
    """Seven systems of two families on two datasets, right or wrong."""
    rng = np.random.default_rng(7)
    blocks = []
    for name in ("news", "talks"):
        ease = rng.normal(size=100)
        scores = (np.linspace(0, 1.0, 7)[:, None] + ease + rng.normal(size=(7, 100)) > 0).astype(float)
        blocks.append(
            Scores(
                dataset=name,
                metric="accuracy",
                systems=tuple(f"s{index}" for index in range(7)),
                instances=np.array([f"{name}-{index}" for index in range(100)], dtype=object),
                kind="binary",
                scores=scores,
            )
        )
    plan = StudyPlan(
        families={f"s{index}": "small" if index < 4 else "large" for index in range(7)},
        n_replicates=60,
        n_subsamples=10,
        max_tests=700,
    )
    return carry_out(Results(datasets=tuple(blocks)), plan)


def calibration_contents() -> dict[str, Any]:
    """By kind."""
    study = small_study()
    assert study.domains is not None
    names = [item.dataset for item in study.nulls]
    return {
        "null-p-values": null_p_value_content(study.nulls, names, "signs flipped"),
        "k-hat-histogram": k_hat_histogram_content(study.joint[0]),
        "gain-confidence": gain_confidence_content(
            study.compared[0], study.thresholds[0], study.families, in_percent=True
        ),
        "size-curve": size_curve_content(study.sizes, [curve.dataset for curve in study.sizes], in_percent=True),
        "calibration-bins": calibration_bins_content(study.bins),
        "domain-shift": domain_shift_content(study.domains, alpha=0.05),
    }
