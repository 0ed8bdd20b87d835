"""ONE DATASET: is the difference between two systems chance? (one test, one file).

```
tests/                one test, one file: what it is called, what it assumes, its null hypothesis, its arithmetic
catalogue.py          SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
choose.py             which test for which data; design.py what that depends on; decision_tables.py the tables as data
assess_pairs.py       many pairs on one dataset; assess.py one; bounds.py with missing scores at both extremes
outcome.py            what a test found; assessment.py adds interval, reason and findings
plan.py               how many resamples, from which random stream
entry.py, tails.py    what a test says about itself; the pair of one-sided p-values it computes
hypotheses.py         null hypotheses in words
second_test.py        a second test where few instances differ, and whether it agrees
skewness.py           whether a test of a mean can be trusted at this n
cautions/             what clusters, few runs, unequal samples and unknown pairing do to a test
margins.py            what k of n allows whatever the pairing was
exact_swaps.py, known_tails.py, dependent_correlations.py   what several tests share
```
"""
