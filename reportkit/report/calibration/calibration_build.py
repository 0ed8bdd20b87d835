"""From a study of calibration to a report: which sections there are, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit._version import __version__
from reportkit.appearance import Appearance
from reportkit.calibration.study import CalibrationStudy, Omission
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, some
from reportkit.language.numerals import level_text
from reportkit.report.calibration.calibration_bins import bins_section, domain_words
from reportkit.report.calibration.calibration_cells import once, worded
from reportkit.report.calibration.calibration_machine import calibration_data
from reportkit.report.calibration.calibration_null import joint_section, null_section, null_words
from reportkit.report.calibration.calibration_pairs import pairs_section, sizes_section, threshold_words
from reportkit.report.calibration.calibration_toy import toy_section
from reportkit.report.labels import plain_labels, renamed
from reportkit.report.model import Itemize, Paragraph, Report, Section, Signature
from reportkit.report.prose import prose

MOST_THRESHOLDS_IN_WORDS = 6

_PARTS = {
    "null": "P-values where there is no effect",
    "joint": "Counting datasets where there is no effect",
    "pairs": "Gain and confidence",
    "sizes": "Size of the test set",
    "bins": "Shares of winners that are better",
    "domains": "Shares of winners that win on another dataset",
}


def build_calibration(
    study: CalibrationStudy,
    *,
    source: str,
    digest: str,
    n_rows: int = 0,
    columns: Mapping[str, str] | None = None,
    findings: Sequence[Finding] = (),
    names: Mapping[str, Sequence[str]] | None = None,
    appearance: Appearance | None = None,
) -> Report:
    """Lay out everything a study of calibration found, and what it could not look at.

    Parameters
    ----------
    study : CalibrationStudy
        What was found.
    source, digest : str
        Name of the results, and the SHA-256 of their content.
    n_rows : int
        Rows of the input.
    columns : mapping of str to str, optional
        Role to column name.
    findings : sequence of Finding
        What ingestion noticed.
    names : mapping of str to sequence of str, optional
        All names of the results by "system", "dataset" and "metric", to which labels may belong; by default those of
        the study.
    appearance : Appearance, optional
        How it is to look.

    Returns
    -------
    Report
        Without a format; `reportkit.rendering` writes it.
    """
    look = appearance or Appearance()
    signature = sign_study(study, source, digest)
    told = (*calibration_findings(study), *findings)
    known = names or {"system": study.systems, "dataset": study.datasets, "metric": (study.metric,)}
    shown = renamed(study, plain_labels(look, known))
    sections = _sections(shown)
    about: dict[str, Any] = {
        "source": source,
        "sha256": digest,
        "n_rows": n_rows,
        "columns": dict(columns or {}),
        "datasets": list(study.datasets),
        "systems": list(study.systems),
    }
    return Report(
        title=f"Calibration of {counted(len(study.systems), 'system')} on {some(shown.datasets, 3)}",
        sections=tuple(sections),
        signature=signature,
        findings=told,
        data=calibration_data(study, signature, about, told),
        summary=words_of_study(shown),
        appearance=look,
    )


def _sections(study: CalibrationStudy) -> tuple[Section, ...]:
    return (
        *([null_section(study)] if study.nulls else []),
        *([joint_section(study)] if study.joint else []),
        *([pairs_section(study)] if study.compared else []),
        *([sizes_section(study)] if study.sizes else []),
        *([bins_section(study)] if study.bins or study.domains is not None else []),
        *([toy_section(study)] if study.toy else []),
        _limits(study),
    )


def words_of_study(study: CalibrationStudy) -> tuple[str, ...]:
    """The few sentences that say what was found, part by part."""
    said = [*null_words(study)] if study.nulls else []
    said += [item.sentence for item in study.joint]
    if study.compared:
        thresholds = threshold_words(study)
        said += thresholds[:MOST_THRESHOLDS_IN_WORDS]
        if len(thresholds) > MOST_THRESHOLDS_IN_WORDS:
            said.append(f"The gains of {len(thresholds) - MOST_THRESHOLDS_IN_WORDS} more datasets are in the table.")
    if study.domains is not None:
        said.append(domain_words(study.domains, study.plan.alpha))
    if study.omissions:
        said.append(f"Left out or limited: {counted(len(study.omissions), 'part')}, with reasons in the report.")
    return tuple(said)


def calibration_findings(study: CalibrationStudy) -> tuple[Finding, ...]:
    """What a reader of p-values has to know: tests that do not keep their level, and counting that is not safe."""
    found = [
        Finding(
            "not-calibrated",
            "warning",
            str(item.verdict),
            f"dataset {item.dataset!r}",
            "use a test that takes this into account; without test=..., the decision table chooses one",
        )
        for item in study.nulls
        if item.verdict.status == "too liberal"
    ]
    found += [
        Finding(
            "fisher-not-safe",
            "warning",
            item.sentence,
            f"{item.system_a!r} and {item.system_b!r}",
            "count with Bonferroni: leave dependence='independent' (--dependence independent) away",
        )
        for item in study.joint
        if not item.safe()
    ]
    return tuple(found)


def sign_study(study: CalibrationStudy, source: str, digest: str) -> Signature:
    """Say in one line what was simulated from what, and how."""
    plan = study.plan
    parts = {
        "null": study.nulls,
        "joint": study.joint,
        "pairs": study.compared,
        "sizes": study.sizes,
        "bins": study.bins,
        "domains": study.domains,
        "toy": study.toy,
    }
    nulls = once([item.null for item in study.nulls])
    return Signature(
        version=__version__,
        source=source,
        digest=digest,
        fields={
            "study": "calibration",
            "parts": "+".join(name for name, content in parts.items() if content),
            **({"null": "+".join(nulls)} if nulls else {}),
            **({"test": plan.test} if plan.test else {}),
            "profile": plan.profile,
            "missing": plan.missing,
            "alpha": level_text(plan.alpha),
            "R": str(plan.n_replicates),
            "B": str(plan.n_resamples),
            "seed": str(plan.rng),
        },
    )


def _limits(study: CalibrationStudy) -> Section:
    """What these simulations do not show, and what could not be looked at."""
    items = [
        prose(
            "What the results do not tell, no simulation from them can show: clusters that no column names, training "
            "data that contain the test data, a test set that was looked at before."
        ),
        prose(
            "A calibrated test keeps its level for the claim it makes; it says nothing of how large or how useful a "
            "difference is."
        ),
    ]
    if any(item.null == "signflip" for item in study.nulls):
        items.append(
            prose(
                "The sign-flip test is exact where signs are flipped, by construction; recentred differences are what "
                "can find it wanting."
            )
        )
    blocks: list[Paragraph | Itemize] = [Itemize(items=tuple(items))]
    if study.omissions:
        blocks.append(Paragraph(content=prose("Left out or limited:")))
        blocks.append(Itemize(items=tuple(worded(line) for line in omission_words(study.omissions))))
    return Section(title="What this does not show", blocks=tuple(blocks))


def omission_words(omissions: Sequence[Omission]) -> list[str]:
    """One line for each part and reason, with all its places."""
    groups: dict[tuple[str, str], list[str]] = {}
    for item in omissions:
        groups.setdefault((item.part, item.reason), []).append(item.where)
    lines = []
    for (part, reason), where in groups.items():
        places = [place for place in where if place]
        lines.append(f"{_PARTS[part]}{f' ({some(places)})' if places else ''}: {reason}.")
    return lines
