"""Two studies of different question sets side by side."""
