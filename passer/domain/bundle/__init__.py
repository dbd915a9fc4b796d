"""What a run leaves for auditors, and whether it holds."""
