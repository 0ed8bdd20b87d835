"""The sentences of a report: who is compared with whom, and what may be claimed.

Each function here and in the modules `*_wording` returns finished prose for one statement; `report.paragraph` puts them
in order. Nothing is said that the mathematics does not say: a count is "at least", a p-value is never a probability of
the hypothesis, and a large p-value is never "no difference" (methods: Dror et al. 2017, section 4; Sadat Azer et al.
2020, sections 3-4).
"""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed, some, spanned
from reportkit.language.numerals import level_text, p_value_text, percent_text
from reportkit.replicability.comparison import Comparison, Correction
from reportkit.replicability.family import Family
from reportkit.report.prose import (
    Code,
    Emphasis,
    Prose,
    Raised,
    Reference,
    Strong,
    Symbol,
    Text,
    Typeset,
    prose,
    sentences,
)
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.across_wording import across_datasets, typical_sentence
from reportkit.report.text.hypotheses_wording import direction, sidedness
from reportkit.report.text.unpaired_wording import sizes_of
from reportkit.significance.outcome import Assessment

MANY_NAMES = 12
CAUTION = "; this is no evidence that they are equally good"

PROCEDURES: dict[Correction, str] = {
    "Holm": "Holm's procedure",
    "graph": "The procedure",
    "closed testing": "Closed testing",
}
"""What identifies datasets, as a sentence begins with it."""

SYMBOL_NAMES = {
    "k_hat": "k-hat",
    "k_hat_bonferroni": "k-hat Bonferroni",
    "k_hat_fisher": "k-hat Fisher",
    "k_hat_count": "k-hat count",
    "p_u": "p",
}


def what_is_compared(family: Family) -> Prose:
    """Who is compared with whom, on how much data."""
    first = family.comparisons[0]
    fields = {"a": first.system_a, "b": first.system_b, "data": on_the_data(family)}
    if family.design == "declared":
        return prose("We ask whether {a} is better than {b} {data}.", **fields)
    if family.design == "both":
        return prose("We compare {a} and {b} {data}.", **fields)
    if family.design == "separate":
        claims = listed(f"{item.system_a} is better than {item.system_b}" for item in family.comparisons)
        several = family.n_claims > 1
        return prose(
            "We examine {printed} {data}{each}: {claims}.",
            printed=f"{family.n_claims} printed claims" if several else "one printed claim",
            each=", each by itself" if several else "",
            data=fields["data"],
            claims=claims,
        )
    n_systems = len({item.system_a for item in family.comparisons})
    if family.design == "all-pairs":
        n_pairs, possible = family.n_claims // 2 // len(family.metrics_here), n_systems * (n_systems - 1) // 2
        return prose(
            "We compare {pairs} of {systems} {data}{apart}.",
            pairs="all pairs" if n_pairs == possible else f"{n_pairs:,} of the {possible:,} pairs",
            systems=counted(n_systems, "system"),
            data=fields["data"],
            apart="" if n_pairs == possible else "; the others have no dataset in common",
        )
    baselines = tuple(dict.fromkeys(item.system_b for item in family.comparisons))
    return prose(
        "We ask {which} better than {baselines} {data}.",
        which=f"which of {counted(n_systems, 'system')} is" if n_systems > 1 else f"whether {first.system_a} is",
        baselines=listed(baselines),
        data=fields["data"],
    )


def null_in_brief(family: Family) -> Prose:
    """The null hypothesis without the words of a test, and in which direction it is tested."""
    first = family.comparisons[0]
    if family.design not in ("declared", "baselines"):
        return sidedness(family)
    several = len(family.datasets) > 1
    if family.design == "declared":
        return prose(
            "The null hypothesis is that {a} is not better than {b}{where}; we test it{each} one-sided, in the "
            "direction {direction}.",
            a=first.system_a,
            b=first.system_b,
            where="",
            each=" on each dataset," if several else "",
            direction=direction(family),
        )
    one = len({item.system_b for item in family.comparisons}) == 1
    return prose(
        "Each null hypothesis says that {a} is not better than {b}{where}; we test it one-sided, in the direction "
        "{direction}.",
        a="a system" if len({item.system_a for item in family.comparisons}) > 1 else first.system_a,
        b=first.system_b if one else "a baseline",
        where=" on one dataset" if several else "",
        direction=direction(family),
    )


def on_the_data(family: Family) -> str:
    """Number of datasets and instances (runs, folds): "on 4 datasets (4,200 to 10,605 instances each)"."""
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    units = {item.unit for item in items}
    unit = units.pop() if len(units) == 1 else "instance"
    sizes = [n for item in items for n in sizes_of(item)]
    apart = any(len(set(sizes_of(item))) > 1 for item in family.comparisons[0].assessments)
    names = family.datasets
    if len(names) == 1:
        n = f" ({spanned(sizes, unit)}{' of each system' if apart else ''})" if sizes else ""
        return f"on one dataset, {names[0]}{n}"
    each = f" ({spanned(sizes, unit)} {'of each system' if apart else 'each'})" if sizes else ""
    return f"on {len(names)} datasets{each}"


def by_metric(comparison: Comparison, family: Family) -> str:
    """By which of several metrics systems are compared: " by chrF"; empty if there is one."""
    return f" by {comparison.metric}" if family.several_metrics else ""


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
    if across_datasets(family):
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


def interval_text(item: Assessment, scale: ScoreScale) -> str:
    """Write the interval of a difference: `[+0.4, +3.1]`; empty if there is none."""
    if item.interval is None:
        return ""
    return scale.interval(item.interval.low, item.interval.high)


def plain(content: Prose) -> str:
    """Plain text of words only, for terminals; symbols by their names.

    Examples
    --------
    >>> plain(prose("{k_hat} = 3"))
    'k-hat = 3'
    """
    words = []
    for part in content:
        if isinstance(part, (Text, Strong, Emphasis, Code)):
            words.append(part.text)
        elif isinstance(part, Typeset):
            words.append(part.plain)
        elif isinstance(part, Raised):
            words.append(part.signs)
        elif isinstance(part, Symbol):
            words.append(SYMBOL_NAMES.get(part.name, part.name))
        elif isinstance(part, Reference):
            words.append(f"{part.kind} {part.name}")
        elif words:
            words[-1] = words[-1].removesuffix(" ")
    return "".join(words)
