"""ONE DATASET: is the difference between two systems chance? (one test, one file).

```
catalogue.py        SIGNIFICANCE_TESTS: names to tests; run_test checks the design, then computes
choose.py           which test for which data; design.py what that depends on; decision_tables.py the tables as data
assess_pairs.py     many pairs on one dataset; assess.py one
outcome.py          what a test found; assessment.py adds interval, reason and findings
plan.py             how many resamples, from which random stream
entry.py, tails.py  what a test says about itself; the pair of one-sided p-values it computes
tests/identical.py  tests/mcnemar.py  tests/sign_test.py  tests/sign_flip.py  tests/wilcoxon.py  tests/student_t.py  tests/paired_bootstrap.py   the tests
tests/correlation_jackknife_t.py  tests/steiger.py  tests/williams.py  tests/dunn_clark.py  tests/meng.py   tests of correlations with a gold score
dependent_correlations.py   what these have in common
tests/bootstrap_t.py                                           the mean of skewed differences
tests/corpus_bootstrap.py  tests/approximate_randomization.py  tests/f_permutation.py  tests/corpus_jackknife_t.py      metrics of sums
tests/two_way_t.py  tests/welch_seeds.py  tests/mann_whitney_seeds.py  tests/corrected_resampled_t.py                   runs and folds
tests/boschloo.py  tests/fisher_exact.py  tests/pooled_z.py  tests/welch.py  tests/studentised_permutation.py  tests/welch_permutation.py
tests/mann_whitney.py                                                                                 unpaired
tests/aggregate_boschloo.py  tests/aggregate_fisher.py  tests/aggregate_z.py  tests/mcnemar_margins.py               counts alone
cautions/pairing_unknown.py  margins.py   what such counts allow whatever the pairing was
cautions/size_wording.py     at which levels a size is said
cautions/run_spread.py  cautions/unpaired_sizes.py   what few runs, or few instances of one system, do to a test
skewness.py         whether a test of a mean can be trusted at this n
```
"""
