"""HOW PROBABLE is the claim, where only Markov chains can tell: the models of HyBayes, with diagnostics.

```
sampled_posterior.py   one call: model, chains, checks; a `Posterior`, and Bayes factors under several priors
catalogue.py           which model for which sample, and what data cannot tell anything
score_models.py        Student-t and negative binomial      category_models.py  ratings, right or wrong
chain_model.py         what a model is: priors, likelihood, effect
sampling.py            the chains: No-U-Turn sampling by PyMC
diagnostics.py         whether they may be believed; if not, every number is withheld
traces.py              all draws, on disk
extra.py               PyMC and ArviZ, imported when a chain is to be run
```

Needs the extra `reportkit[bayes]`: `pip install "reportkit-replic[bayes]"`. Importing this folder does not.
"""

from reportkit.bayes.chains.chain_model import ChainModelName
from reportkit.bayes.chains.diagnostics import Diagnostics, WithheldError
from reportkit.bayes.chains.sampled_posterior import SampledPosterior, sample_posterior, sampled_bayes_factors
from reportkit.bayes.chains.sampling import ChainSettings
from reportkit.bayes.chains.traces import read_traces, save_traces, traces_of

__all__ = [
    "ChainModelName",
    "ChainSettings",
    "Diagnostics",
    "SampledPosterior",
    "WithheldError",
    "read_traces",
    "sample_posterior",
    "sampled_bayes_factors",
    "save_traces",
    "traces_of",
]
