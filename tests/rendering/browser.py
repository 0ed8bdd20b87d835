"""Pages in headless Chromium, driven by its command line alone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.conftest import unavailable

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
)
_RESULT = re.compile(r'<pre id="result-of-the-test">(.*?)</pre>', re.DOTALL)


def evaluate(page: str, script: str, folder: Path, *flags: str) -> Any:
    """Open a page in Chromium with a script at its end, and return what the script returns.

    The page's policy, if it has one, is widened by this one script; the page's own script runs under the policy.
    """
    program = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if program is None:
        unavailable("Chromium is not installed")
    wrapped = (
        f"(function () {{ const value = (function () {{ {script} }})(); const place = document.createElement('pre'); "
        "place.id = 'result-of-the-test'; place.textContent = JSON.stringify(value); document.body.append(place); })();"
    )
    allowed = page.replace("script-src '", "script-src 'nonce-test' '", 1)
    source = folder / "page.html"
    source.write_bytes(f'{allowed}<script nonce="test">{wrapped}</script>'.encode("utf-8", "backslashreplace"))
    command = [program, *_FLAGS, f"--user-data-dir={folder / 'profile'}", *flags, "--dump-dom", source.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=600)
    found = _RESULT.search(done.stdout.decode("utf-8", "replace"))
    assert found is not None, done.stderr.decode("utf-8", "replace")[-2000:]
    return json.loads(html.unescape(found[1]))
