"""Print the n-th one-line shell command of the README, so that what is tested is what a reader copies."""

import re
import sys
from pathlib import Path

number = int(sys.argv[1])
readme = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
commands = [block.strip() for block in re.findall(r"```(?:bash|sh|shell)\n(.*?)```", readme, flags=re.S)]
one_line = [command for command in commands if "\n" not in command]
sys.stdout.write(one_line[number - 1] + "\n")
