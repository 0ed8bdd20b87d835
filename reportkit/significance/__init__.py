"""ONE DATASET: is the difference between two systems chance? (one test, one file).

```
catalogue.py        SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
choose.py           which test for which data; design.py what that depends on; decision_tables.py the tables as data
assess_pairs.py     many pairs on one dataset; assess.py one
outcome.py          what a test found; assessment.py adds interval, reason and findings
plan.py             how many resamples, from which random stream
entry.py, tails.py  what a test says about itself; the pair of one-sided p-values it computes
tests/              one test, one file; the folder is the list
dependent_correlations.py   what tests of correlations with a gold score have in common
pairing_unknown.py  margins.py   what such counts allow whatever the pairing was
size_wording.py     at which levels a size is said
run_spread.py  unpaired_sizes.py   what few runs, or few instances of one system, do to a test
skewness.py         whether a test of a mean can be trusted at this n
```
"""
