"""How wide text and tables are in print, and how a table is set so that it fits."""
