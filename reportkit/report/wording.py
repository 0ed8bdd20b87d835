"""The sentences of a report: what was tested and how, what may be claimed, and what may not.

Each function returns finished prose for one statement; `report.paragraph` puts them in order. Nothing is said here
that the mathematics does not say: a count is "at least", a p-value is never a probability of the hypothesis, and a
large p-value is never "no difference" (methods: Dror et al. 2017, section 4; Sadat Azer et al. 2020, sections 3-4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportkit.numerals import bound_text, level_text, p_value_text, percent_text
from reportkit.phrases import counted, listed
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.replicability.independence import IndependenceAudit
from reportkit.report.across_wording import across_datasets, typical_sentence
from reportkit.report.clusters_wording import clusters_in_words, ratings_in_words
from reportkit.report.corpus_wording import what_is_summed, where_tests_disagree
from reportkit.report.prose import Cite, Code, Emphasis, Prose, Reference, Strong, Symbol, Text, prose, sentences
from reportkit.report.runs_wording import limits_of_runs, repetitions_in_words, same_runs_in_words
from reportkit.report.scores import ScoreScale
from reportkit.report.unpaired_wording import sizes_of, superiority_sentence
from reportkit.report.wins_wording import wins_sentence
from reportkit.settings import Settings
from reportkit.significance.assessment import Assessment
from reportkit.significance.bootstrap_t import BOUND
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

MANY_NAMES = 12

NEGLIGIBLE_ERROR = 1e-6
"""An exact p-value with a relative error below this is right in every digit that is printed."""

SYMBOL_NAMES = {
    "k_hat": "k-hat",
    "k_hat_bonferroni": "k-hat Bonferroni",
    "k_hat_fisher": "k-hat Fisher",
    "k_hat_count": "k-hat count",
    "p_u": "p",
}


def what_is_compared(family: Family, settings: Settings) -> Prose:
    """Who is compared with whom, on how much data, in which direction."""
    data = on_the_data(family)
    first = family.comparisons[0]
    if family.design == "declared":
        return prose(
            "We ask whether {a} is better than {b} {data}. {the} null hypothesis is that {a} is not better than {b}; "
            "it is "
            "tested one-sided, in the direction declared in advance.",
            the="The" if len(family.datasets) == 1 else "For each dataset the",
            a=first.system_a,
            b=first.system_b,
            data=data,
        )
    if family.design == "both":
        return prose(
            "We compare {a} and {b} {data}. No direction was declared in advance, so both are tested, each one-sided "
            "at half the "
            "level; all statements below hold together at the full level.",
            a=first.system_a,
            b=first.system_b,
            data=data,
        )
    if family.design == "baselines":
        baselines = tuple(dict.fromkeys(item.system_b for item in family.comparisons))
        systems = tuple(dict.fromkeys(item.system_a for item in family.comparisons))
        return prose(
            "We ask {which} better than {baselines} {data}. Each null hypothesis says that a system is not better than "
            "{one} on one dataset; it is tested one-sided, in the direction declared in advance.",
            which=f"which of {counted(len(systems), 'system')} is" if len(systems) > 1 else f"whether {systems[0]} is",
            baselines=listed(baselines),
            one="the baseline" if len(baselines) == 1 else "a baseline",
            data=data,
        )
    if family.design == "separate":
        claims = listed(f"{item.system_a} is better than {item.system_b}" for item in family.comparisons)
        return prose(
            "We examine {n} printed claims {data}, each by itself: {claims}. Each is read one-sided, in the "
            "direction claimed.",
            n=family.n_claims,
            data=data,
            claims=claims,
        )
    n_systems = len({item.system_a for item in family.comparisons})
    return prose(
        "We compare all pairs of {systems} {data}. No direction was declared in advance, so each pair is tested in "
        "both "
        "directions, one-sided.",
        systems=counted(n_systems, "system"),
        data=data,
    )


def on_the_data(family: Family) -> str:
    """Number of datasets and instances (runs, folds): "on 4 datasets (4,200 to 10,605 instances each)"."""
    sizes: dict[str, list[int]] = {}
    units = {item.unit for comparison in family.comparisons for item in comparison.assessments}
    unit = units.pop() if len(units) == 1 else "instance"
    for comparison in family.comparisons:
        for item in comparison.assessments:
            sizes.setdefault(item.dataset, []).extend(sizes_of(item))
    names = family.datasets
    every = [n for values in sizes.values() for n in values]
    apart = any(len(set(sizes_of(item))) > 1 for item in family.comparisons[0].assessments)
    if len(names) == 1:
        n = f" ({_span(every, unit)}{' of each system' if apart else ''})" if every else ""
        return f"on one dataset, {names[0]}{n}"
    each = f" ({_span(every, unit)} {'of each system' if apart else 'each'})" if every else ""
    return f"on {len(names)} datasets{each}"


def which_tests(family: Family) -> Prose:
    """Which test was used on which datasets, why it fits, what it assumes, how it was computed."""
    used: dict[tuple[str, str], list[Assessment]] = {}
    for comparison in family.comparisons:
        for item in comparison.assessments:
            used.setdefault((item.outcome.title, item.reason), []).append(item)
    identical = [items for (_, _), items in used.items() if items[0].outcome.test == "identical"]
    real = {key: items for key, items in used.items() if items[0].outcome.test != "identical"}
    tested = [item for items in real.values() for item in items]
    parts = [what_is_summed(tested)]
    parts += [_one_test(key, items, alone=len(real) == 1 and not identical) for key, items in real.items()]
    for items in identical:
        places = dict.fromkeys(item.dataset for item in items)
        parts.append(
            prose(
                "Where two systems have the same score on every {unit} ({places}), {p} = 1.",
                unit=items[0].unit,
                places=_some(list(places)),
            )
        )
    parts.append(_computed(tested))
    parts.append(where_tests_disagree(tested))
    return sentences(*parts)


def _one_test(key: tuple[str, str], items: Sequence[Assessment], *, alone: bool) -> Prose:
    title, reason = key
    places = list(dict.fromkeys(item.dataset for item in items))
    outcome = items[0].outcome
    if outcome.method == "printed":
        return prose("The {p}-values are those that the paper prints; the tests behind them are not repeated here.")
    where = "Each dataset is" if alone and len(places) > 1 else "The dataset is" if alone else _subject(places)
    cite = prose(" {cite}", cite=Cite((outcome.citation,)))
    because = (
        prose(", which was chosen by name")
        if reason == "named by the user"
        else prose(", because {reason}", reason=reason)
    )
    assumes = prose("It assumes that {it}.", it=listed(outcome.assumptions)) if outcome.assumptions else ()
    return sentences(
        prose("{where} tested with the {title}{cite}{because}.", where=where, title=title, cite=cite, because=because),
        assumes,
        clusters_in_words(items),
        ratings_in_words(items),
        repetitions_in_words(items),
    )


def _subject(places: list[str]) -> str:
    return f"The dataset {places[0]} is" if len(places) == 1 else f"The datasets {_some(places)} are"


def _computed(items: Iterable[Assessment]) -> Prose:
    outcomes = [item.outcome for item in items]
    exact = [outcome for outcome in outcomes if outcome.method == "exact"]
    drawn = [outcome for outcome in outcomes if outcome.method == "Monte Carlo"]
    parts: list[Prose] = []
    if exact and len(exact) == len(outcomes):
        error = max(outcome.relative_error for outcome in exact)
        bound = f" to a relative error of {bound_text(error)}" if error > NEGLIGIBLE_ERROR else ""
        parts.append(
            prose(
                "All {p}-values are exact{bound}, not estimated from random resamples{infinity}.",
                bound=bound,
                infinity=prose(" ({b} = infinity)", b=Emphasis("b"))
                if any(SIGNIFICANCE_TESTS[outcome.test].resamples for outcome in exact)
                else "",
            )
        )
    elif exact and drawn:
        parts.append(prose("The {p}-values are exact where nothing else is said."))
    if drawn:
        fewest, most = min(o.n_resamples or 0 for o in drawn), max(o.n_resamples or 0 for o in drawn)
        number = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        places = f" ({_some(list(dict.fromkeys(o.dataset for o in drawn)))})" if exact else ""
        parts.append(
            prose(
                "{which} estimated from {number} random resamples{places} and never zero, as the observed data "
                "count as one of them {cite} (seed {seed}).",
                which="The others are" if exact else prose("The {p}-values are"),
                number=number,
                places=places,
                cite=Cite(("phipson2010permutation",)),
                seed=drawn[0].seed or 0,
            )
        )
    if any(BOUND in outcome.algorithm for outcome in drawn):
        parts.append(
            prose(
                "Where the observed {t} is beyond all resamples, {p} is an upper bound of the tail for infinitely many "
                "of them.",
                t=Emphasis("t"),
            )
        )
    return sentences(*parts)


def how_counted(family: Family) -> Prose:
    """Correction, family, dependence between the datasets, and what the audit found."""
    if len(family.datasets) == 1 and family.one_claim:
        return ()
    correction = {
        "declared": "over the {n} datasets",
        "both": "over the {n} datasets, in each direction at half the level",
        "baselines": "over all {n} hypotheses (systems, baselines and datasets)",
        "all-pairs": "over all {n} hypotheses (ordered pairs and datasets)",
        "separate": "over the {n} datasets, for each claim by itself",
    }[family.design].format(n=f"{family.n_hypotheses:,}")
    identify = prose(
        "Datasets are identified by Holm's procedure {cite} {over}, which bounds the probability of one or more false "
        "claims under any dependence.",
        cite=Cite(("holm1979simple",)),
        over=correction,
    )
    fisher = family.audit.independent
    shared = {
        "declared": "",
        "both": ", at half the level in each direction",
        "baselines": f", at level {{alpha}}/{family.n_claims} for each comparison",
        "all-pairs": f", at level {{alpha}}/{family.n_claims} for each ordered pair",
        "separate": ", for each claim by itself",
    }[family.design]
    if fisher:
        count = prose(
            "The number of datasets is bounded from below by partial conjunction with Fisher's combination "
            "{cite}{shared}.",
            shared=prose(shared),
            cite=Cite(("dror2017replicability", "benjamini2008screening")),
        )
    elif family.one_claim or family.design == "separate":
        count = prose(
            "The number of datasets is bounded from below by partial conjunction with Bonferroni's combination {cite}, "
            "valid under any dependence; the bound equals the number of datasets identified.",
            cite=Cite(("dror2017replicability", "benjamini2008screening")),
        )
    else:
        count = prose(
            "The number of identified datasets is, for each comparison, a lower bound for the number of datasets on "
            "which its claim is true, for all comparisons together {cite}.",
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        )
    return sentences(identify, count, prose("{statement}", statement=dependence_statement(family.audit)))


def dependence_statement(audit: IndependenceAudit) -> str:
    """What was declared about dependence, and what speaks against it."""
    return _dependence(audit) + (f" {same_runs_in_words()}" if audit.independent and audit.same_runs else "")


def _dependence(audit: IndependenceAudit) -> str:
    if audit.declared == "independent" and not audit.evidence:
        if audit.blind:
            return f"The datasets are declared independent; shared instances could not be looked for ({audit.blind})."
        return "The datasets are declared independent; no two share instances, clusters or all their scores."
    found = f" ({_some(list(audit.evidence), 2)})" if audit.evidence else ""
    if audit.declared == "independent":
        return f"The datasets were declared independent, but they are not{found}; Fisher's combination is not used."
    if audit.declared == "dependent":
        return f"The datasets are dependent{found}."
    return f"The dependence between the datasets is not known{found}, and no assumption is made about it."


def by_metric(comparison: Comparison, family: Family) -> str:
    """By which of several metrics systems are compared: " by chrF"; empty if there is one."""
    return f" by {comparison.metric}" if family.several_metrics else ""


def count_sentence(comparison: Comparison, alpha: float, family: Family) -> Prose:
    """What k-hat allows to say about one comparison: "at least", never "exactly"."""
    if across_datasets(family):
        return typical_sentence(comparison, alpha)
    k, n = comparison.k_hat[alpha], comparison.n_datasets
    best = k.recommended
    by = by_metric(comparison, family)
    fields = {"a": comparison.system_a, "b": comparison.system_b + by, "level": percent_text(1 - alpha)}
    if best == 0:
        return prose(
            "The data do not show that {a} is better than {b} on {any} at level {alpha_value} ({k_hat} = 0); this is "
            "no "
            "evidence that they are equally good.",
            any="any dataset" if n > 1 else "this dataset",
            alpha_value=level_text(alpha),
            **fields,
        )
    if n == 1:
        return prose("With confidence {level}, {a} is better than {b} on this dataset.", **fields)
    method = "Fisher's" if k.method == "fisher" else "Bonferroni's"
    sentence = prose(
        "With confidence {level}, {a} is better than {b} on {least} ({k_hat} = {best}{how}).",
        how=f", partial conjunction with {method} combination" if k.method == "fisher" or not by else "",
        least=("both datasets" if n == 2 else f"all {n} datasets") if best == n else f"at least {best} of {n} datasets",
        best=best,
        **fields,
    )
    if k.method == "fisher" and best < n:
        sentence = sentences(sentence, prose("This statement does not name the datasets."))
    return sentence


def identify_sentence(comparison: Comparison, alpha: float, family: Family) -> Prose:
    """Which datasets are identified, and what the guarantee is."""
    names = [name for name, found in zip(comparison.datasets, comparison.marked(alpha), strict=True) if found]
    if comparison.n_datasets == 1:
        p = p_value_text(float(comparison.adjusted_p_values[0]))
        alone = family.n_hypotheses == 1 and comparison.metric == family.metrics[0]
        return prose("Its {adjusted}{p}-value is {value}.", adjusted="" if alone else "adjusted ", value=p)
    procedure = "The procedure" if family.gatekeeping == "by-dataset" else "Holm's procedure"
    if not names:
        return prose("{it} identifies no dataset.", it=procedure)
    if len(names) == comparison.n_datasets:
        return prose("{it} identifies all of them (adjusted {p} ≤ {level}).", it=procedure, level=level_text(alpha))
    return prose(
        "{it} identifies {names} (adjusted {p} ≤ {level}).",
        it=procedure,
        names=_some(names, MANY_NAMES),
        level=level_text(alpha),
    )


def naive_count(comparison: Comparison, alpha: float, family: Family) -> Prose:
    """The usual count, named as what it is."""
    return prose(
        "(Uncorrected count of {p} ≤ {level}: {count}; it carries no error guarantee.)",
        level=level_text(alpha / family.sides),
        count=comparison.k_hat[alpha].count,
    )


def effect_sentence(comparison: Comparison, scale: ScoreScale, by: str = "") -> Prose:
    """Smallest and largest observed difference, with what the interval is."""
    if shares := superiority_sentence(comparison) or wins_sentence(comparison):
        return shares
    items = comparison.assessments
    of = f"{comparison.system_a} {'minus' if items[0].higher_is_better else 'against'} {comparison.system_b}"
    differences = comparison.differences
    if len(items) == 1:
        item = items[0]
        interval = interval_text(item, scale)
        return prose(
            "The observed difference{by} is {d}{points}{interval}.",
            by=by,
            d=scale.difference(item.difference),
            points=scale.points_after,
            interval=f" ({percent_text(item.interval.level)} {item.interval.title} {interval})"
            if item.interval
            else "",
        )
    low, high = int(differences.argmin()), int(differences.argmax())
    return prose(
        "Observed differences{by} ({of}, positive where {a} is better) range from {low} ({where_low}) to {high} "
        "({where_high}){points}.",
        by=by,
        of=of,
        a=comparison.system_a,
        low=scale.difference(float(differences[low])),
        where_low=items[low].dataset,
        high=scale.difference(float(differences[high])),
        where_high=items[high].dataset,
        points=scale.points_after,
    )


def interval_text(item: Assessment, scale: ScoreScale) -> str:
    """Write the interval of a difference: `[+0.4, +3.1]`; empty if there is none."""
    if item.interval is None:
        return ""
    return f"[{scale.difference(item.interval.low)}, {scale.difference(item.interval.high)}]"


def what_is_not_claimed(family: Family) -> Prose:
    """The limits that no p-value removes."""
    of_runs = limits_of_runs(family)
    if len(family.datasets) == 1:
        return of_runs or prose("The result speaks of the population that this test set is a sample of.")
    left = any(not comparison.identified(family.alpha[0]).all() for comparison in family.comparisons)
    return sentences(
        prose("On datasets that are not identified, the systems are not shown to be equally good.") if left else (),
        of_runs or prose("Each result speaks of the population that its test set is a sample of."),
    )


def _span(values: list[int], noun: str) -> str:
    low, high = min(values), max(values)
    return counted(low, noun) if low == high else f"{low:,} to {high:,} {noun}s"


def _some(names: list[str], most: int = 6) -> str:
    if len(names) <= most:
        return listed(names)
    return ", ".join(names[: most - 1]) + f" and {len(names) - most + 1} others"


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
        elif isinstance(part, Symbol):
            words.append(SYMBOL_NAMES.get(part.name, part.name))
        elif isinstance(part, Reference):
            words.append(f"{part.kind} {part.name}")
        elif words:
            words[-1] = words[-1].removesuffix(" ")
    return "".join(words)
