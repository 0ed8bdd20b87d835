"""`import reportkit` registers `df.replic` with pandas, and imports nothing heavier."""

from __future__ import annotations

import subprocess
import sys

import pytest


def _run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    "imports",
    [
        "import pandas, reportkit",
        "import reportkit, pandas",
        "from reportkit.accessor import ReplicAccessor; import pandas",
    ],
)
def test_the_accessor_is_there(imports):
    """Whichever of the two is imported first, a frame that fits has the accessor."""
    code = (
        f"{imports}\n"
        "frame = pandas.DataFrame({'system': ['a'], 'dataset': ['d'], 'instance': [1], 'score': [1.0]})\n"
        "print(hasattr(frame, 'replic'), hasattr(pandas.DataFrame({'x': [1]}), 'replic'))"
    )
    assert _run(code) == "True False"


def test_importing_reportkit_is_light_and_changes_nothing():
    """Neither SciPy nor matplotlib comes with it, no finder is put on the path of imports, and twice does not warn."""
    code = (
        "import importlib, sys, warnings, pandas; warnings.simplefilter('error'); before = [*sys.meta_path]\n"
        "import reportkit; print(sys.meta_path == before, {'scipy', 'matplotlib', 'jinja2'} & set(sys.modules))\n"
        "importlib.reload(reportkit); importlib.reload(importlib.import_module('reportkit.accessor'))"
    )
    assert _run(code) == "True set()"


def test_the_help_of_the_command_imports_nothing_heavy():
    """`reportkit --help` answers without NumPy, pandas or matplotlib."""
    code = (
        "import sys\n"
        "sys.argv = ['reportkit', 'build', '--help']\n"
        "from reportkit.cli.main import main\n"
        "try:\n    main(['build', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'pandas', 'scipy', 'matplotlib', 'jinja2'} & set(sys.modules)))"
    )
    assert _run(code).splitlines()[-1] == "[]"


def test_every_public_name_has_a_home():
    """`reportkit.__all__` and what can be imported agree."""
    import reportkit

    for name in reportkit.__all__:
        assert getattr(reportkit, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'kappa'"):
        _ = reportkit.kappa


def test_dir_lists_what_is_public():
    """And no rooms."""
    import reportkit

    assert set(dir(reportkit)) == set(reportkit.__all__)
