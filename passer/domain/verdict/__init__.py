"""Verdict of a sweep: simultaneous intervals, outcomes of configurations, and the conclusion."""
