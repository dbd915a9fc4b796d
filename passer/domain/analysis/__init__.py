"""Analysis: from rows of scores to composites, gains and tables."""
