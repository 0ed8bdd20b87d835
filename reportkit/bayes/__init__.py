"""HOW PROBABLE is the claim: posteriors, regions of practical equivalence, Bayes factors (one concept, one file).

```
posterior.py             one call for every shape: model, probabilities, intervals, region of practical equivalence
model.py                 which model answers for which shape, and what it assumes
beta_binomial.py         two independent proportions       paired_binary.py  right or wrong on the same instances
bayesian_bootstrap.py    means, clusters as a whole        student_t.py      means, normal
behrens_fisher.py        two independent means             ordinal_levels.py two independent ordinal samples
correlated_t.py          folds of a cross-validation
signed_rank.py           across datasets, by ranks         hierarchical_normal.py  across datasets, and a new one
hdi.py  rope.py  bayes_factor.py    what is asked of a posterior
distribution.py  draws.py           what a posterior is: known by quadrature, or by draws
panels.py  normal_scores.py         quadrature, and a polynomial where it is slow
probability_text.py                 probabilities in sentences
```

Nothing here needs Markov chains: closed forms and quadrature, and draws with a fixed seed in two places
(`ordinal_levels`, `signed_rank`).
"""

from reportkit.bayes.bayes_factor import (
    BayesFactor,
    BayesFactors,
    Hypothesis,
    bayes_factor,
    bayes_factors,
    better_by_more_than,
    equivalent_within,
)
from reportkit.bayes.hdi import CredibleInterval
from reportkit.bayes.hierarchical_normal import HierarchicalPosterior, hierarchical_normal
from reportkit.bayes.posterior import Posterior, posterior
from reportkit.bayes.rope import RopeMasses
from reportkit.bayes.signed_rank import SignedRankPosterior, signed_rank

__all__ = [
    "BayesFactor",
    "BayesFactors",
    "CredibleInterval",
    "HierarchicalPosterior",
    "Hypothesis",
    "Posterior",
    "RopeMasses",
    "SignedRankPosterior",
    "bayes_factor",
    "bayes_factors",
    "better_by_more_than",
    "equivalent_within",
    "hierarchical_normal",
    "posterior",
    "signed_rank",
]
