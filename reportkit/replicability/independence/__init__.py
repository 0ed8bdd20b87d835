"""MAY THE DATASETS BE TAKEN AS INDEPENDENT? Evidence against it in the data themselves."""
