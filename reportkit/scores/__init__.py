"""WHAT WAS MEASURED: from files or a frame to one validated `Scores` per metric and dataset.

```
read.py            files (files.py, tables.py) or a frame of any library -> one frame
reading.py         this frame, or what a tool wrote -> the long form, and what was understood
roles.py           what each column is: columns.py, keys.py, questions.py; names/ what names say
layouts.py         each form of table -> the long form; predictions.py: labels, sets and texts held against gold
building.py        long form -> Results: which design (instances, runs, folds, ...), and its `Scores`
table.py           the columns of the long form as arrays, one score each; codes.py: names and numbers
checks.py          kinds and scales of scores, names, sizes: what only all datasets can show
scores.py          `Scores`: all systems on one dataset by one metric; `Results`: all of these
sample.py          two systems on one dataset; designs.py: from `Scores` to these, design by design
together.py        results of several metrics, or datasets that are the sample, put together
choices.py         what a user may decide about scores
printed.py         frame -> PrintedResults: what a paper prints
resplits.py        scores of several re-partitions of one corpus
refusals.py        errors, in the words of refusals.toml
```
"""
