"""What was found and what may be claimed: k-hat, names and effects of one claim, of a few, or a digest of many.

Each function here and in the other modules of `report.text` returns finished prose for one statement;
`paragraph` puts them in order. Nothing is said that the mathematics does not say: a count is "at least", a p-value is
never a probability of the hypothesis, and a large p-value is never "no difference" (methods: Dror et al. 2017,
section 4; Sadat Azer et al. 2020, sections 3-4).
"""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.numerals import level_text, p_value_text, percent_text
from reportkit.replicability.comparison import Comparison, Correction
from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, Text, joined, prose, sentences
from reportkit.report.score_format import ScoreScale, scale_for
from reportkit.report.text.across import digest_across, typical_sentence
from reportkit.report.text.effects import effect_sentence, effects_in_full, many_effects
from reportkit.report.text.hypotheses import by_metric
from reportkit.report.text.metrics import not_tested
from reportkit.report.text.reproduction import printed_claims_in_words

MANY_NAMES = 12
CAUTION = "; this is no evidence that they are equally good"

PROCEDURES: dict[Correction, str] = {
    "Holm": "Holm's procedure",
    "graph": "The procedure",
    "closed testing": "Closed testing",
}
"""What identifies datasets, as a sentence begins with it."""


def count_sentence(comparison: Comparison, alpha: float, family: Family, *, caution: bool = True) -> Prose:
    """What k-hat allows to say about one comparison: "at least", never "exactly".

    Parameters
    ----------
    comparison : Comparison
        One claim.
    alpha : float
        One of the levels.
    family : Family
        All comparisons, or those of one metric.
    caution : bool
        Say of a claim that is not shown that this is no evidence of equality; not where another sentence says so.
    """
    if family.across_datasets:
        return typical_sentence(comparison, alpha)
    k, n = comparison.k_hat[alpha], comparison.n_datasets
    best = k.recommended
    fields = {"a": comparison.system_a, "b": comparison.system_b + by_metric(comparison, family)}
    if n == 1:
        return _on_one_dataset(comparison, alpha, family, caution)
    if best == 0:
        return prose(
            "The data do not show that {a} is better than {b} on any dataset at level {level} ({k_hat} = 0){caution}.",
            level=level_text(alpha),
            caution=CAUTION if caution else "",
            **fields,
        )
    how = " by Fisher's combination" if k.method == "fisher" else ""
    return prose(
        "With {confidence} confidence, {a} is better than {b} on {least} ({k_hat} = {best}{how}).",
        confidence=percent_text(1 - alpha),
        least=("both datasets" if n == 2 else f"all {n} datasets") if best == n else f"at least {best} of {n} datasets",
        best=best,
        how=f"{how}, which does not name them" if how and best < n else how,
        **fields,
    )


def _on_one_dataset(comparison: Comparison, alpha: float, family: Family, caution: bool) -> Prose:
    """No count: the claim holds or is not shown; with the p-value."""
    alone = family.n_hypotheses == 1 and family.sides == 1 and comparison.metric == family.metrics[0]
    fields: dict[str, Prose | str] = {
        "a": comparison.system_a,
        "b": comparison.system_b + by_metric(comparison, family),
        "data": comparison.datasets[0],
        "p_value": p_value_in_words(float(comparison.adjusted_p_values[0]), adjusted=not alone),
    }
    if comparison.k_hat[alpha].recommended == 0:
        return prose(
            "The data do not show that {a} is better than {b} on {data} at level {level} ({p_value}){caution}.",
            level=level_text(alpha),
            caution=CAUTION if caution else "",
            **fields,
        )
    return prose(
        "With {confidence} confidence, {a} is better than {b} on {data} ({p_value}).",
        confidence=percent_text(1 - alpha),
        **fields,
    )


def p_value_in_words(p_value: float, *, adjusted: bool = False) -> Prose:
    """Write "p = .012", "adjusted p < .001"."""
    text = p_value_text(p_value)
    relation = text[0] if text[0] in "<>" else "="
    return prose(
        "{adjusted}{p} {relation} {value}",
        adjusted="adjusted " if adjusted else "",
        relation=relation,
        value=text.removeprefix(relation),
    )


def identify_sentence(comparison: Comparison, alpha: float, family: Family) -> Prose:
    """Which of several datasets are identified, and what the guarantee is; nothing where there is one dataset."""
    names = [name for name, found in zip(comparison.datasets, comparison.marked(alpha), strict=True) if found]
    n = comparison.n_datasets
    if n == 1:
        return ()
    procedure = PROCEDURES[comparison.correction]
    if not names:
        return _not_marked(comparison, alpha) or prose("{it} identifies none of them.", it=procedure)
    return sentences(
        prose(
            "{it} identifies {names} (adjusted {p} ≤ {level}).",
            it=procedure,
            names=("both" if n == 2 else "all of them") if len(names) == n else some(names, MANY_NAMES),
            level=level_text(alpha),
        ),
        _not_marked(comparison, alpha),
    )


def _not_marked(comparison: Comparison, alpha: float) -> Prose:
    """Say where a p-value is small though the scores do not have the claimed direction."""
    found = comparison.identified(alpha) & ~comparison.marked(alpha)
    names = [name for name, one in zip(comparison.datasets, found, strict=True) if one]
    if not names or comparison.exploratory:
        return ()
    return prose(
        "On {names} the adjusted {p}-value is at most {level}, but {a} does not score better there, so that no claim "
        "is made.",
        level=level_text(alpha),
        names=some(names, MANY_NAMES),
        a=comparison.system_a,
    )


def naive_count(comparison: Comparison, alpha: float, family: Family) -> Prose:
    """The usual count, named as what it is; nothing where it is the same as the bound."""
    k = comparison.k_hat[alpha]
    if k.count == k.recommended or comparison.n_datasets == 1:
        return ()
    return prose(
        "(The uncorrected count of {p} ≤ {level} is {count}; it carries no error guarantee.)",
        level=level_text(alpha / family.sides),
        count=k.count,
    )


MOST_COMPARISONS_IN_WORDS = 6


def results_of(analysis: ReplicabilityAnalysis, scale: ScoreScale, *, full: bool = False) -> Prose:
    """What may be said by each metric, the primary one first; what is exploratory is called so."""
    if analysis.printed:
        return sentences(*printed_claims_in_words(analysis))
    if not analysis.family.several_metrics:
        return results_in_words(analysis.family, scale, full=full)
    found = []
    for part in analysis.parts:
        family = part.family
        words = not_tested(analysis.family, family.comparisons[0].metric, family.alpha[0]) or results_in_words(
            family, scale_for(family.assessments), full=full
        )
        found.append(_as_exploratory(words) if family.comparisons[0].exploratory else words)
    return sentences(*found)


def results_in_words(family: Family, scale: ScoreScale, *, full: bool = False) -> Prose:
    """k-hat, names and effect sizes; a digest where there are many comparisons."""
    alpha = family.alpha[0]
    effect = effects_in_full if full else effect_sentence
    if family.one_claim:
        return sentences(
            *(_claim(comparison, family, full=full) for comparison in family.comparisons),
            effect(family.comparisons[0], scale, family),
        )
    if family.design in ("baselines", "separate") and family.n_claims <= MOST_COMPARISONS_IN_WORDS:
        return sentences(
            *(
                sentences(_claim(item, family, full=full, naive=False), effect(item, scale, family))
                for item in family.comparisons
            )
        )
    return sentences(digest_sentence(family, alpha), many_effects(family, scale))


def results_in_brief(whole: Family, family: Family) -> Prose:
    """k-hat and names, without effect sizes."""
    alpha = family.alpha[0]
    first = family.comparisons[0]
    if closed := not_tested(whole, first.metric, alpha):
        return closed
    many = family.design == "all-pairs" or family.n_claims > MOST_COMPARISONS_IN_WORDS
    words = (
        digest_sentence(family, alpha)
        if many
        else sentences(*(_claim_in_brief(item, family) for item in family.comparisons))
    )
    return _as_exploratory(words) if first.exploratory else words


def _as_exploratory(words: Prose) -> Prose:
    """Put before a sentence that nothing in it is confirmed."""
    first = words[0]
    if isinstance(first, Text) and first.text.startswith(("With ", "The ", "At ")):
        words = (Text(first.text[:1].lower() + first.text[1:]), *words[1:])
    return sentences(prose("Exploratory:"), words)


def _claim(comparison: Comparison, family: Family, *, full: bool = False, naive: bool = True) -> Prose:
    """One claim: how many datasets, which, and in full at the other levels, too."""
    alpha = family.alpha[0]
    k = comparison.k_hat[alpha]
    named = (k.bonferroni or k.recommended) and not comparison.exploratory
    return sentences(
        count_sentence(comparison, alpha, family, caution=family.n_claims == 1),
        identify_sentence(comparison, alpha, family) if named else (),
        naive_count(comparison, alpha, family) if naive and comparison.metric == family.metrics[0] else (),
        _at_other_levels(comparison, family) if full else (),
    )


def _claim_in_brief(comparison: Comparison, family: Family) -> Prose:
    """How many datasets and which, in one sentence."""
    alpha = family.alpha[0]
    count = count_sentence(comparison, alpha, family, caution=family.n_claims == 1)
    if comparison.exploratory or not (comparison.k_hat[alpha].bonferroni or comparison.k_hat[alpha].recommended):
        return count
    names = identify_sentence(comparison, alpha, family)
    if not names or not isinstance(count[-1], Text) or not isinstance(names[0], Text):
        return sentences(count, names)
    first = names[0].text
    begun = Text(first[:1].lower() + first[1:] if first.startswith(("The ", "Closed ")) else first)
    return joined((*count[:-1], Text(count[-1].text.removesuffix(".") + "; "), begun, *names[1:]))


def _at_other_levels(comparison: Comparison, family: Family) -> Prose:
    """k-hat at the stricter levels, where datasets are counted."""
    if comparison.n_datasets == 1 or comparison.k_hat[family.alpha[0]].recommended == 0:
        return ()
    values = [(level, comparison.k_hat[level].recommended) for level in family.alpha[1:]]
    return sentences(
        *(prose("At level {level}, {k_hat} = {k}.", level=level_text(level), k=str(k)) for level, k in values)
    )


def digest_sentence(family: Family, alpha: float) -> Prose:
    """How many of many comparisons are supported, and which systems nobody beats."""
    if family.across_datasets:
        return digest_across(family, alpha)
    shown = [item for item in family.comparisons if item.k_hat[alpha].recommended > 0]
    everywhere = sum(item.k_hat[alpha].recommended == item.n_datasets for item in shown)
    n = len(family.datasets)
    if not shown:
        return prose(
            "At level {level}, none of {claims} is supported{by}{where}.",
            level=level_text(alpha),
            by=by_metric(family.comparisons[0], family),
            claims=counted(family.n_claims, "ordered pair" if family.design == "all-pairs" else "claim"),
            where=f" on {family.datasets[0]}" if n == 1 else prose(" on any dataset ({k_hat} = 0)"),
        )
    of_them = "all" if everywhere == len(shown) > 1 else str(everywhere or "none")
    every = ("both" if n == 2 else f"all {n}") if family.on_same_datasets else "all"
    shared = "" if family.on_same_datasets else " that both systems have"
    where = "" if n == 1 else f", {of_them} of them on {every} datasets{shared}"
    return sentences(
        prose(
            "At level {level}, {shown} of {claims} {are} supported{by}{where}{everywhere}.",
            level=level_text(alpha),
            by=by_metric(family.comparisons[0], family),
            shown=len(shown),
            claims=counted(family.n_claims, "ordered pair" if family.design == "all-pairs" else "claim"),
            are="is" if len(shown) == 1 else "are",
            where=f" on {family.datasets[0]}" if n == 1 else prose(" on at least one dataset ({k_hat} ≥ 1)"),
            everywhere=where,
        ),
        _unbeaten(family, alpha) if family.design == "all-pairs" else (),
    )


def _unbeaten(family: Family, alpha: float) -> Prose:
    beaten = {item.system_b for item in family.comparisons if item.k_hat[alpha].recommended > 0}
    systems = family.systems_a
    others = [name for name in systems if name not in beaten]
    if not others or len(others) > MOST_COMPARISONS_IN_WORDS:
        return ()
    return prose(
        "No system is shown to be better than {others}{by} on {any}.",
        others=listed(others, last="or"),
        by=by_metric(family.comparisons[0], family),
        any="any dataset" if len(family.datasets) > 1 else family.datasets[0],
    )
