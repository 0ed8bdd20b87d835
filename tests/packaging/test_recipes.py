"""Recipes for clusters in `docs/how-to/scale.md`: run where a stand-in can, else held against what their tools take."""

import ast
import re
import textwrap

import pytest

from tests.conftest import needed
from tests.packaging.test_pages import ROOT, blocks
from tests.scale.result_files import by_dataset, said, scores

PAGE = (ROOT / "docs" / "how-to" / "scale.md").read_text("utf-8")

SBATCH = """
#!/bin/sh
cp "$1" "$1.kept"  # it is removed as soon as it is submitted
nohup sh "$1.kept" > "$1.log" 2>&1 &
echo "Submitted batch job $!"
"""

COILED = {"n_workers", "worker_cpu", "worker_memory", "name", "region", "software", "container", "idle_timeout"}
"""Some of what `coiled.Cluster` takes, as of coiled 1.135."""


def recipe(word):
    """The block of code that has a word."""
    (found,) = [content for _, content, _, _ in blocks(PAGE) if word in content]
    return textwrap.dedent(found)


def test_the_address_of_the_operator_is_that_of_the_manifest():
    """Names and ports of the scheduler agree with each other and with the address that the page gives."""
    manifest = needed("yaml", "dev").safe_load(recipe("kind: DaskCluster"))
    assert (manifest["apiVersion"], manifest["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    name, scheduler = manifest["metadata"]["name"], manifest["spec"]["scheduler"]
    service = scheduler["service"]
    assert service["selector"] == {"dask.org/cluster-name": name, "dask.org/component": "scheduler"}
    (container,) = scheduler["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert {port["targetPort"] for port in service["ports"]} == ports.keys()
    assert container["readinessProbe"]["httpGet"]["port"] in ports
    (port,) = [port["port"] for port in service["ports"] if port["targetPort"] == "tcp-comm"]
    assert f"--cluster tcp://{name}-scheduler:{port}" in PAGE
    (worker,) = manifest["spec"]["worker"]["spec"]["containers"]
    assert worker["image"] == container["image"]
    given = dict(zip(worker["args"][1::2], worker["args"][2::2], strict=True))
    assert given["--name"] == "$(DASK_WORKER_NAME)"
    assert needed("dask.utils", "dask").parse_bytes(given["--memory-limit"]) <= needed(
        "dask.utils", "dask"
    ).parse_bytes(worker["resources"]["limits"]["memory"] + "B")


def test_arguments_of_coiled_are_known():
    """Names of arguments, in a call that Python can read."""
    calls = [node for node in ast.walk(ast.parse(recipe("coiled.Cluster"))) if isinstance(node, ast.Call)]
    given = {word.arg for call in calls if ast.unparse(call.func) == "coiled.Cluster" for word in call.keywords}
    assert given
    assert given <= COILED


@pytest.mark.slow
def test_the_recipe_for_slurm_runs(tmp_path, monkeypatch):
    """As it stands, but for paths and the number of jobs; what `sbatch` is given to run, is run here."""
    needed("dask_jobqueue", "dev")
    for name, content in {"sbatch": SBATCH, "scancel": "#!/bin/sh\n"}.items():
        (tmp_path / name).write_text(content.lstrip())
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    by_dataset(scores().replace({"model": {"m0": "old"}}), tmp_path / "scores")
    written = recipe("SLURMCluster(").replace("/scratch", str(tmp_path))
    written, n_changed = re.subn(r"jobs=\d+", "jobs=1", written)
    assert n_changed == 1
    names = {}
    exec(compile(written, "scale.md", "exec"), names)  # noqa: S102 - the code of our own page
    try:
        here = names["reportkit"].compare(tmp_path / "scores", baseline="old")
        assert said(names["analysis"]) == said(here)
        assert "#SBATCH --cpus-per-task=1" in names["cluster"].job_script()
    finally:
        client = names["cluster"].get_client()
        client.shutdown()
