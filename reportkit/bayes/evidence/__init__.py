"""WHAT DO THE DATA SAY OF ONE CLAIM? Four questions side by side, each with its own answer.

```
four_answers.py  one dataset: p-value, interval, posterior probability, Bayes factor of one claim
assessed.py      all datasets: the same, adjusted for their number, and on how many the claim holds
claims.py        the claims of an analysis, as its settings say
```

Sadat Azer et al. (2020): a p-value says how unusual the data would be if the claim were false; an interval, which
differences fit the data; a posterior, how probable the claim is; a Bayes factor, how much the data change its odds.
None of them can replace another.
"""
