"""HOW PROBABLE is the claim: posteriors, regions of practical equivalence, Bayes factors.

```
distribution.py  laws.py   distributions of a difference: in closed form, as averages over one law, by draws
models.py  model_kinds.py  which model answers for which shape of results; what each assumes
posterior.py               one call for every shape: probabilities, intervals, region of practical equivalence
intervals.py  rope.py  bayes_factor.py   what is asked of a posterior
signed_rank.py             across datasets, by ranks
hierarchical_normal.py     across datasets, and a new one
chains/                    models that only Markov chains answer (extra `bayes`)
evidence/                  the four answers to one claim side by side
```

Outside of `chains` there are closed forms and sums, and draws with a fixed seed for ordinal scores on different
instances and for the signed-rank test.
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
from reportkit.bayes.hierarchical_normal import HierarchicalPosterior, hierarchical_normal
from reportkit.bayes.posterior import Posterior, posterior
from reportkit.bayes.signed_rank import SignedRankPosterior, signed_rank

__all__ = [
    "BayesFactor",
    "BayesFactors",
    "HierarchicalPosterior",
    "Hypothesis",
    "Posterior",
    "SignedRankPosterior",
    "bayes_factor",
    "bayes_factors",
    "better_by_more_than",
    "equivalent_within",
    "hierarchical_normal",
    "posterior",
    "signed_rank",
]
