"""CAN THESE P-VALUES BE TRUSTED? Calibration, from a user's own results.

```
null/                the null hypothesis made true: by flipped signs, recentred differences, runs against each other;
                     p_values.py, null_of_runs.py the p-values of the test that is used; joint_null.py k-hat
verdict.py           what is said of it
all_pairs.py         who wins, by how much, with which p-value, for all pairs of systems
gain_threshold.py    from which gain on few p-values are as large as .05
size_curve.py        p-values and the smallest detectable difference against the size of the test set
bins.py              of those who win with p in a bin, how many are better? within a dataset
domain_shift.py      the same from one dataset to another
training/            many systems from a few learners, trained on resampled training sets
toy.py               the simulations of Dror et al. (2017), section 5
block_units.py       what is independent in a dataset: instances, clusters, rated instances
asymmetry.py         whether differences are symmetric about their mean
system_bootstrap.py  intervals for what is averaged over pairs of systems
proportion.py        a share with its interval
streams.py           random streams, and reports of progress
study.py             what a study of all of this looks at, and what it found
pieces.py            what it consists of, in pieces that any process can do
run_study.py         these pieces in order, and a reason for each part that cannot be had
families.py          systems that share a base model
```

Everything takes `Block`s (`for block in reportkit.read(...)`) and gives frozen dataclasses of numbers.
"""

from reportkit.calibration.all_pairs import ComparedPairs, compared_pairs
from reportkit.calibration.bins import Bin, BinCalibration, bin_calibration
from reportkit.calibration.domain_shift import DomainShift, Transfer, domain_shift
from reportkit.calibration.gain_threshold import GainThreshold, gain_thresholds
from reportkit.calibration.null.joint_null import JointNull, joint_null
from reportkit.calibration.null.null_of_runs import calibrate_runs
from reportkit.calibration.null.p_values import Calibration, calibrate
from reportkit.calibration.proportion import Proportion
from reportkit.calibration.run_study import carry_out
from reportkit.calibration.size_curve import SizeCurve, size_curve
from reportkit.calibration.study import CalibrationStudy, Omission, StudyPlan
from reportkit.calibration.toy import ToyDesign, ToyResult, exact_probabilities, toy_simulation
from reportkit.calibration.training.trained_systems import TrainedSystem, resampled_systems
from reportkit.calibration.verdict import Verdict

__all__ = [
    "Bin",
    "BinCalibration",
    "Calibration",
    "CalibrationStudy",
    "ComparedPairs",
    "DomainShift",
    "GainThreshold",
    "JointNull",
    "Omission",
    "Proportion",
    "SizeCurve",
    "StudyPlan",
    "ToyDesign",
    "ToyResult",
    "TrainedSystem",
    "Transfer",
    "Verdict",
    "bin_calibration",
    "calibrate",
    "calibrate_runs",
    "carry_out",
    "compared_pairs",
    "domain_shift",
    "exact_probabilities",
    "gain_thresholds",
    "joint_null",
    "resampled_systems",
    "size_curve",
    "toy_simulation",
]
