"""HOW MANY datasets, and WHICH? The two questions of replicability analysis.

Given one p-value for each of N datasets, all for one claim "A is better than B":

- **How many?** `k_hat` is a lower bound: with confidence 1 - alpha, A is better on at least so many. `discoveries` is
  the same bound for any subset of the datasets, also one that was chosen after looking.
- **Which?** `holm` names datasets such that the probability of even one wrong name is at most alpha.

```
claims.py           which systems are compared, by which metrics and on which datasets; missing scores in words
compare.py          from results to an analysis: plan, assess each dataset, combine
comparison.py       one claim over all datasets: Comparison; what each system scores: SystemScore
family.py           all claims of an analysis, corrected together: the frame of outcomes
multiple_testing/   arrays of p-values: partial_conjunction.py how many and which, with k-hat, Holm's procedure and
                    closed testing; combination.py what it rests on; correction.py all claims by all metrics
independence/       what speaks against independent datasets
friedman.py         several systems on several datasets: average ranks
score_spread.py     how far a score of a table would vary
printed.py          from a paper's printed p-values to an analysis; printed claims, recomputed
replicability_analysis.py   all numbers of an analysis, for its report
```

The functions of `multiple_testing` take an array of shape (..., n_datasets) and work along its last axis.
"""
