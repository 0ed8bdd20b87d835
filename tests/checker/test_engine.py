"""The conductor: every fixture document, suppressions, selection, coverage, exit codes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
import pytest

from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig, check_config
from reportkit.checker.engine import check, check_text
from reportkit.checker.selection import Selection
from reportkit.errors import ReadingError, SettingsError, UnknownNameError

FIXTURES = Path(__file__).parent / "fixtures"
DOCUMENTS = sorted(path for path in FIXTURES.glob("RK*/*.md"))
BLOCK = re.compile(r"^```(latex|markdown|csv|json|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ITEM = re.compile(
    r'- (?P<code>RK\d{3})(?: line (?P<line>\d+))?: "(?P<part>.*?)"(?: \((?P<severity>\w+)\))?(?:,? fix: "(?P<fix>.*)")?'
)
ENDINGS = {
    "latex": "paper.tex",
    "markdown": "paper.md",
    "csv": "results.csv",
    "json": "report.json",
    "toml": "reportkit.toml",
}


@dataclass(frozen=True)
class Expected:
    """One line below the heading `## Expected`."""

    code: str
    line: int
    part: str
    severity: str | None
    fix: str | None


def expectations(path):
    """Read what a document expects."""
    _, found, below = path.read_text("utf-8").partition("\n## Expected\n")
    assert found, f"{path} has no heading '## Expected'"
    lines = [line for line in below.splitlines() if line.strip()]
    if lines == ["- nothing"]:
        return []
    items = []
    for line in lines:
        match = ITEM.fullmatch(line.strip())
        assert match, f"{path}: not understood: {line}"
        items.append(Expected(match["code"], int(match["line"] or 0), match["part"], match["severity"], match["fix"]))
    assert items, f"{path} expects nothing and does not say so"
    return items


def run(path, folder, *, written=False):
    """Check a fixture document; return the findings. Its files are written before, unless they are there."""
    blocks = dict(BLOCK.findall(path.read_text("utf-8").partition("\n## Expected\n")[0]))
    assert blocks, f"{path} holds nothing to check"
    for language, content in () if written else blocks.items():
        (folder / ENDINGS[language]).write_text(content, encoding="utf-8")
    config = check_config(folder / "reportkit.toml") if "toml" in blocks else CheckConfig()
    if not config.selection.select:
        config = replace(config, selection=Selection(select=(path.parent.name,)))
    papers = [folder / ENDINGS[language] for language in ("latex", "markdown") if language in blocks]
    return check(
        papers,
        data=folder / "results.csv" if "csv" in blocks else None,
        report=folder if "json" in blocks else None,
        config=config,
    )


def assert_severities_are_the_listed_ones_or_said(report):
    """In every output that says how severe a finding is."""
    outputs = {name: report.render(name) for name in ("full", "concise", "json", "markdown", "github", "sarif")}
    for item in report:
        listed = RULES[item.code].severity
        assert (item.listed or item.severity) == listed
        if item.severity != listed:
            assert item.why
            assert item.severity in RULES[item.code].also or RULES[item.code].manual
            for name, text in outputs.items():
                said = item.why if name == "json" else f"listed as {listed}; {item.severity} here: {item.why}"
                assert said in text, name
        else:
            assert item.severity_note == ""


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_document_yields_what_it_expects(path, tmp_path):
    """Codes, lines, parts of messages; nothing more and nothing less."""
    report = run(path, tmp_path)
    assert_severities_are_the_listed_ones_or_said(report)
    left = list(report)
    for item in expectations(path):
        matching = [
            found
            for found in left
            if (found.code, found.line) == (item.code, item.line)
            and item.part in found.text
            and item.severity in (None, found.severity)
            and (item.fix is None or [edit.replacement for edit in found.fixes] == [item.fix])
        ]
        assert matching, f"missing: {item}\nfound: {left}"
        left.remove(matching[0])
    assert left == []


def test_a_request_on_its_line_or_the_line_before_leaves_a_finding_out():
    """On the line, on a line of its own before it, for the file; another code leaves nothing out."""
    claim = "It is significantly better."
    for text in (
        f"{claim} % reportkit: ignore RK201 -- quoted\n",
        f"% reportkit: ignore RK2 -- quoted\n% another comment\n{claim}\n",
        f"% reportkit: ignore-file RK201 -- quoted\n\nText.\n\n{claim}\n",
        f"{claim} % REPORTKIT: ignore rk103, rk201 -- quoted\n",
    ):
        report = check_text(text)
        assert [item.code for item in report if item.code != "RK002"] == [], text
        assert report.n_suppressed == 1
    report = check_text(f"{claim} % reportkit: ignore RK117 -- quoted\n")
    assert [item.code for item in report] == ["RK201", "RK002"]
    report = check_text(f"% reportkit: ignore RK201 -- quoted\n\nText.\n\n{claim}\n")
    assert sorted(item.code for item in report) == ["RK002", "RK201"]


def test_a_request_in_markdown_stands_in_a_comment():
    """The same in `<!-- -->`, on the line or before it."""
    for text in (
        "It is significantly better. <!-- reportkit: ignore RK201 -- quoted -->\n",
        "<!-- reportkit: ignore RK201 -- quoted -->\nIt is significantly better.\n",
    ):
        report = check_text(text, language="markdown")
        assert (len(report), report.n_suppressed) == (0, 1)


def test_a_request_in_verbatim_is_no_request():
    """What stands in a listing is not read."""
    text = "\\begin{verbatim}\n% reportkit: ignore-file -- no\n\\end{verbatim}\nIt is significantly better.\n"
    assert [item.code for item in check_text(text)] == ["RK201"]


def test_a_file_may_be_excepted_and_a_severity_changed(tmp_path):
    """Globs of names in `per-file-ignores`; severities by code; the configuration is found in a folder above."""
    (tmp_path / "appendix").mkdir()
    for name in ("paper.tex", "appendix/more.tex"):
        (tmp_path / name).write_text("It is significantly better.\n")
    (tmp_path / "reportkit.toml").write_text(
        '[check]\nper-file-ignores = { "*appendix/*" = ["RK2"] }\nseverity = { RK201 = "error" }\n'
    )
    report = check([tmp_path / "paper.tex", tmp_path / "appendix" / "more.tex"])
    assert [(item.path.name, item.severity) for item in report] == [("paper.tex", "error")]
    assert report.exit_code == 1
    assert "= severity: listed as warning; error here: reportkit.toml sets it" in report.render()


def test_settings_of_the_check_may_stand_in_pyproject(tmp_path):
    """`[tool.reportkit.check]`; papers are relative to the file."""
    (tmp_path / "paper.md").write_text("It is significantly better.\n")
    (tmp_path / "pyproject.toml").write_text('[tool.reportkit.check]\nignore = ["RK201"]\npapers = ["paper.md"]\n')
    report = check(config=check_config(tmp_path / "pyproject.toml"))
    assert len(report) == 0
    assert "RK201" not in {rule.code for rule in report.rules}


MISTAKES = {
    "an unknown key": ("[check]\nselct = ['RK1']\n", UnknownNameError, "select"),
    "no code": ("[check]\nselect = ['E501']\n", SettingsError, "RK201"),
    "no table": ("check = 3\n", SettingsError, "[check]"),
    "an unknown severity": ("[check]\nseverity = { RK201 = 'fatal' }\n", UnknownNameError, "error"),
    "no list": ("[check]\nignore = 5\n", SettingsError, "list of names"),
    "no path": ("[check]\ndata = 5\n", SettingsError, "path"),
    "no flag": ("[check]\nstrict = 'yes'\n", SettingsError, "true or false"),
    "no TOML": ("[check\n", ReadingError, "TOML"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_configuration_is_said(mistake, tmp_path):
    """What, where, and what is allowed."""
    content, error, words = MISTAKES[mistake]
    path = tmp_path / "reportkit.toml"
    path.write_text(content)
    with pytest.raises(error) as caught:
        check_config(path)
    assert words in str(caught.value)


def test_nothing_to_check_is_an_error():
    """The message says both forms of the command."""
    with pytest.raises(SettingsError, match="nothing to check"):
        check(config=CheckConfig())


def test_a_paper_that_is_not_there_is_a_finding(tmp_path):
    """RK001, an error, with the name."""
    (found,) = check(tmp_path / "nothing.tex")
    assert (found.code, found.severity) == ("RK001", "error")
    assert "nothing.tex" in found.message


def test_the_accessor_checks_a_frame():
    """`df.replic.check()` finds what `reportkit.check(data=df)` finds."""
    import reportkit

    frame = pd.DataFrame({"system": ["a", "a", "b"], "dataset": "d", "instance": [1, 1, 1], "score": [1.0, 0.0, 1.0]})
    report = frame.replic.check()
    assert list(report) == list(reportkit.check(data=frame))
    assert "RK501" in {item.code for item in report}
    assert report.render("concise").splitlines()[-1] == "no paper was given: only the results were checked"
    assert report.to_frame()["severity"].tolist() == [item.severity for item in report]


def test_parts_that_could_not_be_read_are_named_and_no_finding():
    """The first five by their places, the others counted."""
    report = check_text("".join(f"\\input{{part{number}}}\n" for number in range(8)), name="paper.tex")
    assert len(report) == 0
    assert [note[:12] for note in report.coverage.notes] == [*(f"paper.tex:{n}:" for n in range(1, 6)), "3 more parts"]
    assert "there is no such file" in report.render("concise")


def test_a_configuration_names_papers_beside_it_only(tmp_path):
    """It may come with a stranger's paper; the error says what works, and it does."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (tmp_path / "secret.tex").write_text("Here $p = .000$.")
    for name, words in (("../secret.tex", "outside"), ("/proc/self/environ", "no file"), ("link.tex", "outside")):
        (folder / "reportkit.toml").write_text(f'[check]\npapers = ["{name}"]\n')
        (folder / "link.tex").unlink(missing_ok=True)
        (folder / "link.tex").symlink_to("../secret.tex")
        with pytest.raises(SettingsError, match=words):
            check_config(folder / "reportkit.toml")
    assert [item.code for item in check(tmp_path / "secret.tex", select=["RK117"])] == ["RK117"]
    for key in ("data", "report"):
        (folder / "reportkit.toml").write_text(f'[check]\n{key} = "/proc/self/environ"\n')
        with pytest.raises(SettingsError, match="no file"):
            check_config(folder / "reportkit.toml")


def test_a_paper_without_scores_of_systems_is_told_so():
    """The closing lines name the rules that need such a table; with one, they look."""
    outside = check_text("Group size mattered ($t(28) = 2.20$, $p = .036$).")
    assert "no table prints scores of systems; what is about such tables did not look: RK215" in (
        outside.coverage.text()
    )
    table = "\\begin{tabular}{lc} System & Accuracy \\\\ \\hline A & 80.1 \\\\ B & 81.2 \\end{tabular}"
    assert "no table prints scores" not in check_text(f"We compare. {table}").coverage.text()
