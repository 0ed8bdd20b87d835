"""What `reportkit build` does, once its options are read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from reportkit.analysis.analysis import Analysis
from reportkit.analysis.read_large import read_large
from reportkit.analysis.read_results import read_results
from reportkit.api import compare
from reportkit.cli.config import BuildConfig, configured
from reportkit.cli.declared_options import where_given
from reportkit.cli.gate import Requirement, candidate_and_baseline, decide, pull_request
from reportkit.cli.inspect import command_typed
from reportkit.cli.plain_lines import finding_lines, say
from reportkit.cli.progress import progress_bar
from reportkit.cli.writing import write_and_say
from reportkit.errors import SettingsError, UnknownNameError, nearest
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.parallel import workers_of
from reportkit.rendering.documents import unicode_finding
from reportkit.rendering.office import require_formats
from reportkit.replicability.claims import NOT_COMPARED
from reportkit.replicability.missing_data import DATASETS_LEFT_OUT
from reportkit.scores.files import is_url, may_be_large
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import read
from reportkit.scores.reading import Reading
from reportkit.scores.results import Results
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

FINDINGS = 1
TO_ACT_ON = frozenset({DATASETS_LEFT_OUT, NOT_COMPARED, "missing-drop"})
"""Warnings that data which were given are not in the report."""

EVERYDAY_NAMES = {
    **dict.fromkeys(("t-test", "ttest", "students-t"), "paired-t"),
    **dict.fromkeys(("bootstrap", "bootstrap-test"), "paired-bootstrap"),
    **dict.fromkeys(("permutation", "permutation-test", "randomization"), "sign-flip"),
    **dict.fromkeys(("fisher", "fishers-exact"), "fisher-exact"),
}
"""What tests are called that have another name here."""


def run_build(results: Sequence[str], options: Mapping[str, Any]) -> int:
    """Read, compare, write, and say what was found.

    Returns
    -------
    int
        0; 1 if there is a finding of severity "error", if data that were given are not in the report, or if the
        requirement is not met.
    """
    quiet = bool(options["quiet"])
    first = results[0]
    config = configured(Path(PurePosixPath(first).name if is_url(first) else first), options)
    if config.path is not None and not quiet:
        say(f"settings from {config.path}", err=True)
    require_formats(config.appearance.formats)
    requirement = Requirement.parse(options["require"]) if options["require"] else None
    _known_test(config.settings.test)
    where = where_given(options)
    source = understood(results, config, where=where, memory_limit=options["memory_limit"], quiet=quiet)
    analysis = analyse(source, config, where=where, quiet=quiet)
    with progress_bar("writing", quiet=quiet):
        report = dataclasses.replace(analysis, appearance=config.appearance).report().model
    write_and_say(report, config.output, templates=config.templates, pdf=options["pdf"], quiet=options["quiet"])
    if (finding := unicode_finding(report)) is not None and not quiet:
        say(*finding_lines(finding), err=True)
    met = requirement is None or _required(analysis, source, requirement, options["require"], config)
    return FINDINGS if not met or any(_to_act_on(item) for item in report.findings) else 0


def _known_test(name: str | None) -> None:
    """Refuse a test that there is not before anything is read."""
    if name is None or name in SIGNIFICANCE_TESTS:
        return
    near = nearest(name, [*EVERYDAY_NAMES, *SIGNIFICANCE_TESTS])
    meant = dict.fromkeys(EVERYDAY_NAMES.get(found, found) for found in near)
    raise UnknownNameError("significance test", name, sorted(SIGNIFICANCE_TESTS), meant=meant)


def _required(
    analysis: Analysis, source: Reading | Results, requirement: Requirement, typed: str, config: BuildConfig
) -> bool:
    """Decide, say it in one line, and write it for a pull request."""
    if analysis.results is None:
        raise SettingsError("--require needs scores by instance", remedy="give the results, not a printed table")
    candidate, baseline = candidate_and_baseline(analysis.results.systems, config.systems, config.baselines)
    decision = decide(analysis.results, candidate, baseline, requirement, config.settings)
    say(f"{'requirement met' if decision.met else 'requirement not met'}: {decision.sentence}", err=not decision.met)
    frame = source.frame if isinstance(source, Reading) else None
    text = pull_request(decision, typed, frame, candidate, baseline)
    (config.output / "pull-request.md").write_text(text, encoding="utf-8", newline="\n")
    return decision.met


def _to_act_on(item: Finding) -> bool:
    return item.severity == "error" or (item.severity == "warning" and item.code in TO_ACT_ON)


def understood(
    paths: Sequence[str | Path],
    config: BuildConfig,
    *,
    where: Mapping[str, Any],
    memory_limit: str | None = None,
    quiet: bool,
) -> Reading | Results:
    """Read files and say what was understood; large ones dataset by dataset, which are then results at once."""
    found: Reading | Results | None = None
    with progress_bar("reading", quiet=quiet) as progress:
        request = dataclasses.replace(config.request(command_typed(paths)), progress=progress)
        if memory_limit is not None or may_be_large(paths):
            with workers_of(where) as given:
                workers = None if where.get("workers") == "auto" else given
                found = read_large(paths, config.settings, request, workers=workers, memory_limit=memory_limit)
        if found is None:
            found = read(list(paths), request, decimal=config.settings.decimal)
    if isinstance(found, Reading):
        sentence = found.sentence
    else:
        counts = counted(len(found.systems), "system"), counted(len(found.dataset_names), "dataset")
        sentence = f"{found.source}: {listed(counts)}, {counted(found.n_rows, 'row')}, read dataset by dataset"
    if not quiet:
        say(sentence, "")
    return found


def analyse(source: Reading | Results, config: BuildConfig, *, where: Mapping[str, Any], quiet: bool) -> Analysis:
    """Compare what the configuration names."""
    systems, baselines, settings = config.systems, config.baselines, config.settings
    data: Results | PrintedResults | Reading = source
    if isinstance(data, Reading):
        pair = (systems[0], baselines[0]) if len(systems) == len(baselines) == 1 else (None, None)
        request = config.request(command_typed([data.source]))
        with progress_bar("checking", quiet=quiet):
            data = read_results(data, settings, request, system_a=pair[0], system_b=pair[1])
    who: dict[str, Any] = {"systems": systems, "baseline": baselines, "claims": config.claims}
    with progress_bar("testing", quiet=quiet) as progress:
        return compare(data, **who, settings=settings, progress=progress, **where)
