"""WHAT WAS MEASURED: from files or a frame to one validated `Scores` per metric and dataset.

```
read.py            files (files.py, tables.py) or a frame of any library -> one frame
reading.py         this frame, or what a tool wrote -> the long form, and what was understood
roles.py           what each column is: columns.py, keys.py, questions.py; names/ what names say
layouts.py         each form of table -> the long form; predictions.py: labels, sets and texts held against gold
ingest.py          long form -> Results: the conductor of what follows; findings about the data
table.py           the columns of the long form as arrays, one score each; codes.py names and numbers
detection.py       which design: instances, runs, folds, counts, predictions with gold; which kind and scale of scores
building.py        from these arrays to `Scores`, design by design
scores.py          all systems on one dataset, for one metric; sample.py: two of them; designs.py: from one to the other
results.py         Results; one score per dataset: the datasets as the sample
choices.py         what a user may decide about scores
printed.py         frame -> PrintedResults: what a paper prints
resplits.py        scores of several re-partitions of one corpus
refusals.py        errors, in the words of refusals.toml
```
"""
