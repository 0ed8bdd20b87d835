"""HOW MUCH DATA IS NEEDED: power, minimum detectable effects and sample sizes, before the results are looked at.

```
planned_error.py   the standard error that a design of n instances, clusters and runs will have
exact.py           power of the default tests; errors of type S and M
designs.py         means, accuracies on the same instances and on different ones: power, size and smallest effect
from_numbers.py    what a plan asks for, and the designs that its numbers allow
pilot.py           the design of the next comparison from results at hand, and what these could have shown
plan.py            the answer for each dataset, at alpha and at alpha / N, and k-hat over several
```

The door is `reportkit.power` (`reportkit power`, `df.replic.power`).

Every effect here is a planned one: the smallest difference that matters, or one known from other data. The difference
observed in the results under analysis must not be put in its place. "Observed power" is a function of the p-value alone
(p = alpha gives about 1/2): it adds nothing to it, and is not offered. After the results are known, report the interval
and the minimum detectable effect at the realised n, which does not depend on the observed difference. Hoenig and Heisey
(2001), "The abuse of power: the pervasive fallacy of power calculations for data analysis".
"""
