"""What a paper prints, and what follows from it."""
