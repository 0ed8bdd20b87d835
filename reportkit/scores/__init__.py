"""WHAT WAS MEASURED: from a frame in long or wide form to one validated block per metric and dataset.

```
table/             from the columns of a frame to arrays of names, ids and scores; layout.py: one matrix per dataset
building/          from these arrays to blocks, one shape, one file; seeds.py tells which shape it is
shapes/            one shape, one file: all systems on a dataset (a `Block`), two of them (a `Sample`), `Block.pair()`
ingest.py          frame -> Results: the conductor of all this
results.py         Results
printed.py         frame -> PrintedResults: what a paper prints; rounding_cell.py
resplits.py        scores of several re-partitions of one corpus
across_datasets.py one score per dataset: the datasets as the sample
several_metrics.py several metrics at once
missing_bounds.py  whatever the missing scores were
scales.py          percentages beside proportions; the declared range
nesting.py         ids that name a document and a part of it
screening.py       findings about the data
kinds.py           binary, continuous, ordinal, count
details.py         numbers about a design, by name
computed_once.py   what is computed once for a sample
```
"""
