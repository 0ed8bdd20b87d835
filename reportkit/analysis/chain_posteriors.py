"""What a user holds after asking for posteriors by Markov chains: numbers as frames, diagnostics, checks, traces."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from reportkit.chains.sampled_posterior import SampledPosterior
from reportkit.chains.traces import ENDING, save_traces
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.language.short_repr import few_lines

NUMBERS = ("mean", "sd", "p_better", "monte_carlo_error", "low", "high")


@dataclass(frozen=True, eq=False)
class SampledPosteriorResult:
    """Posteriors by Markov chains of the difference between two systems, one per dataset.

    Parameters
    ----------
    posteriors : tuple of SampledPosterior
        In the order of the datasets.
    """

    posteriors: tuple[SampledPosterior, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row per dataset.

        Columns: system_a, system_b, dataset, model, mean, sd, p_better, monte_carlo_error (of p_better), low, high (of
        the credible interval), level, withheld (which diagnostics failed; the numbers are then missing), and with a
        region of practical equivalence p_better_by_rope, p_equivalent, p_worse_by_rope, outcome.
        """
        return pd.DataFrame([_row(item) for item in self.posteriors]).astype(dict.fromkeys(NUMBERS, "float64"))

    def diagnostics(self) -> pd.DataFrame:
        """One row per dataset and parameter.

        Columns: dataset, parameter, mean, sd, r_hat, ess_bulk, ess_tail, and of all chains of the dataset n_divergences
        and least_bfmi. Given also where the result is withheld.
        """
        rows = [
            {
                "dataset": item.dataset,
                "parameter": found.name,
                "mean": found.mean,
                "sd": found.sd,
                "r_hat": found.r_hat,
                "ess_bulk": found.ess_bulk,
                "ess_tail": found.ess_tail,
                "n_divergences": item.diagnostics.n_divergences,
                "least_bfmi": min(item.diagnostics.bfmi),
            }
            for item in self.posteriors
            for found in item.diagnostics.parameters
        ]
        return pd.DataFrame(rows)

    def checks(self) -> pd.DataFrame:
        """One row per dataset and predictive check.

        Columns: dataset, under ("prior" or "posterior"), quantity, observed, low, median, high (of replicated data),
        p_value, n_replicates, extreme.
        """
        rows = [
            {"dataset": item.dataset, **dataclasses.asdict(check), "extreme": check.extreme}
            for item in self.posteriors
            for check in item.checks
        ]
        return pd.DataFrame(rows)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to be careful about."""
        return tuple(dict.fromkeys(finding for item in self.posteriors for finding in item.findings))

    def save_traces(self, path: str | Path) -> tuple[Path, ...]:
        """Write all draws as NetCDF, one file per dataset.

        Parameters
        ----------
        path : str or Path
            A folder; or a file that ends in `.nc`, if there is one dataset.

        Raises
        ------
        SettingsError
            If one file is named for several datasets.
        RenderingError
            If a file cannot be written.
        """
        refuse_one_file_for_several(path, self.posteriors)
        return tuple(save_traces(item, path) for item in self.posteriors)

    def words(self) -> str:
        """Say what was found, a line for each dataset, and what the chains say of themselves."""
        lines = []
        for item in self.posteriors:
            lines += [item.sentence] if item.withheld else [item.sentence, item.convergence_sentence]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return few_lines(self.words().splitlines(), "words()")


def refuse_one_file_for_several(path: str | Path, items: Sequence[object]) -> None:
    """Raise an error if a file, and not a folder, is named for the traces of several datasets.

    Raises
    ------
    SettingsError
        In that case.
    """
    if Path(path).suffix == ENDING and len(items) > 1:
        raise SettingsError(
            f"the traces of {len(items)} datasets do not fit into one file",
            where=str(path),
            remedy="name a folder, or one of the datasets: datasets=[...]",
        )


def _row(item: SampledPosterior) -> dict[str, object]:
    names: dict[str, object] = {
        "system_a": item.system_a,
        "system_b": item.system_b,
        "dataset": item.dataset,
        "model": item.model,
    }
    rope_names = ("p_better_by_rope", "p_equivalent", "p_worse_by_rope", "outcome")
    if item.withheld:
        nothing = dict.fromkeys((*NUMBERS, *(rope_names if item.half_width is not None else ())))
        return {**names, **nothing, "level": item.level, "withheld": "; ".join(item.withheld)}
    interval, rope = item.interval, item.rope
    row = {
        **names,
        "mean": item.mean,
        "sd": item.sd,
        "p_better": item.p_better,
        "monte_carlo_error": item.monte_carlo_error,
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "withheld": "",
    }
    if rope is None:
        return row
    return {**row, **dict(zip(rope_names, (rope.better, rope.equivalent, rope.worse, rope.decision), strict=True))}
