"""ONE DATASET: is the difference between two systems chance? (one test, one file).

```
catalogue.py        SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
choose.py           which test for which data; design.py what that depends on; decision_tables.py the tables as data
assess_pairs.py     many pairs on one dataset; assess.py one
outcome.py          what a test found; assessment.py adds interval, reason and findings
plan.py             how many resamples, from which random stream
entry.py, tails.py  what a test says about itself; the pair of one-sided p-values it computes
identical.py  mcnemar.py  sign_test.py  sign_flip.py  wilcoxon.py  student_t.py  paired_bootstrap.py   the tests
correlation_jackknife_t.py  steiger.py  williams.py  dunn_clark.py  meng.py   tests of correlations with a gold score
dependent_correlations.py   what these have in common
bootstrap_t.py                                           the mean of skewed differences
corpus_bootstrap.py  approximate_randomization.py  f_permutation.py  corpus_jackknife_t.py      metrics of sums
two_way_t.py  welch_seeds.py  mann_whitney_seeds.py  corrected_resampled_t.py                   runs and folds
boschloo.py  fisher_exact.py  pooled_z.py  welch.py  studentised_permutation.py  welch_permutation.py
mann_whitney.py                                                                                 unpaired
aggregate_boschloo.py  aggregate_fisher.py  aggregate_z.py  mcnemar_margins.py               counts alone
pairing_unknown.py  margins.py   what such counts allow whatever the pairing was
size_wording.py     at which levels a size is said
run_spread.py  unpaired_sizes.py   what few runs, or few instances of one system, do to a test
skewness.py         whether a test of a mean can be trusted at this n
```
"""
