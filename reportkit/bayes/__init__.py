"""HOW PROBABLE is the claim: posteriors, regions of practical equivalence, Bayes factors.

```
distribution.py   distributions of a difference: in closed form, as averages over one law, by draws; intervals
models.py         which model answers for which shape of results
posterior.py      one call for every shape: probabilities, interval, region of practical equivalence
rope.py  bayes_factor.py   regions of practical equivalence, and Bayes factors
signed_rank.py    across datasets, by ranks
hierarchical_normal.py     across datasets, and a new one
chains/           models that only Markov chains answer (extra `bayes`)
evidence/         the four answers to one claim side by side
```

Outside of `chains` there are closed forms and sums, and draws with a fixed seed for ordinal scores on different
instances and for the signed-rank test.
"""

from reportkit.bayes.bayes_factor import (
    Hypothesis,
    bayes_factor,
    bayes_factors,
    better_by_more_than,
    equivalent_within,
)
from reportkit.bayes.hierarchical_normal import hierarchical_normal
from reportkit.bayes.posterior import Posterior, posterior
from reportkit.bayes.signed_rank import SignedRankPosterior, signed_rank

__all__ = [
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
