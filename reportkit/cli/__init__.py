"""The command `reportkit`; nothing heavy is imported before a command runs."""
