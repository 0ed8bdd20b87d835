"""ONE DATASET: whether the difference between two systems is chance, and how large it is.

```
assess.py             the walk: choose, run, add the interval, for one pair or for many places at once
choose.py             which test, estimate and standard error for which data
catalogue.py          SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
entry.py              a test with its interval, margin and assumptions, and the plan of its random resamples
hypotheses.py         null hypotheses and alternatives in words
tests/                one subject, one file: entries, p-values, intervals and margins
resamples.py          random resamples and swaps; bootstrap_tails.py: far tails of the bootstrap-t
outcome.py            p-values, what a test found, and the whole assessment: interval, reason and findings
nulls.py              exact null distributions of sums: closed forms, enumeration, lattices, the majorant;
                      null_sums.py: characteristic functions, and ends of intervals
units.py              independent units, their mean difference and Student's t
corpus.py             units, jackknife and intervals of a corpus metric
tango.py              wins and losses: McNemar's tails, Tango's interval and margin
proportions.py        intervals and margins of one proportion and of two independent ones
standard_errors.py    estimates and standard errors by design, and the effect of clusters
interval.py           intervals by Student's t, tests of margins and of equivalence
decision_intervals.py intervals at the level of a decision, and several at once
prediction_powered.py a judge with people
cautions.py           findings about a test, few instances and skewness: their words are in cautions.toml
unpaired.py, few_runs.py   limits of tests of unequal samples, with unknown pairing and of few runs
```
"""
