"""`reportkit build RESULTS`: from a file of results to a folder with a report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from reportkit.cli.appearance import appearance_options
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.scores.table.roles import LONG_ROLES as ROLES

_HELD = {"k": "the number of right answers", "n": "the number of instances"}


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # generic since click 8.2


class _Alternative(_Choice):
    """How a claim is tested; who asks for "less" is told how to say it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse "less" with what to do."""
        if value == "less":
            self.fail(
                "'less', and the claim is always that --system is better. Swap the two systems and leave --alternative "
                "away: --system B --baseline A",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


def _column_options(command: Any) -> Any:
    for role in reversed(ROLES):
        held = _HELD.get(role, f"the {role}")
        command = click.option(f"--{role}-column", metavar="NAME", help=f"Column that holds {held}.")(command)
    return command


class BuildCommand(GroupedCommand):
    """`reportkit build`, with its options under headings."""

    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Who is compared, by what": (
            "systems",
            "baselines",
            "metric",
            "primary_metric",
            "gatekeeping",
            "alternative",
            "preregistered",
        ),
        "How it is tested and counted": (
            *("datasets", "alpha", "profile", "test", "lower_is_better", "kind", "missing", "pairing", "seeds"),
            *(
                "across_datasets",
                "friedman",
                "score_range",
                "accept_mixed_scales",
                "printed_reading",
                "seed",
                "n_resamples",
            ),
        ),
        "Beyond the p-value": ("rope", "bayes", "prior"),
        "How it looks": (
            *(
                "venue",
                "widths",
                "name",
                "marks",
                "bold",
                "rows",
                "cell",
                "decimals",
                "average",
                "environment",
                "caption",
            ),
            *("engine", "notes", "length", "markdown", "templates"),
        ),
        "Names of the columns": tuple(f"{role}_column" for role in ROLES),
    }


@click.command("build", cls=BuildCommand, short_help="Write a report from a file of results.")
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--system", "systems", metavar="A", multiple=True, help="System claimed to be better; repeatable.")
@click.option("--baseline", "baselines", metavar="B", multiple=True, help="System to compare with; repeatable.")
@click.option(
    "--metric",
    metavar="M",
    multiple=True,
    help="Metric to report, if the results hold several; or bleu, f1, ... from columns of counts, or a correlation "
    "with the gold score: pearson, spearman, kendall. Repeatable: the first is the primary metric.",
)
@click.option("--primary-metric", metavar="M", help="The primary metric; without --metric, of all that there are.")
@click.option(
    "--gatekeeping",
    type=click.Choice(["none", "serial", "by-dataset", "exploratory"]),
    help="How several metrics share the level.  [default: none, all in one family]",
)
@click.option(
    "--datasets",
    type=click.Choice(["independent", "dependent", "unknown"]),
    help="Dependence between the datasets; unknown counts as dependent.",
)
@click.option("--alpha", type=float, multiple=True, metavar="LEVEL", help="Level; repeatable.  [default: 0.05, 0.01]")
@click.option(
    "--alternative",
    type=_Alternative(["greater", "two-sided"]),
    help="two-sided: no direction was chosen before the results were seen; both are tested at half the level.",
)
@click.option(
    "--preregistered", is_flag=True, default=None, help="Say that the direction was declared before seeing the results."
)
@click.option(
    "--profile", type=click.Choice(["recommended", "dror2017"]), help="Which decision table chooses the tests."
)
@click.option("--test", metavar="T", help="One test for all datasets, by name, instead of the decision table.")
@click.option("--lower-is-better", metavar="M", multiple=True, help="Metric of which less is better; repeatable.")
@click.option("--kind", metavar="K", help="Declare all scores ordinal, count, binary or continuous.")
@click.option(
    "--missing",
    type=click.Choice(["error", "drop", "worst", "bounds"]),
    help="Instances that a system has no score for.",
)
@click.option("--pairing", type=click.Choice(["paired", "unpaired"]), help="unpaired: other instances per system.")
@click.option("--seeds", type=click.Choice(["random", "fixed"]), help="fixed: the claim is about these very runs.")
@click.option(
    "--across-datasets", is_flag=True, default=None, help="Take the means of the datasets as the data, as one sample."
)
@click.option(
    "--friedman", is_flag=True, default=None, help="Add Friedman's test: do the systems differ on a typical dataset?"
)
@click.option("--rope", type=float, metavar="R", help="Differences up to R do not matter; adds posteriors.")
@click.option("--bayes", is_flag=True, default=None, help="Add posteriors and Bayes factors.")
@click.option("--prior", type=float, metavar="P", help="Of these: a of Beta(a, a), or the scale of a Cauchy prior.")
@click.option("--score-range", type=float, nargs=2, metavar="LOW HIGH", help="Lowest and highest possible score.")
@click.option("--accept-mixed-scales", is_flag=True, help="Proportions and percentages may stand side by side.")
@click.option(
    "--printed-reading",
    type=click.Choice(["as-printed", "observed-direction", "two-sided"]),
    help="How printed p-values are meant.",
)
@click.option("--seed", type=int, help="Seed of all random resamples.  [default: 0]")
@click.option("--n-resamples", type=int, metavar="B", help="Fewest random resamples.  [default: 9999]")
@appearance_options
@_column_options
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Settings in TOML; by default RESULTS.toml or reportkit.toml beside it.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write.  [default: report]")
@click.option("--pdf", is_flag=True, help="Run LaTeX on the report.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def build_command(results: Path, **options: Any) -> int:
    """Write a report from RESULTS: a table such as .csv, .parquet or .jsonl, also gzipped.

    RESULTS holds one row per score (system, dataset, instance, score), or one column per system, or what a paper
    prints (dataset, score_a, score_b, p_value). With one --system and one --baseline, the claim is that the system
    is better. With neither, two systems are compared in both directions and more than two as all pairs.

    The exit code is 0; 1 if there is a finding you should act on; 2 if the report cannot be built.
    """
    from reportkit.cli.building import run_build

    return run_build(results, options)
