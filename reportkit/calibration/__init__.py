"""CAN THESE P-VALUES BE TRUSTED? Calibration, from a user's own results.

```
plan.py         what a study looks at; its random streams
nulls.py        the null hypothesis made true: by flipped signs or recentred differences
p_values.py     the p-values of the test that is used, where it is true; verdict.py the judgement on them
joint.py        k-hat where no dataset has an effect
pairs.py        all pairs of systems: winner, gain, p-value; the gain above which few p-values are near .05
size_curve.py   p-values and the smallest detectable difference against the size of the test set
bins.py         of those who win with p in a bin, how many are better? within a dataset, and from one to another
training_sets.py   training sets of several sizes, drawn with replacement
toy.py          the simulations of Dror et al. (2017), section 5
shares.py       a share with its interval; bootstrap over systems
study.py        all of this in order, and the reason for each part that is missing
```

Everything takes `Scores` (`for block in reportkit.read(...)`) and gives frozen dataclasses of numbers.
"""

from reportkit.calibration.bins import BinCalibration, DomainShift, bin_calibration, domain_shift
from reportkit.calibration.joint import JointNull, joint_null
from reportkit.calibration.p_values import Calibration, calibrate
from reportkit.calibration.pairs import ComparedPairs, GainThreshold, compared_pairs, gain_thresholds
from reportkit.calibration.plan import StudyPlan
from reportkit.calibration.size_curve import SizeCurve, size_curve
from reportkit.calibration.study import CalibrationStudy, carry_out
from reportkit.calibration.toy import exact_probabilities, toy_simulation

__all__ = [
    "BinCalibration",
    "Calibration",
    "CalibrationStudy",
    "ComparedPairs",
    "DomainShift",
    "GainThreshold",
    "JointNull",
    "SizeCurve",
    "StudyPlan",
    "bin_calibration",
    "calibrate",
    "carry_out",
    "compared_pairs",
    "domain_shift",
    "exact_probabilities",
    "gain_thresholds",
    "joint_null",
    "size_curve",
    "toy_simulation",
]
