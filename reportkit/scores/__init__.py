"""WHAT WAS MEASURED: from a frame in long or wide form to one validated block per metric and dataset.

```
read.py            files or a frame -> one long frame, and what was understood (reading.py); by files.py, tables.py,
                   joining.py and frames.py
roles.py           what each column is: candidates.py, keys.py, wide_forms.py, questions.py; names/ what names say
layouts.py         each form of table -> the long form; predictions.py, spellings.py
ingest.py          frame -> Results: the conductor of all this
table/             from the columns of a frame to arrays of names, ids and scores; cell_index.py: one matrix per dataset
building/          from these arrays to blocks, one shape, one file; seeds.py tells what a column of runs says
shapes/            one shape, one file: all systems on a dataset (a `Block`), two of them (a `Sample`), `Block.pair()`
results.py         Results
scales.py          binary, continuous, ordinal, count; percentages beside proportions; the declared range
screening.py       findings about the data
choices.py         what a user may decide about scores
printed.py         frame -> PrintedResults: what a paper prints; rounding_cell.py
resplits.py        scores of several re-partitions of one corpus
across_datasets.py one score per dataset: the datasets as the sample
several_metrics.py several metrics at once
missing_bounds.py  whatever the missing scores were
```
"""
