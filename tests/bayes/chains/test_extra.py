"""The extra is imported when a chain is to be run, and not before."""

import subprocess
import sys

import pytest

from reportkit.bayes.chains import extra
from reportkit.errors import SettingsError

HEAVY = ("pymc", "pytensor", "arviz", "numba", "xarray")


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["reportkit", "reportkit.cli.main", "reportkit.bayes.chains", "reportkit.analysis.analysis"]
)
def test_importing_reportkit_imports_no_part_of_the_extra(module):
    """Neither the package, nor the command, nor the folder itself."""
    code = f"import sys, {module}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", [extra.pymc, extra.tensors, extra.arviz])
def test_a_missing_extra_says_how_to_install_it(monkeypatch, package):
    """And what can be asked without it."""
    for name in ("pymc", "pytensor", "pytensor.tensor", "arviz"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SettingsError, match=r"reportkit-replic\[bayes\]") as caught:
        package()
    assert "a.posterior()" in str(caught.value)
