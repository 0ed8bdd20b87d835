"""WHERE DATA DO NOT FIT INTO MEMORY: datasets read one by one, held on disk or by the workers of a cluster."""
