"""What examples 1 to 4 of Sadat Azer et al. (2020) print, and what follows from their counts.

`python examples/azer2020/reproduce.py` writes `printed-and-true.csv` beside this file. Everything is computed by closed
forms and quadrature; nothing is drawn at random.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.special import ndtri
from statsmodels.stats.proportion import proportions_ztest

from reportkit.bayes import (
    bayes_factor,
    bayes_factors,
    better_by_more_than,
    equivalent_within,
    hierarchical_normal,
    posterior,
)
from reportkit.scores.sample import RightOf, Sample
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.proportions import newcombe_error, newcombe_interval
from reportkit.significance.tests.mcnemar import mcnemar_margins

HERE = Path(__file__).parent
EASY, CHALLENGE = RightOf(1721, 2376, 1637, 2376), RightOf(566, 1172, 496, 1172)
POOLED = RightOf(EASY.a + CHALLENGE.a, EASY.n_a + CHALLENGE.n_a, EASY.b + CHALLENGE.b, EASY.n_b + CHALLENGE.n_b)
Line = tuple[str, str, str, str, str]


def sample(right: RightOf, dataset: str) -> Sample:
    """Counts of the two systems of the paper."""
    return Sample(
        shape="counts",
        system_a="BERT-MT-ensemble",
        system_b="Reading-Strategies",
        dataset=dataset,
        metric="accuracy",
        kind="binary",
        a=np.repeat([1.0, 0.0], [right.a, right.n_a - right.a]),
        b=np.repeat([1.0, 0.0], [right.b, right.n_b - right.b]),
    )


def pooled_interval(right: RightOf, level: float) -> tuple[float, float]:
    """The paper's Wald interval, with the variance of the pooled proportion."""
    share = (right.a + right.b) / (right.n_a + right.n_b)
    error = math.sqrt(share * (1 - share) * (1 / right.n_a + 1 / right.n_b))
    difference, z = right.a / right.n_a - right.b / right.n_b, float(ndtri(0.5 + level / 2))
    return difference - z * error, difference + z * error


def ends(pair: tuple[float, float], digits: int = 4) -> str:
    """Write an interval."""
    return "[" + ", ".join(f"{value:.{digits}f}".removeprefix("0") for value in pair) + "]"


def share(value: float, digits: int = 5) -> str:
    """Write a probability without the zero before the point."""
    return f"{value:.{digits}f}".removeprefix("0")


def frequentist() -> Iterator[Line]:
    """Examples 1 and 2."""
    z, p = proportions_ztest([EASY.a, EASY.b], [EASY.n_a, EASY.n_b], alternative="larger")
    yield "1", "z", "2.6763676", f"{z:.7f}", ""
    yield "1", "one-sided p-value", ".00372124", share(p, 8), "counts taken as independent samples"
    worst = mcnemar_margins(sample(EASY, "ARC-easy"), ResamplingPlan()).p_greater
    yield "1", "largest exact McNemar p-value", "–", share(worst), "the test set is the same; its pairing is not known"
    yield "2", "“95%” interval, pooled variance", "[.0136, .0570]", ends(pooled_interval(EASY, 0.95)), ""
    yield "2", "90% interval, pooled variance", "–", ends(pooled_interval(EASY, 0.90)), "is what the paper prints"
    newcombe = newcombe_interval(EASY, 0.95)
    yield "2", "95% interval, Newcombe", "–", ends((newcombe.low, newcombe.high)), "does not exclude 1 point"


def bayesian() -> Iterator[Line]:
    """Examples 3 and 4."""
    arc = sample(EASY, "ARC-easy")
    found = posterior(arc, rope=0.01)
    yield "3", "P(θ₁ > θ₂)", ".996", share(found.p_better), ""
    yield "3", "P(θ₁ − θ₂ > .01)", "not above .95", share(found.p_better_by(0.01)), "above .95"
    interval = (found.interval.low, found.interval.high)
    yield "3", "95% HDI", "overlaps ±.01", ends(interval), f"overlaps ±.01: {found.rope.decision}"
    yield "4", "P(ROPE)", ".027", share(found.rope.equivalent, 6), ""
    yield "4", "prior P(ROPE)", ".019", share(found.prior_distribution.inside(-0.01, 0.01), 4), ""
    factors = bayes_factors(arc, equivalent_within(0.01), others=[0.5, 2.0, (3.0, 1.5), (9.0, 3.0), (75.0, 25.0)])
    yield "4", "BF₀₁, Beta(1, 1)", "1.382, 1.32", f"{factors.factors[0].value:.4f}", "depends on the prior:"
    for factor in factors.factors[1:]:
        name = factor.prior.removeprefix("independent ").removesuffix(" priors")
        yield "4", f"BF₀₁, {name}", "–", f"{factor.value:.4f}", ""
    above = bayes_factor(better_by_more_than(0.01), found.prior_distribution, found.distribution)
    yield "4", "BF₁₀ of θ₁ − θ₂ > .01", "–", f"{above.value:.3f}", "another hypothesis than the interval null"


def other_data() -> Iterator[Line]:
    """The second dataset, and both together (Figure 6)."""
    z, p = proportions_ztest([CHALLENGE.a, CHALLENGE.b], [CHALLENGE.n_a, CHALLENGE.n_b], alternative="larger")
    found = posterior(sample(CHALLENGE, "ARC-challenge"), rope=0.01)
    yield "ARC-challenge", "z, one-sided p-value", "–", f"{z:.5f}, {share(p, 7)}", ""
    yield "ARC-challenge", "P(θ₁ > θ₂)", "–", share(found.p_better, 6), ""
    yield "ARC-challenge", "95% HDI", "–", ends((found.interval.low, found.interval.high), 5), ""
    factors = bayes_factors(sample(CHALLENGE, "ARC-challenge"), equivalent_within(0.01))
    yield "ARC-challenge", "BF₀₁, Beta(1, 1)", "–", f"{factors.factors[0].value:.4f}", "the data speak against the ROPE"
    both = posterior(sample(POOLED, "both"), rope=0.02)
    yield "both, pooled", "95% HDI", "above .02", ends((both.interval.low, both.interval.high), 5), "one θ for both"
    yield "both, pooled", "P(θ₁ − θ₂ > .02)", "–", share(both.p_better_by(0.02)), ""
    effects = [right.a / right.n_a - right.b / right.n_b for right in (EASY, CHALLENGE)]
    errors = [newcombe_error(right) for right in (EASY, CHALLENGE)]
    for scale in (0.02, 0.10):
        model = hierarchical_normal(effects, errors, tau_scale=scale)
        what = f"P(new dataset > 0), τ ~ half-normal({scale:g})"
        yield "both, hierarchical", what, "–", share(model.p_new_dataset, 3), "depends on the prior of τ"


def table() -> list[Line]:
    """Return all lines: example, quantity, printed, true, remark."""
    return [*frequentist(), *bayesian(), *other_data()]


def main() -> None:
    """Write the table."""
    with (HERE / "printed-and-true.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("Example", "Quantity", "Printed", "True", "Remark"))
        writer.writerows(table())


if __name__ == "__main__":
    main()
