"""WHAT WAS MEASURED: from a frame in long or wide form to one validated block per metric and dataset.

```
table/columns.py         which column plays which role; aliases; long, wide and printed form
ingest.py          frame -> Results: the conductor of what follows
building/ingestion.py       what building the blocks needs to know
shapes/sample.py          the shapes of results; A and B on one dataset: what a test sees
shapes/block.py           all systems on one dataset, in one of these shapes
dataset_scores.py  the usual shape, one score per instance; building/instance_scores.py builds it
shapes/predictions.py     predictions beside a gold score; building/gold_scores.py builds them
dataset_statistics.py, shapes/paired_statistics.py  counts that a corpus metric sums; building/corpus_statistics.py builds them
table/score_table.py     frame -> parallel arrays of codes and scores, whatever the form
table/coding.py          names and ids -> codes
table/score_values.py    cells -> float64
shapes/runs.py            several runs, by instance; building/instance_runs.py builds them; run_scores.py  one score per run
building/seeds.py           which of these it is; the best of several runs is refused
folds.py           one score per fold of a cross-validation
raters.py          several ratings of one output
shapes/unpaired.py        systems with instances of their own
shapes/proportions.py     k right of n, and nothing else; building/count_scores.py builds them
across_datasets.py one score per dataset: the datasets as the sample
several_metrics.py several metrics at once
missing_bounds.py  whatever the missing scores were
table/duplicates.py      repeated rows, and several scores for one instance
table/layout.py          parallel arrays -> one matrix per (metric, dataset)
table/natural_order.py   the order of names and ids
table/per_instance.py    clusters and weights
building/declared_kinds.py  kinds that the user declared
scales.py          percentages beside proportions; the declared range
nesting.py         ids that name a document and a part of it
screening.py       findings about the data
table/row_numbers.py     rows and names in messages
remembered.py      what is computed once for a sample
results.py         Results
kinds.py           binary, continuous, ordinal, count
pairing.py         two systems on one dataset -> Sample; missing instances
printed.py         frame -> PrintedResults: what a paper prints
rounding_cell.py   which p-values a printed one was rounded from
```
"""
