"""What stands behind a gain: tests, corrections, profiles, splits, sensitivity."""
