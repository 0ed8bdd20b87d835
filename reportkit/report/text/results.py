"""The results in full: the verdict, at all levels, with each difference and its interval."""

from __future__ import annotations

from reportkit.language.counts_and_lists import some
from reportkit.language.numerals import level_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import ScoreScale, scale_of
from reportkit.report.text.effects import effects_in_full, many_effects, what_intervals_are
from reportkit.report.text.verdict import verdict_in_words, what_is_possible

MANY_NAMES = 12
MOST_COMPARISONS_IN_WORDS = 6


def results_in_full(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """What was found by each metric, the differences with their intervals, and what the intervals are."""
    said = verdict_in_words(analysis).results
    if analysis.printed:
        return sentences(*said)
    effects = [_effects(part, scale_of(part) if analysis.several_metrics else scale) for part in analysis.parts]
    shown = analysis.comparisons
    if analysis.design == "both":
        shown = tuple(analysis.of_metric(metric).comparisons[0] for metric in analysis.metrics_here)
    single = len(shown) == 1 and shown[0].n_datasets == 1
    return sentences(*said, what_is_possible(analysis), *effects, what_intervals_are(analysis, single=single))


def _effects(family: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Each difference of one claim or a few, and the other levels; of many, the extremes."""
    if family.design == "all-pairs" or family.n_claims > MOST_COMPARISONS_IN_WORDS:
        return many_effects(family, scale)
    shown = family.comparisons[:1] if family.design == "both" else family.comparisons
    return sentences(
        *(sentences(_at_other_levels(item, family), _not_marked(item, family.alpha[0])) for item in family.comparisons),
        *(effects_in_full(item, scale, family) for item in shown),
    )


def _at_other_levels(comparison: Comparison, family: ReplicabilityAnalysis) -> Prose:
    """The number of datasets at the stricter levels, where datasets are counted."""
    if comparison.n_datasets == 1 or comparison.k_hat[family.alpha[0]].recommended == 0:
        return ()
    which = "" if family.one_claim else f" for {comparison.system_a} over {comparison.system_b}"
    return sentences(
        *(
            prose(
                "At level {level}, {k_hat} = {k}{which}; each of these statements holds with its own confidence.",
                level=level_text(level),
                k=str(comparison.k_hat[level].recommended),
                which=which,
            )
            for level in family.alpha[1:]
        )
    )


def _not_marked(comparison: Comparison, alpha: float) -> Prose:
    """Say where a p-value is small though the scores do not have the claimed direction."""
    found = comparison.identified(alpha) & ~comparison.marked(alpha)
    names = [name for name, one in zip(comparison.datasets, found, strict=True) if one]
    if not names or comparison.exploratory:
        return ()
    return prose(
        "On {names} the adjusted {p}-value is at most {level}, but {a} does not score better there, so we claim "
        "nothing.",
        level=level_text(alpha),
        names=some(names, MANY_NAMES),
        a=comparison.system_a,
    )
