"""METRICS OF SUMS: functions of counts that are summed over all instances of a dataset.

```
metric.py           what a corpus metric is: columns of counts, and a function of their sums
catalogue.py        the metrics by name; how users add their own
counted_columns.py  which columns of a table hold counts
proportions.py      accuracy over tokens (UAS, LAS, exact match), error rates (WER, CER)
f_measures.py       precision, recall, F-beta
matthews.py         Matthews correlation coefficient
bleu.py             BLEU, with the smoothing methods of sacreBLEU
chrf.py             chrF and chrF++
ter.py              translation edit rate
from_texts.py       the counts of BLEU, chrF and TER from texts, by sacreBLEU
```

A mean of scores is not one of them: F1 of a whole test set is no mean of anything that instances have.
"""
