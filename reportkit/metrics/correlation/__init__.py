"""HOW WELL PREDICTIONS AGREE WITH GOLD SCORES: correlation coefficients, and their values when instances are left out.

```
coefficients.py        Pearson's r, Spearman's rho, Kendall's tau-b
midranks.py            ranks, with ties as they are meant
concordance.py         per instance, how many others lie on the same side in both orders
leave_one_out.py       the coefficient without each instance, all at once
leave_cluster_out.py   the coefficient without each cluster
```

Arrays in, arrays out: numpy alone. A coefficient that does not exist, as one of two series is constant, is NaN here;
who asks for it has to say so in words.
"""
