"""`python -m reportkit`."""

from reportkit.cli.main import main

main()
