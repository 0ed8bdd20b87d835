"""The command `reportkit`: one command, one file; nothing heavy is imported before a command runs."""
