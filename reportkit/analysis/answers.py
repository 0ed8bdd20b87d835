"""The results of asking for posteriors, Bayes factors, or all four answers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd

from reportkit._version import __version__
from reportkit.analysis.presentation import Styled
from reportkit.appearance import Appearance
from reportkit.bayes.chains.traces import ENDING, save_traces
from reportkit.bayes.evidence.claims import findings_of
from reportkit.bayes.posterior import Posterior
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.language import few_lines
from reportkit.report.assemble import answers_to, signature_of
from reportkit.report.beyond import Beyond, claim_facts, factors_facts, posterior_facts
from reportkit.report.facts import VERSION
from reportkit.report.gather import gather
from reportkit.report.labels import as_printed
from reportkit.report.model import Block, Report, Section
from reportkit.report.pictures import Pictures
from reportkit.report.tokens import name, plain
from reportkit.report.wording import Wording

if TYPE_CHECKING:
    from reportkit.analysis.questions import Questions


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Styled):
    """Further answers of an analysis, beyond its p-values.

    Parameters
    ----------
    data : object
        Everything that was computed.
    analysis : Questions
        What was asked.
    appearance : Appearance
        How tables and figures are set.
    """

    data: Any
    analysis: Questions
    appearance: Appearance

    kind: ClassVar[str]

    @property
    def _rows(self) -> list[dict[str, object]]:
        return list(self.data.rows)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the cautions."""
        raise NotImplementedError

    def _shown(self, beyond: Beyond) -> tuple[str, list[Block], list[str]]:
        """Return the title, tables and figures, and words of the report."""
        raise NotImplementedError

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """Return the numbers, unrounded; or, by its name, a table as it is printed. The class says which columns."""
        if name is not None:
            return self.analysis.given(super().to_frame(name))
        frame = pd.DataFrame(self._rows)
        return self.analysis.given(frame.astype({name: "float64" for name in frame if frame[name].isna().all()}))

    def _lay_out(self) -> Report:
        facts = self.analysis.__dict__.get("_facts") or gather(self.analysis)
        printed = as_printed(facts, self.appearance)
        title, blocks, said = self._shown(Beyond(printed, Wording(printed)))
        numbers = [
            {name: None if isinstance(x, float) and not math.isfinite(x) else x for name, x in row.items()}
            for row in self._rows
        ]
        return Report(
            title=title,
            sections=(Section(title=title, blocks=tuple(blocks)),),
            signature=signature_of(facts),
            findings=self.findings,
            data={"version": VERSION, "reportkit_version": __version__, "kind": self.kind, self.kind: numbers},
            summary=tuple(plain(line, self.appearance.plain_labels) for line in said),
            appearance=self.appearance,
        )


class Posteriors(Answer):
    """Posteriors of the difference between two systems, one per comparison and dataset.

    Columns of `to_frame`: system_a, system_b, dataset, model, mean, sd, p_better, low, high (of the credible
    interval), level, and with a region of practical equivalence p_better_by_rope, p_equivalent, p_worse_by_rope,
    outcome. By Markov chains also monte_carlo_error (of p_better) and withheld (which diagnostics failed; the numbers
    are then missing). Over datasets as the sample: p_better, p_equivalent, p_worse of a new dataset, and n_datasets.
    """

    kind = "posteriors"
    title: ClassVar[str] = "Posterior of each difference"

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    @property
    def _rows(self) -> list[dict[str, object]]:
        return [row for item in self.data for row in item.rows]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the cautions."""
        return tuple(dict.fromkeys(found for item in self.data for found in getattr(item, "findings", ())))

    def _shown(self, beyond: Beyond) -> tuple[str, list[Block], list[str]]:
        said = []
        for item in self.data:
            labels = {
                key: name(getattr(item, key)) for key in ("system_a", "system_b", "dataset") if hasattr(item, key)
            }
            said.append(dataclasses.replace(item, **labels).sentence)
            if getattr(item, "chains", None) is not None and not item.withheld:
                said.append(item.chains.sentence)
        pairs = [list(items) for _, items in groupby(self.data, lambda item: (item.system_a, item.system_b))]
        blocks: list[Block] = []
        for number, items in enumerate(pairs, start=1):
            blocks += self._pair(beyond, items, f"-{number}" if len(pairs) > 1 else "")
        return self.title, blocks, said

    def _pair(self, beyond: Beyond, items: list[Any], suffix: str) -> list[Block]:
        """Return table and figure of two systems."""
        known = [item for item in items if isinstance(item, Posterior)]
        pictures = Pictures(beyond.f, self.appearance, beyond.words)
        drawn = [pictures.posterior_forest(known, suffix)] if len(known) > 1 else []
        return [beyond.posteriors(list(map(posterior_facts, items)), suffix), *drawn]

    def save_traces(self, path: str | Path) -> tuple[Path, ...]:
        """Write all draws of Markov chains as NetCDF, one file per dataset; `reportkit.bayes.chains.read_traces` reads.

        Parameters
        ----------
        path : str or Path
            A folder; or a file that ends in `.nc`, if there is one dataset.

        Raises
        ------
        SettingsError
            If one file is named for several datasets.
        RenderingError
            If a file cannot be written, or no chains were run.
        """
        if Path(path).suffix == ENDING and len(self) > 1:
            raise SettingsError(
                f"the traces of {len(self)} datasets do not fit into one file", where=str(path), remedy="name a folder"
            )
        return tuple(save_traces(item, path) for item in self.data)


class BayesFactorsPerDataset(Posteriors):
    """Bayes factors of one hypothesis about two systems, one per comparison and dataset, each under several priors.

    Columns of `to_frame`: system_a, system_b, dataset, hypothesis, prior, prior_mass, posterior_mass, bayes_factor
    (of the hypothesis against its negation), bound ("none", "upper", "lower"), depends_on_prior.
    """

    kind = "bayes_factors"
    title = "Bayes factors"

    def _pair(self, beyond: Beyond, items: list[Any], suffix: str) -> list[Block]:
        return [beyond.factors(list(map(factors_facts, items)), suffix)]


class ClaimResult(Answer):
    """Four answers to one claim on each dataset, and on how many it is shown; `data` is an `AssessedClaim`.

    Columns of `to_frame`: dataset, p_value (one-sided, of the claim's negation), adjusted_p_value (Holm),
    identified, ci_low, ci_high (of the difference), probability (posterior, of the claim), bayes_factor (claim
    against its negation), bayes_factor_low, bayes_factor_high (over the priors); missing where a question has no
    answer, and silences says why.
    """

    kind = "claim"

    @property
    def k_hat(self) -> int | None:
        """Return on how many datasets the claim holds, at least (Holm, any dependence); None if one has no p-value."""
        found: int | None = self.data.k_hat
        return found

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the cautions."""
        return findings_of([self.data])

    def _shown(self, beyond: Beyond) -> tuple[str, list[Block], list[str]]:
        claim = claim_facts(self.data)
        items = [
            f"{beyond.say('difference', item=item)} {beyond.say('answer', claim=claim, item=item)}"
            for item in claim["answers"]
        ]
        meaning = beyond.say("meaning").split("\n\n")
        said = [beyond.say("count", claim=claim), *items, beyond.say("questions"), *meaning]
        return beyond.words.heads["sections"]["evidence"], list(answers_to(beyond, [[claim]])), said

    def __repr__(self) -> str:
        rows = pd.DataFrame(self._rows).to_string(index=False).splitlines()
        return few_lines([self._model.summary[0], *rows], "to_frame()")
