"""ONE DATASET: whether the difference between two systems is chance, and how large it is.

```
assess.py             the walk: choose, run, add the interval, for one pair or for many places at once
choose.py             which test, estimate and standard error for which data
catalogue.py          SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
entry.py              a test with its interval and margin: assumptions, null hypothesis in words
tests/                one subject, one file: entries, p-values, intervals and margins
plan.py               random resamples: how many, from which stream; bootstrap_tails.py far tails of the bootstrap-t
outcome.py            p-values, what a test found, and the whole assessment: interval, reason and findings
nulls.py              exact null distributions of sums: closed forms, enumeration, lattices, the majorant;
                      null_sums.py: characteristic functions, and ends of intervals
units.py              independent units, their mean difference and Student's t
corpus.py             units, jackknife and intervals of a corpus metric
tango.py              wins and losses: McNemar's tails, Tango's interval and margin
proportions.py        intervals and margins of one proportion and of two independent ones
interval.py           intervals, tests of margins and of equivalence, and their agreement with a test
prediction_powered.py a judge with people
cautions.py           findings about a test: their words are in cautions.toml
skewness.py           whether a test of a mean can be trusted at this n
unpaired.py, few_runs.py   limits of tests of unequal samples, with unknown pairing and of few runs
```
"""
