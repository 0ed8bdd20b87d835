"""`reportkit check`, run as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import run_command as reportkit


@pytest.fixture
def folder(tmp_path):
    """A paper with a wrong number, and its results."""
    rows = [
        f"{system},{dataset},{dataset}-{i},{int(i < k)}"
        for system, right in (("ours", (8, 5)), ("base", (6, 5)))
        for dataset, k in zip(("sst2", "anli"), right, strict=True)
        for i in range(10)
    ]
    (tmp_path / "results.csv").write_text("system,dataset,instance,score\n" + "\n".join(rows) + "\n")
    (tmp_path / "paper.tex").write_text(
        "\\begin{tabular}{lcc}\\toprule System & SST-2 & ANLI \\\\ \\midrule\nBase & 60.0 & 50.0 \\\\\n"
        "Ours & 81.0 & 50.0 \\\\ \\bottomrule\\end{tabular}\n\nThe gain has $p = .000$.\n"
    )
    return tmp_path


@pytest.mark.slow
def test_a_paper_is_checked_against_its_results(folder):
    """In a process of its own: exit code 1, the wrong number with the right one, what was covered."""
    command = [sys.executable, "-m", "reportkit", "check", "paper.tex", "--data", "results.csv"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", env=environment, timeout=600)
    assert done.returncode == 1, done.stderr
    assert "error[RK101]: 81.0 is printed, and the score in results.csv is 80.000." in done.stdout
    assert "--> paper.tex:3:8" in done.stdout
    assert "linked 4 of 4 numbers of results tables (100%)" in done.stdout
    assert done.stderr == ""


def test_exit_codes(folder):
    """Warnings alone are 0, unless strict; errors 1, unless --exit-zero; a mistake of the user 2."""
    paper = ("check", "paper.tex")
    assert reportkit(*paper, cwd=folder).returncode == 0
    assert reportkit(*paper, "--strict", cwd=folder).returncode == 1
    assert reportkit(*paper, "--strict", "--ignore", "RK117", cwd=folder).returncode == 0
    assert reportkit(*paper, "--data", "results.csv", "--exit-zero", cwd=folder).returncode == 0
    for arguments, words in (
        (("check",), "nothing to check"),
        (("check", "gone.tex"), "no file 'gone.tex'"),
        (("check", "paper.tex", "--data", "gone.csv"), "gone.csv"),
        (("check", "paper.tex", "--select", "E501"), "no code"),
        (("check", "paper.tex", "--config", "gone.toml"), "gone.toml"),
        (("check", "--explain", "RK999"), "no rule"),
        (("check", "paper.tex", "-o", "no/such/folder"), "cannot be written"),
    ):
        done = reportkit(*arguments, cwd=folder)
        assert done.returncode == 2, arguments
        assert words in done.stderr
        assert "Traceback" not in done.stderr


def test_a_format_can_be_written_to_a_file(folder):
    """And nothing to the terminal."""
    arguments = ("--data", "results.csv", "--output-format", "json", "-o", "out.json")
    done = reportkit("check", "paper.tex", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "RK101" in (folder / "out.json").read_text("utf-8")


def test_all_that_was_compared_can_be_listed(folder):
    """Also what agrees, with its place."""
    done = reportkit("check", "paper.tex", "--data", "results.csv", "-v", cwd=folder)
    listed = [line for line in done.stdout.splitlines() if "number of a table with the data" in line and ":" in line]
    assert "paper.tex:2:8: number of a table with the data 60.0: agrees" in listed
    assert "paper.tex:3:8: number of a table with the data 81.0: differs" in listed


def test_rules_are_listed_and_explained():
    """By code and by name."""
    from reportkit.checker.catalogue import RULES

    listed = reportkit("check", "--list-rules").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(RULES)
    by_code, by_name = (reportkit("check", "--explain", name).stdout for name in ("rk201", "significance-unqualified"))
    assert by_code == by_name
    assert "Not found::\n" in by_code


@pytest.mark.slow
def test_settings_beside_the_paper_are_found(folder):
    """`reportkit.toml` in the folder of the paper: data, labels, what is ignored; `reportkit build` accepts it too."""
    (folder / "reportkit.toml").write_text('[check]\ndata = "results.csv"\nignore = ["RK117"]\n')
    done = reportkit("check", "paper.tex", "--output-format", "concise", cwd=folder)
    assert "RK101" in done.stdout
    assert "[RK117]" not in done.stdout
    assert reportkit("build", "results.csv", "-q", cwd=folder).returncode == 0


@pytest.mark.parametrize("arguments", [("--help",), ("paper.tex",)], ids=str)
def test_nothing_heavy_is_imported_without_data(folder, arguments):
    """Help and a paper without data start in the time of Python itself, and load no other command."""
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    code += "sys.argv = ['reportkit']\n"
    code += f"from reportkit.cli.main import main; main(['check', {', '.join(map(repr, arguments))}])"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    imported = {*done.stderr.split()}
    assert "reportkit.cli.check" in imported
    heavy = {"numpy", "pandas", "scipy", "matplotlib", "jinja2", "statsmodels", "pyarrow"}
    assert not imported & {*heavy, "reportkit.cli.build"}
