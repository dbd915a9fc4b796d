"""Bundles: the records of a run for auditors, and their verification."""
