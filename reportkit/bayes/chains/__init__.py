"""HOW PROBABLE is the claim, where only Markov chains can tell: the models of HyBayes, with diagnostics.

```
sampled.py        one call: model, chains, checks; a `Posterior`, or a `WithheldPosterior` where a check failed
catalogue.py      which model for which sample, and which data hold no information
chain_models.py   the models in PyMC: Student-t, negative binomial, ordinal, paired logistic
sampling.py       the chains: No-U-Turn sampling by PyMC, and diagnostics by ArviZ
traces.py         all draws, on disk
extra.py          PyMC and ArviZ, imported when a chain is to be run
```

Needs the extra `reportkit[bayes]`: `pip install "reportkit-replic[bayes]"`. Importing this folder does not.
"""

from reportkit.bayes.chains.chain_models import ChainModelName
from reportkit.bayes.chains.sampled import WithheldError, WithheldPosterior, sample_posterior
from reportkit.bayes.chains.sampling import Chains, ChainSettings
from reportkit.bayes.chains.traces import read_traces, save_traces

__all__ = [
    "ChainModelName",
    "ChainSettings",
    "Chains",
    "WithheldError",
    "WithheldPosterior",
    "read_traces",
    "sample_posterior",
    "save_traces",
]
