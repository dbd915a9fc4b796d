"""What a sweep concludes: simultaneous intervals, outcomes of configurations, and the verdict."""
