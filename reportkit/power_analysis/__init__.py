"""HOW MUCH DATA IS NEEDED: power, minimum detectable effects and sample sizes, before the results are looked at.

```
planned_error.py        the standard error that a design of n instances, clusters and runs will have
power.py                probability of showing a planned effect, given that standard error
levels.py               levels and probabilities, checked
mcnemar_power.py        the same for right-or-wrong scores on the same instances, by the exact test
two_proportions.py      the same for two independent proportions, by the exact tests; and what they detect
minimum_detectable.py   the smallest effect that a design shows with the wanted power, at alpha and at alpha / N
realised.py             the minimum detectable effect of results, at the n that they have
sample_size.py          the smallest design that shows a planned effect
designs.py              means, accuracies on the same instances and on different ones: what a plan asks of each
pilot.py                the design of the next comparison, from results at hand
plan.py                 the answer for each dataset, at alpha and at alpha / N, and k-hat
k_hat_power.py          over several datasets: how k-hat is distributed for planned effects
type_s_m.py             how often a statistically significant estimate has the wrong sign, and by how much it overstates
```

The door is `reportkit.power` (`reportkit power`, `df.replic.power`).

Every effect here is a planned one: the smallest difference that matters, or one known from other data. The difference
observed in the results under analysis must not be put in its place. "Observed power" is a function of the p-value alone
(p = alpha gives about 1/2): it adds nothing to it, and is not offered. After the results are known, report the interval
and the minimum detectable effect at the realised n, which does not depend on the observed difference. Hoenig and Heisey
(2001), "The abuse of power: the pervasive fallacy of power calculations for data analysis".
"""
