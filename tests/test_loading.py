"""What a command loads: nothing twice, nothing that nobody asks for."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd


def test_a_build_loads_no_compiler_and_draws_elsewhere(tmp_path):
    """SciPy takes all of NumPy, its compiler of Fortran and its tools for tests included: nobody asks for them."""
    table = pd.DataFrame(
        {"system": ["a", "a", "b", "b"], "dataset": "d", "instance": [1, 2] * 2, "score": [0, 1, 1, 1]}
    )
    table.to_csv(tmp_path / "results.csv", index=False)
    code = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from reportkit.cli.main import main; main(['build', 'results.csv', '--no-pdf'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    loaded = {*done.stderr.split()}
    assert {"reportkit.cli.building", "scipy.special"} <= loaded, done.stderr
    assert not loaded & {"numpy.f2py.crackfortran", "unittest", "matplotlib"}


def test_nothing_is_loaded_before_the_figures_are_asked_for(tmp_path):
    """The process that draws starts first: what it loads takes as long as everything else."""
    code = (
        "import sys\n"
        "from reportkit.rendering.images import Draughtsman\n"
        "def begun(self, *, wanted): print('pandas' in sys.modules, 'numpy' in sys.modules); sys.exit()\n"
        "Draughtsman.__init__ = begun\n"
        "from reportkit.cli.main import main; main(['build', 'results.csv'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_what_was_put_off_is_loaded_when_it_is_asked_for():
    """The module is there by its name, and is loaded by the first look into it."""
    code = (
        "import sys, numpy\n"
        "from reportkit.loading import put_off\n"
        "put_off('numpy.f2py')\n"
        "print('numpy.f2py.crackfortran' in sys.modules, callable(numpy.f2py.run_main))\n"
        "print('numpy.f2py.crackfortran' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True", "True"], done.stderr
