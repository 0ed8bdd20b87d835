"""HOW MANY datasets, and WHICH? The two questions of replicability analysis.

Given one p-value for each of N datasets, all for one claim "A is better than B":

- **How many?** `k_hat` is a lower bound: with confidence 1 - alpha, A is better on at least that many. `discoveries` is
  the same bound for any subset of the datasets, also one that was chosen after looking.
- **Which?** `holm` names datasets such that the probability of even one wrong name is at most alpha.

```
compare.py          from results to an analysis: who by which metrics, assess each dataset, combine
coverage.py         what a comparison leaves out: pairs, datasets, instances and intervals, in words
family.py           all claims of an analysis, corrected together: the frames of outcomes and of k-hat
comparison.py       one claim over all datasets: Comparison, from rows of these frames
multiple_testing/   arrays of p-values: partial_conjunction.py how many and which, with k-hat, Holm's procedure and
                    closed testing; combination.py what it rests on; correction.py gates between metrics and the
                    closed test of several claims
independence/       what speaks against independent datasets
friedman.py         several systems on several datasets: average ranks
max_statistic.py    all pairs over few datasets, corrected together; ranks.py: the ranks that systems may have
score_spread.py     how far a score of a table would vary
printed.py          from a paper's printed p-values to an analysis; printed claims, recomputed
replicability_analysis.py   all numbers of an analysis, for its report
```

The functions of `multiple_testing` take an array of shape (..., n_datasets) and work along its last axis.
"""
