"""The figures of a report of calibration, with their captions."""

from __future__ import annotations

from reportkit.calibration.bins import DomainShift
from reportkit.calibration.joint import JointNull
from reportkit.calibration.pairs import gain_thresholds
from reportkit.calibration.study import CalibrationStudy
from reportkit.figures.calibration_bins import calibration_bins_content, transfer_bins_content
from reportkit.figures.domain_shift import domain_shift_content
from reportkit.figures.drawing.axes import MOST_CURVES
from reportkit.figures.gain_confidence import gain_confidence_content, one_size_content
from reportkit.figures.k_hat_histogram import k_hat_histogram_content
from reportkit.figures.null_p_values import null_p_value_content
from reportkit.figures.size_curve import size_curve_content
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text
from reportkit.report.calibration.calibration_cells import once, titles, titles_by_dataset
from reportkit.report.model import Figure
from reportkit.report.prose import cite, prose, sentences
from reportkit.report.score_format import ScoreScale

MOST_SCATTERS = 12
"""With more datasets, those with the most pairs near .05 are drawn."""

MOST_TRANSFERS = 120
"""With more ordered pairs of datasets, the table alone holds them."""

_NAMES = {"signflip": "null-sign-flips", "recentre": "null-recentred", "seeds": "null-runs"}
_HOW = {"signflip": "signs flipped", "recentre": "differences recentred", "seeds": "runs of one system"}


def null_figures(study: CalibrationStudy) -> list[Figure]:
    """Distribution of p-values without an effect, one figure for each way to make the null hypothesis true."""
    figures = []
    several = len(once([f"{item.system_a}\x1f{item.system_b}" for item in study.nulls])) > 1
    for null in once([item.null for item in study.nulls]):
        found = [item for item in study.nulls if item.null == null]
        names = [f"{item.dataset}, {item.system_a} and {item.system_b}" if several else item.dataset for item in found]
        first = found[0]
        caption = sentences(
            prose(
                "Distribution of one-sided {p}-values where there is no effect ({how}); {r} replicates, {b} resamples, "
                "seed {seed}, n = {n}.",
                how=_HOW[null],
                r=listed(once([f"{item.n_replicates:,}" for item in found])),
                b=f"{first.n_resamples:,}",
                seed=first.seed,
                n=listed(once([f"{item.n:,}" for item in found])),
            ),
            prose("Tests: {tests}.", tests=listed(once([item.title for item in found]))),
            prose("Of both directions, the one with more small {p}-values is shown.") if null == "recentre" else (),
        )
        figures.append(
            Figure.of("null-p-values", null_p_value_content(found, names), name=_NAMES[null], caption=caption)
        )
    return figures


def k_hat_figure(found: JointNull, suffix: str = "") -> Figure:
    """Histogram of k-hat without any effect."""
    caption = sentences(
        prose(
            "{k_hat} in {r} families of {n} datasets without any effect ({a} and {b} exchanged by coins, one for each "
            "instance or cluster wherever it occurs), at {alpha}; seed {seed}.",
            r=f"{found.n_replicates:,}",
            n=len(found.datasets),
            a=found.system_a,
            b=found.system_b,
            alpha=level_text(found.alpha),
            seed=found.seed,
        ),
        prose("Tests: {tests}.", tests=titles(once(found.tests))),
    )
    return Figure.of("k-hat-histogram", k_hat_histogram_content(found), name=f"k-hat-null{suffix}", caption=caption)


def gain_figures(study: CalibrationStudy, scale: ScoreScale) -> list[Figure]:
    """Confidence against gain, one figure per dataset."""
    both = list(zip(study.compared, study.thresholds, strict=True))
    kept = sorted(range(len(both)), key=lambda place: -both[place][1][0].n_in_window)[:MOST_SCATTERS]
    figures = []
    for place in sorted(kept):
        found, thresholds = both[place]
        content = gain_confidence_content(found, thresholds, study.families, in_percent=scale.factor == 100)
        caption = sentences(
            prose(
                "Confidence 1 − {p} against gain, {n} of systems on {dataset} (n = {size}, {tests}).",
                n=counted(found.n_pairs, "pair"),
                dataset=found.dataset,
                size=f"{found.n:,}",
                tests=titles(found.tests),
            ),
            prose(
                "{n} with larger gains, all with {p} ≤ .01, {be} not drawn.",
                n=counted(content.n_beyond, "pair"),
                be="is" if content.n_beyond == 1 else "are",
            )
            if content.n_beyond
            else (),
            prose("One in {n} pairs is drawn.", n=content.every) if content.every > 1 else (),
            prose("Other datasets are in the table alone.") if len(kept) < len(both) and place == max(kept) else (),
        )
        suffix = f"-{place + 1}" if len(both) > 1 else ""
        figures.append(Figure.of("gain-confidence", content, name=f"gain-confidence{suffix}", caption=caption))
    return [*figures, *_one_size_figure(study, scale)]


def _one_size_figure(study: CalibrationStudy, scale: ScoreScale) -> list[Figure]:
    """Confidence against gain on as many instances of several datasets; none of one dataset."""
    found = study.same_size
    if len(found) < 2:
        return []
    level, seed = study.plan.confidence_level, study.plan.rng
    thresholds = [gain_thresholds(item, level=level, seed=seed)[0] for item in found]
    content = one_size_content(found, thresholds, in_percent=scale.factor == 100)
    caption = prose(
        "Confidence 1 − {p} against gain on {n} random instances of each of {datasets} ({tests}, seed {seed}): what is "
        "left of the difference between datasets where their size is the same {cite}.",
        n=f"{found[0].n:,}",
        datasets=counted(len(found), "dataset"),
        tests=titles(once([name for item in found for name in item.tests])),
        seed=seed,
        cite=cite("bergkirkpatrick2012empirical"),
    )
    return [Figure.of("gain-confidence", content, name="gain-confidence-one-size", caption=caption)]


def size_figures(study: CalibrationStudy, scale: ScoreScale) -> list[Figure]:
    """P-values and smallest detectable differences against the size of the test set, the largest datasets first."""
    several = len(study.pairs) > 1
    curves = [curve for curve in study.sizes if curve.sizes.size > 1]
    if not curves:
        return []
    chosen = sorted(curves, key=lambda curve: -curve.n)[:MOST_CURVES]
    shown = [curve for curve in curves if any(curve is one for one in chosen)]
    names = [f"{curve.dataset}, {curve.system_a} > {curve.system_b}" if several else curve.dataset for curve in shown]
    content = size_curve_content(shown, names, in_percent=scale.factor == 100)
    first = shown[0]
    caption = sentences(
        prose(
            "Median {p}-value of {n} random parts of each size, and smallest difference that is detected with power "
            "{power} at {alpha}, one-sided ({test}, seed {seed}).",
            n=f"{first.n_subsamples:,}",
            power=level_text(first.power),
            alpha=level_text(first.alpha),
            test=titles([first.test]),
            seed=first.seed,
        ),
        prose("The figure shows the {n} largest of {all}.", n=len(shown), all=len(study.sizes))
        if len(shown) < len(study.sizes)
        else (),
    )
    return [Figure.of("size-curve", content, name="test-size", caption=caption)]


def bins_figures(study: CalibrationStudy) -> list[Figure]:
    """Reliability within datasets."""
    with_bins = [item for item in study.bins if item.bins]
    if not with_bins:
        return []
    shown = with_bins[:MOST_CURVES]
    content = calibration_bins_content(shown, study.plan.confidence_level)
    caption = sentences(
        prose(
            "Share of winners that are the better system, by the {p}-value with which they win ({test}, test sets of "
            "{m} units, seed {seed}).",
            test=titles_by_dataset(shown),
            m=listed(once([f"{item.test_size:,}" for item in shown])),
            seed=shown[0].seed,
        ),
        prose("The figure shows the first {n} of {all} datasets.", n=len(shown), all=len(with_bins))
        if len(shown) < len(with_bins)
        else (),
    )
    return [Figure.of("calibration-bins", content, name="calibration-bins", caption=caption)]


def domain_figures(found: DomainShift, alpha: float) -> list[Figure]:
    """Reliability across datasets, and the share of each ordered pair of them."""
    figures = []
    by_bins = transfer_bins_content(found)
    if len(by_bins.series[0].points) > 1:
        caption = prose(
            "Share of winners that win on another dataset too, by the {p}-value with which they win ({tests}; {n}).",
            tests=titles(found.tests),
            n=by_bins.series[0].name,
        )
        figures.append(Figure.of("calibration-bins", by_bins, name="transfer-bins", caption=caption))
    content = domain_shift_content(found, alpha=alpha)
    if 1 < len(content.rows) <= MOST_TRANSFERS:
        caption = prose(
            "Of pairs of systems with {p} ≤ {alpha} on one dataset ({tests}), share of winners that win on another one "
            "too.",
            alpha=level_text(alpha),
            tests=titles(found.tests),
        )
        figures.append(Figure.of("domain-shift", content, name="domain-shift", caption=caption))
    return figures
