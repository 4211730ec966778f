"""A second answer to the same question: naive readings of the files, and the truth of simulated worlds."""
