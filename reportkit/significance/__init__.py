"""ONE DATASET: is the difference between two systems chance? (one test, one file).

```
catalogue.py        SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
choose.py           which test for which data: the decision tables of the profiles
outcome.py          what a test found; assessment.py adds interval, reason and findings
plan.py             how many resamples, from which random stream
entry.py, tails.py  what a test says about itself; the pair of one-sided p-values it computes
identical.py  mcnemar.py  sign_test.py  sign_flip.py  wilcoxon.py  student_t.py  paired_bootstrap.py   the tests
correlation_jackknife_t.py  steiger.py  williams.py  dunn_clark.py  meng.py   tests of correlations with a gold score
dependent_correlations.py   what these have in common
skewness.py         whether a test of a mean can be trusted at this n
```
"""
