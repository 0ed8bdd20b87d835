"""K-HAT, PARTIAL CONJUNCTION AND HOLM: procedures that see p-values, and nothing else."""
