"""The section on Friedman's test: whether the systems differ on a typical dataset, and which pairs do."""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import fixed, level_text, p_value_text
from reportkit.replicability.friedman import FriedmanOutcome, PairDifference
from reportkit.report.model import Cell, Column, Paragraph, Row, Section, Table
from reportkit.report.prose import Cite, Prose, Reference, prose, sentences
from reportkit.report.score_format import ScoreScale, p_text
from reportkit.report.tables.bold import best_of
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

MOST_PAIRS_IN_WORDS = 6
MOST_PAIRS_SHOWN = 45


def friedman_section(outcome: FriedmanOutcome, scale: ScoreScale, *, pairs_above: bool = False) -> Section:
    """Words, average ranks and pairs.

    Where the report compares the pairs over the datasets already (`pairs_above`), they are not given again: two
    adjusted p-values of one comparison, in one report, would be one too many.
    """
    title = "Do the systems differ on a typical dataset?"
    ranks = rank_table(outcome)
    given = prose("{ranks} gives the average ranks", ranks=(Reference("table", ranks.name),))
    if pairs_above:
        lead = prose("{given}; the pairs are compared above, with one adjustment for all of them.", given=given)
        return Section(title=title, blocks=(Paragraph(content=sentences(_omnibus(outcome), lead)), ranks))
    pairs = pair_table(outcome, scale)
    lead = prose("{given}, {pairs} the pairs.", given=given, pairs=(Reference("table", pairs.name),))
    words = sentences(friedman_words(outcome), lead)
    return Section(title=title, blocks=(Paragraph(content=words), ranks, pairs))


def _omnibus(outcome: FriedmanOutcome) -> Prose:
    """What Friedman's test says, and which question it answers."""
    first, second = outcome.degrees_of_freedom
    return sentences(
        prose(
            "Friedman's test {cite} asks whether the systems differ on a typical dataset, from the ranks of {k} on "
            "{n}; it does not say on which of them, or on how many, they differ.",
            cite=Cite(("friedman1937use", "demsar2006statistical")),
            k=counted(outcome.n_systems, "system"),
            n=counted(outcome.n_datasets, "dataset"),
        ),
        prose(
            "Chi-squared is {chi} ({first} degrees of freedom, {p} {p_chi}); with the correction of Iman and Davenport "
            "{cite}, F({first}, {second}) is {f}, {p} {p_f}.",
            chi=fixed(outcome.chi_squared, 2),
            first=first,
            second=second,
            p_chi=_equals(outcome.chi_squared_p),
            f="infinite" if outcome.f == float("inf") else fixed(outcome.f, 2),
            p_f=_equals(outcome.f_p),
            cite=Cite(("iman1980approximations",)),
        ),
    )


def friedman_words(outcome: FriedmanOutcome) -> Prose:
    """What Friedman's test and its follow-ups say, and which question they answer."""
    return sentences(
        _omnibus(outcome),
        prose(
            "Pairs are compared on their own scores by {title} over the datasets {cite}, two-sided, adjusted by Holm's "
            "procedure over {pairs}; differences of average ranks are not tested, as they depend on the other systems "
            "{benavoli}.",
            title=f"the {SIGNIFICANCE_TESTS[outcome.follow_up].title}",
            cite=Cite((SIGNIFICANCE_TESTS[outcome.follow_up].citation,)),
            pairs=counted(len(outcome.pairs), "pair"),
            benavoli=Cite(("benavoli2016should",)),
        ),
        _found(outcome),
    )


def _equals(p_value: float) -> str:
    written = p_value_text(p_value)
    return written if written.startswith("<") else f"= {written}"


def _found(outcome: FriedmanOutcome) -> Prose:
    differing = outcome.differing
    level = level_text(outcome.alpha)
    if not differing:
        return prose(
            "At level {level} no pair is shown to differ on a typical dataset; this is no evidence that the systems "
            "are equally good.",
            level=level,
        )
    names = [f"{_better(pair)} over {_worse(pair)}" for pair in differing[:MOST_PAIRS_IN_WORDS]]
    more = f" and {len(differing) - len(names)} others" if len(differing) > len(names) else ""
    return prose(
        "At level {level}, {n} of {all} {differ} on a typical dataset: {names}{more}.",
        level=level,
        n=len(differing),
        all=counted(len(outcome.pairs), "pair"),
        differ="differs" if len(differing) == 1 else "differ",
        names=", ".join(names) if more else listed(names),
        more=more,
    )


def _better(pair: PairDifference) -> str:
    return pair.system_a if pair.mean_difference >= 0 else pair.system_b


def _worse(pair: PairDifference) -> str:
    return pair.system_b if pair.mean_difference >= 0 else pair.system_a


def rank_table(outcome: FriedmanOutcome) -> Table:
    """Average rank of each system, best first, all that share the best rank in bold."""
    best = best_of(list(outcome.average_ranks.values()), higher_is_better=False)
    rows = tuple(
        Row(cells=(Cell.of(name), Cell.of(fixed(rank, 2), bold=bold)))
        for (name, rank), bold in zip(outcome.average_ranks.items(), best, strict=True)
    )
    return Table(
        name="average-ranks",
        caption=prose("Average rank over {n}.", n=counted(outcome.n_datasets, "dataset")),
        legend=prose("1 is best; ties share a rank. Best rank in bold."),
        columns=(Column.left("System"), Column.right("Average rank")),
        rows=rows,
    )


def pair_table(outcome: FriedmanOutcome, scale: ScoreScale) -> Table:
    """Pairs with the smallest p-values first."""
    shown = outcome.pairs[:MOST_PAIRS_SHOWN]
    rows = tuple(
        Row(
            cells=(
                Cell.of(f"{pair.system_a}, {pair.system_b}"),
                Cell.of(scale.difference(pair.mean_difference)),
                Cell.of(p_text(pair.p_value)),
                Cell.of(p_text(pair.adjusted_p_value), mark="*" if pair in outcome.differing else ""),
            )
        )
        for pair in shown
    )
    more = f" The {len(shown)} pairs with the smallest p-values of {len(outcome.pairs)}." * (
        len(shown) < len(outcome.pairs)
    )
    return Table(
        name="pairs",
        caption=prose(
            "Mean difference over the datasets{points} (positive where the first system is better), two-sided "
            "{p}-value of {title}, and adjusted (Holm, {n}).{more}",
            points=f" in {scale.points}" if scale.points else "",
            title=f"the {SIGNIFICANCE_TESTS[outcome.follow_up].title}",
            n=counted(len(outcome.pairs), "pair"),
            more=more,
        ),
        legend=prose("* {p} ≤ {level} (adjusted).", level=level_text(outcome.alpha)),
        columns=(
            Column.left("Pair"),
            Column.right("Diff."),
            Column.right(prose("{p}")),
            Column.right("adjusted"),
        ),
        rows=rows,
    )
