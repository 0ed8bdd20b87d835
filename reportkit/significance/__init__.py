"""ONE DATASET: is the difference between two systems chance? (one test, one file).

```
assess.py             the walk: choose, run, add the interval, for one pair or for many places at once;
                      bounds.py with missing scores at both extremes
choose.py             which test for which data, and what that depends on; decision_tables.py the tables as data
catalogue.py          SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
entry.py              what a test says about itself: assumptions, null hypothesis in words, interval
tests/                one test, one file: its entry and its arithmetic
plan.py               how many resamples, from which random stream
outcome.py            p-values, what a test found, and the whole assessment: interval, reason and findings
second_test.py        a second test where few instances differ, and whether it agrees
skewness.py           whether a test of a mean can be trusted at this n
cautions/             what clusters, few runs, unequal samples, lost and unknown pairing do to a test
margins.py            what k of n allows whatever the pairing was
known_tails.py, dependent_correlations.py   what several tests share
```
"""
