"""WHAT WAS MEASURED: from a frame in long or wide form to one validated matrix of scores per dataset.

```
columns.py   which column plays which role; aliases; long and wide form
ingest.py    frame -> Results: validation, orientation, one float matrix per (metric, dataset)
results.py   Results and DatasetScores
kinds.py     binary, continuous, ordinal, count
pairing.py   two systems on one dataset -> PairedScores; missing instances
```
"""
