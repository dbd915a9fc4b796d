"""What an analysis takes and what it says."""
