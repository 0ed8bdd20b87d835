"""Files: all of them or none, whatever stops the process."""
