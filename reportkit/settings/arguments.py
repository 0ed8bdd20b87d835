"""What `compare`, `calibrate`, `power` and `reproducibility` take beside the settings, and what is sugar for them.

Each dataclass declares arguments with their defaults and meanings; the `TypedDict` beside it is the same for type
checkers, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from reportkit.options import option
from reportkit.scores.choices import Pairing
from reportkit.settings.settings import (
    ClaimAlternative,
    Dependence,
    Settings,
)

if TYPE_CHECKING:
    from reportkit.appearance import Appearance
    from reportkit.replicability.printed.reproduction import PrintedClaim

Part = Literal["null", "joint", "pairs", "sizes", "bins", "domains"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What a study of calibration may consist of."""

NullChoice = Literal["auto", "signflip", "recentre", "seeds"]
"""How the runs of a system reach the test: kept apart, one alone, averaged instance by instance, or pooled as if each
(run, instance) were an instance."""

TieRule = Literal["fractional", "first"]
Progress = Callable[[int, int], None]
Stages = Callable[[str, int, int], None]
"""Called with (what is being done, done, total) after each block of work."""

AUTO: Literal["auto"] = "auto"
"""For `workers`: this process, and where the work takes long, processes beside it."""

Workers = int | Literal["auto"] | None
PerDataset = float | Sequence[float] | Mapping[str, float]
"""One number for all datasets, or one for each: in order, or by name."""

_WHO = "Who is compared"
_WORK = "The work itself"
_PARTS = "What is looked at"
_SIZE = "How much is simulated"
_WHERE = "Where the work is done"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonArguments:
    """What `compare` takes beside the settings.

    Parameters
    ----------
    systems : sequence of str
        The systems to compare instead of all.
    baseline : str or sequence of str
        The system, or systems, to compare with.
    claims : sequence of PrintedClaim
        For printed results: what the paper says.
    other_profile : bool
        Whether to run the tests of the other profile, too, and to report where their verdicts differ.
    progress : callable, optional
        Called with (done, total).
    settings : Settings, optional
        All settings at once; those that are given one by one come first.
    workers : int or "auto", optional
        Processes that do the work. The numbers are the same. "auto": this process, which others join where the tests of
        scores on several datasets take longer than some seconds, up to the number of processors. In a script, call it
        below `if __name__ == "__main__":`, as `multiprocessing` asks.
    memory_limit : str, optional
        Memory that the rows of files may take in all workers, such as "2GB", beside about 0.25 GB for Python in each;
        results are then read some datasets at a time. By default, half of what the machine has, and small results are
        read at once.
    cluster : str, optional
        Address of a scheduler of Dask, "tcp://host:8786", or the file that holds it.
    client : distributed.Client, optional
        A client of Dask that is there already.
    """

    systems: Sequence[str] = option((), "System claimed to be better.", heading=_WHO, flag="--system", metavar="A")
    baseline: str | Sequence[str] = option((), "System to compare with.", heading=_WHO, metavar="B")
    claims: Sequence[PrintedClaim] = option((), "", heading=_WHO)
    other_profile: bool = option(False, "", heading=_WORK)
    progress: Progress | None = option(None, "", heading=_WORK)
    settings: Settings | None = option(None, "", heading=_WORK)
    workers: Workers = option(
        None,
        "Processes that read and test; auto: several where that takes long. The report is the same.  [default: auto]",
        heading=_WHERE,
    )
    memory_limit: str | None = option(
        None,
        "Memory for all of them, such as 2GB: results are read some datasets at a time.",
        heading=_WHERE,
        metavar="SIZE",
    )
    cluster: str | None = option(
        None,
        "Scheduler of Dask, such as tcp://host:8786, or the file with its address.",
        heading=_WHERE,
        metavar="ADDRESS",
    )
    client: Any = option(None, "", heading=_WHERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationArguments:
    """What `calibrate` takes beside the settings and what a study is made of.

    Parameters
    ----------
    baseline : str, optional
        The system to pair every other one with.
    systems : sequence of str
        The systems to look at instead of all.
    families : mapping of str to sequence of str, or str, optional
        Family (base model, research group) to its systems, or the name of a column that holds the family; a column
        `family` that plays no other role is taken, if there is one.
    quick : bool
        A first look: fewer replicates, wider intervals.
    stages : callable, optional
        Called with (what is being done, done, total).
    settings : Settings, optional
        All settings at once; those that are given one by one come first.
    """

    baseline: str | None = option(None, "System to pair with: --system, or every other one.", heading=_WHO, metavar="B")
    systems: Sequence[str] = option((), "Look at these systems only.", heading=_WHO, flag="--only", metavar="S")
    families: Mapping[str, Sequence[str]] | str | None = option(
        None, "Column with the family of each system.  [default: family]", heading=_WHO, flag="--family", metavar="NAME"
    )
    quick: bool = option(False, "A first look: fewer replicates, wider intervals.", heading=_PARTS)
    stages: Stages | None = option(None, "", heading=_WORK)
    settings: Settings | None = option(None, "", heading=_WORK)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationChoices:
    """What a study of calibration is made of, whichever the results are.

    Parameters
    ----------
    parts : sequence of str
        Some of "null", "joint", "pairs", "sizes", "bins", "domains"; none with `toy` for the simulations alone.
    toy : bool
        Add the simulations of Dror et al. (2017), section 5.
    null : {"auto", "signflip", "recentre", "seeds"}
        How the null hypothesis is made true. "auto": by runs of one system where there are any; by flipped signs and,
        where scores allow it, recentred differences elsewhere.
    pair_test : str, optional
        Test of all pairs; the paired bootstrap of Berg-Kirkpatrick et al. (2012) where scores have a mean, and what the
        decision table chooses elsewhere.
    test_size : int, optional
        Units of a test set drawn in the calibration by bins; a fifth of all, if not given.
    confidence_level : float
        Of the intervals.
    n_replicates : int
        Simulated data sets.
    n_resamples : int
        Random resamples of a test on each simulated data set.
    n_subsamples : int
        Parts of a test set of each size.
    max_tests : int
        Most p-values of the calibration by bins.
    n_families : int
        Families of the simulations of Dror et al. (2017).
    """

    parts: Sequence[Part] = option(PARTS, "Only these parts.", heading=_PARTS, flag="--part")
    toy: bool = option(False, "Add the simulations of Dror et al. (2017), section 5.", heading=_PARTS)
    null: NullChoice = option("auto", "How the null hypothesis is made true.", heading=_PARTS)
    pair_test: str | None = option(
        None, "Test of all pairs.  [default: paired-bootstrap where it fits]", heading=_PARTS, metavar="T"
    )
    test_size: int | None = option(
        None, "Units of the test sets drawn for the table by bins.", heading=_PARTS, metavar="N"
    )
    confidence_level: float = option(
        0.95, "Confidence level of the intervals.", heading=_SIZE, metavar="LEVEL", aliases=("level",)
    )
    n_replicates: int = option(2_000, "Simulated data sets.", heading=_SIZE, flag="--replicates", metavar="R")
    n_resamples: int = option(999, "Random resamples of a test on each of them.", heading=_SIZE, metavar="B")
    n_subsamples: int = option(200, "Parts of a test set of each size.", heading=_SIZE, metavar="N")
    max_tests: int = option(200_000, "Most p-values of the table by bins.", heading=_SIZE, metavar="N")
    n_families: int = option(10_000, "Families of the simulations of --toy.", heading=_SIZE, metavar="N")


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerArguments:
    """What `power` takes beside the results and the systems.

    Parameters
    ----------
    effect : float, sequence of float, or mapping of str to float, optional
        Planned difference in units of the score (1 point of accuracy is 0.01), above 0: the smallest one that matters,
        or one known from other data; never taken from the results. One for all datasets, or one for each; 0 where none
        is expected.
    n : int, sequence of int, or mapping of str to int, optional
        Planned instances on each dataset; of each system, if they have different ones. Those of the results, if there
        are any, unless `effect` and `power` are both given.
    power : float, optional
        Wanted probability to show the difference.
    accuracy : float, sequence or mapping, optional
        Right-or-wrong scores: the share of instances on which the baseline is right.
    discordant : float, sequence or mapping, optional
        Right-or-wrong scores on the same instances: the share on which exactly one system is right. If it is not given,
        the answer is given for the lowest rate that is possible, for independent errors, and for the highest.
    sd : float, sequence or mapping, optional
        Other scores: standard deviation of the differences on single instances; of single scores, if unpaired.
    design_effect : float
        With `sd`: by how much clusters multiply the variance of the mean.
    n_datasets : int, optional
        Number N of datasets, if all are planned alike.
    pairing : {"paired", "unpaired"}, optional
        Whether the systems are scored on the same instances; paired, if nothing is said.
    n_runs : int, optional
        Planned runs of each system, for results with several runs of each.
    alpha : float
        Level of the tests, and of k-hat.
    alternative : {"greater", "two-sided"}
        One-sided, as for a declared claim; or each direction at half the level.
    dependence : {"any", "independent"}
        Between the datasets: k-hat by Fisher's method if they are independent, otherwise by Bonferroni's.
    metric : str, optional
        Which metric of the results.
    settings : Settings, optional
        Other decisions on how the results are read: missing scores, kind, direction.
    rng : int or numpy.random.Generator
        Seed of the simulation of k-hat.
    """

    effect: PerDataset | None = option(None, "Planned difference; 1 point of accuracy is 0.01.", metavar="D")
    n: int | Sequence[int] | Mapping[str, int] | None = option(None, "Planned instances.", metavar="N")
    power: float | None = option(None, "Wanted power.  [default: 0.8]", metavar="P")
    accuracy: PerDataset | None = option(None, "Accuracy of the baseline.", metavar="A")
    discordant: PerDataset | None = option(None, "Share of instances on which exactly one is right.", metavar="R")
    sd: PerDataset | None = option(None, "Standard deviation of the differences of other scores.", metavar="S")
    design_effect: float = option(1.0, "By how much clusters multiply the variance, with --sd.", metavar="F")
    n_datasets: int | None = option(None, "Datasets, if all are planned alike.", metavar="N")
    pairing: Pairing | None = option(None, "")
    n_runs: int | None = option(None, "With RESULTS of several runs: planned runs of each system.", metavar="M")
    alpha: float = option(0.05, "")
    alternative: ClaimAlternative = option("greater", "")
    dependence: Dependence = option("any", "")
    metric: str | None = option(None, "With RESULTS: the metric.", metavar="M")
    settings: Settings | None = option(None, "")
    rng: int = option(0, "Seed of the simulation of k-hat.", flag="--seed", accepts="int | Generator")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducibilityArguments:
    """What `reproducibility` takes beside the results and the systems.

    Parameters
    ----------
    metric : str, optional
        For predictions "accuracy" (by default) or "chunk-f1"; otherwise what the numbers are called.
    higher_is_better : bool
        Of scores and estimates.
    ties : {"fractional", "first"}, optional
        What becomes of a tied vote; see `reportkit.reproducibility_analysis.estimate_system`.
    tolerance : float, optional
        By how many instances the overlap of two folds may differ from a quarter of the corpus, where groups were kept
        whole.
    confidence_level : float
        Of the intervals.
    appearance : Appearance, optional
        How tables and figures are set.
    """

    metric: str | None = option(
        None,
        "For predictions accuracy or chunk-f1; else what the numbers are called.  [default: accuracy]",
        metavar="M",
    )
    higher_is_better: bool = option(True, "Of scores and estimates.", flag="--lower-is-better")
    ties: TieRule | None = option(None, "What becomes of a tied vote.  [default: by metric]")
    tolerance: float | None = option(
        None,
        "By how many instances the overlap of two folds may differ from a quarter, where groups were kept whole.",
        metavar="N",
    )
    confidence_level: float = option(0.95, "Confidence level of the intervals.", metavar="LEVEL", aliases=("level",))
    appearance: Appearance | None = option(None, "")
