"""MAY THE DATASETS BE TAKEN AS INDEPENDENT? What the data themselves say against it."""
