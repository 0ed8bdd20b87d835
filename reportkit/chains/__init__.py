"""HOW PROBABLE is the claim, where only Markov chains can tell: the models of HyBayes, with diagnostics.

```
sampled_posterior.py       one call: model, chains, diagnostics, checks; the same questions as of a `Posterior`
sampled_bayes_factors.py   Bayes factors under several priors
catalogue.py               which model for which sample, and what data cannot tell anything
metric.py  count.py  ordinal.py  paired_logistic.py      one model, one file
chain_model.py  declared_priors.py  quadrature.py        what models are made of
sampling.py                the chains: No-U-Turn sampling by PyMC
diagnostics.py             whether they may be believed; if not, every number is withheld
predictive_check.py        whether the model makes data that look like these
chain_draws.py             a distribution known by draws that are not independent
traces.py                  all draws, on disk
extra.py                   PyMC and ArviZ, imported when a chain is to be run
```

Needs the extra `reportkit[bayes]`: `pip install "reportkit-replic[bayes]"`. Importing this folder does not.
"""

from reportkit.chains.chain_model import ChainModelName
from reportkit.chains.diagnostics import Diagnostics, WithheldError
from reportkit.chains.predictive_check import PredictiveCheck
from reportkit.chains.sampled_bayes_factors import sampled_bayes_factors
from reportkit.chains.sampled_posterior import SampledPosterior, sample_posterior
from reportkit.chains.sampling import ChainSettings
from reportkit.chains.traces import read_traces, save_traces, traces_of

__all__ = [
    "ChainModelName",
    "ChainSettings",
    "Diagnostics",
    "PredictiveCheck",
    "SampledPosterior",
    "WithheldError",
    "read_traces",
    "sample_posterior",
    "sampled_bayes_factors",
    "save_traces",
    "traces_of",
]
