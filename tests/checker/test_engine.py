"""The conductor: every fixture document, suppressions, selection, coverage, exit codes."""

from __future__ import annotations

import pandas as pd
import pytest

from reportkit.checker.config import CheckConfig, Selection, check_config
from reportkit.checker.engine import check
from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from tests.checker.mistakes import check_text


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
        assert list(report) == [], text
        assert report.n_suppressed == 1
    report = check_text(f"{claim} % reportkit: ignore RK117 -- quoted\n")
    assert [item.code for item in report] == ["RK201"]
    report = check_text(f"% reportkit: ignore RK201 -- quoted\n\nText.\n\n{claim}\n")
    assert [item.code for item in report] == ["RK201"]


def test_a_request_in_markdown_stands_in_a_comment():
    """The same in `<!-- -->`, on the line or before it."""
    for text in (
        "It is significantly better. <!-- reportkit: ignore RK201 -- quoted -->\n",
        "<!-- reportkit: ignore RK201 -- quoted -->\nIt is significantly better.\n",
    ):
        report = check_text(text, language="markdown")
        assert (len(report), report.n_suppressed) == (0, 1)


def test_a_request_in_verbatim_is_no_request():
    """What is in a listing is not read."""
    text = "\\begin{verbatim}\n% reportkit: ignore-file -- no\n\\end{verbatim}\nIt is significantly better.\n"
    assert [item.code for item in check_text(text)] == ["RK201"]


SELECTIONS = [
    ({}, "RK101 RK117 RK201", ""),
    ({"select": ("RK1",)}, "RK101 RK107", "RK201 RK001"),
    ({"select": ("RK1",), "ignore": ("RK107",)}, "RK101", "RK107"),
    ({"select": ("RK107",), "ignore": ("RK1",)}, "RK107", "RK101"),
    ({"ignore": ("RK1", "RK2")}, "RK302", "RK101 RK201"),
    ({"select": ("ALL",), "ignore": ("RK2",)}, "RK101", "RK201"),
    ({"select": ("rk101, rk201",)}, "RK101 RK201", "RK107"),
    ({"select": ("RK101",), "ignore": ("RK101",)}, "", "RK101"),
]


@pytest.mark.parametrize(("options", "on", "off"), SELECTIONS)
def test_the_longer_prefix_wins(options, on, off):
    """As in ruff, the longer prefix of a code in select and ignore decides."""
    selection = Selection(**options)
    assert [code for code in (*on.split(), *off.split()) if selection.runs(code)] == on.split()


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
    assert "RK004" in {item.code for item in report}
    assert report.render("concise").splitlines()[-1] == "no paper was given: only the results were checked"
    assert report.to_frame()["severity"].tolist() == [item.severity for item in report]


def test_parts_that_could_not_be_read_are_named_and_no_finding():
    """The first five by their places, the others counted."""
    report = check_text("Fine. " + "".join(f"\\input{{part{number}}}\n" for number in range(8)), name="paper.tex")
    assert len(report) == 0
    assert [note[:12] for note in report.coverage.notes] == [*(f"paper.tex:{n}:" for n in range(1, 6)), "3 more parts"]
    assert "there is no such file" in report.render("concise")


def test_a_paper_of_which_nothing_was_read_does_not_look_clean(tmp_path):
    """All inputs are absent: an error, exit code 2; in a folder above, up to the repository, they are found."""
    folder = tmp_path / "repository" / "render"
    folder.mkdir(parents=True)
    (folder / "paper.tex").write_text("\\begin{document}\\input{part}\\end{document}")
    report = check(folder / "paper.tex")
    assert ([item.code for item in report], report.exit_code) == (["RK001"], 2)
    (tmp_path / "repository" / ".git").mkdir()
    (tmp_path / "repository" / "part.tex").write_text("Here $p = .000$.")
    report = check(folder / "paper.tex")
    assert ([item.code for item in report], report.exit_code) == (["RK117"], 0)


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
    (folder / "reportkit.toml").write_text('[check]\ndata = "/proc/self/environ"\n')
    with pytest.raises(SettingsError, match="no file"):
        check_config(folder / "reportkit.toml")


def test_the_last_lines_say_what_was_compared():
    """With what result, what could not be and why, and which rules are off."""
    text = "One, $t(28) = 2.20$, $p = .036$. Two, $t(28) = 2.20$, $p = .001$. Three, $p = .04$."
    assert check_text(text).coverage.text().splitlines() == [
        "read 7 numbers, 3 of them p-values, and no table",
        "compared: 2 p-values, 1 agree",
        "not compared: 1 p-value without a statistic and its degrees of freedom",
    ]
    config = CheckConfig(selection=Selection(ignore=("RK107",)))
    assert "off: 1 rule (RK107); --select ALL turns all on" in check_text(text, config=config).coverage.text()
    assert [(*item[1:4], item[5]) for item in check_text(text).coverage.listing()] == [
        (1, 27, ".036", True),
        (1, 60, ".001", False),
    ]
